//go:build ignore

// Newkind lays the files of a new kind, for its author to fill. From the root of the
// repository:
//
//	go run internal/kinds/newkind.go PASS KIND 'what is wrong, in one line'
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const page = `-- what --
What is reported, in one or two sentences.
-- why --
What goes wrong, step by step, and what to do instead.
-- bad.go --
package orders

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

func Pay(ctx context.Context, rdb *redis.Client, order string) (bool, error) {
	return rdb.SetNX(ctx, "lock:order:"+order, "locked", time.Minute).Result()
}
-- good.go --
package orders

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

func Pay(ctx context.Context, rdb *redis.Client, order string) (bool, error) {
	return rdb.SetNX(ctx, "lock:order:"+order, rand.Text(), time.Minute).Result()
}
-- silent --
what looks alike and is right, one a line
-- race --
sequenceDiagram
    participant A as worker A
    participant R as Redis
    participant B as worker B
    A->>R: SET lock tokenA NX PX 30000
    R-->>A: OK
-- see --
Redis, Distributed locks: https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/
`

const faults = `// Package PKG has the faults of KIND, and what looks like them.
package PKG

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Say what the fault is. Three shapes that differ: one function, two methods, a wrapper.
func pay(ctx context.Context, rdb *redis.Client, order string) (bool, error) {
	return rdb.SetNX(ctx, "lock:order:"+order, "locked", time.Minute).Result() // want ` + "`KIND: `" + `
}
`

const silent = `package PKG

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// Say why this is right, though it looks like the fault.
func seen(ctx context.Context, rdb *redis.Client, delivery string) (bool, error) {
	return rdb.SetNX(ctx, "webhook:"+delivery, 1, 24*time.Hour).Result()
}
`

var name = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("usage: go run internal/kinds/newkind.go PASS KIND 'what is wrong, in one line'"))
	}
	if err := lay(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "newkind:", err)
	os.Exit(1)
}

func lay(pass, kind, title string) error {
	if !name.MatchString(kind) {
		return fmt.Errorf("%q is no name of a kind: lower-case words with dashes between them", kind)
	}
	table := filepath.Join("internal", "kinds", "kinds.go")
	old, err := os.ReadFile(table)
	if err != nil {
		return fmt.Errorf("run this in the root of the repository: %w", err)
	}
	if bytes.Contains(old, fmt.Appendf(nil, "{%q,", kind)) {
		return fmt.Errorf("there is a kind %s", kind)
	}
	// After the last row of the pass.
	last := bytes.LastIndex(old, fmt.Appendf(nil, ", %q, ", pass))
	if last < 0 {
		return fmt.Errorf("there is no pass %s", pass)
	}
	end := last + bytes.IndexByte(old[last:], '\n') + 1
	row := fmt.Sprintf("\t{%q, %q, %q, true, FixNone, \"next\", %q},\n", kind, pass, title, title)
	changed, err := format.Source([]byte(string(old[:end]) + row + string(old[end:])))
	if err != nil {
		return err
	}
	pkg := strings.ReplaceAll(kind, "-", "")
	r := strings.NewReplacer("PKG", pkg, "KIND", kind)
	tests := filepath.Join("testdata", "src", pass, pkg)
	files := []struct{ name, text string }{
		{filepath.Join("internal", "kinds", "pages", kind+".txt"), page},
		{filepath.Join(tests, "faults.go"), r.Replace(faults)},
		{filepath.Join(tests, "silent.go"), r.Replace(silent)},
	}
	for _, f := range files {
		if _, err := os.Stat(f.name); err == nil {
			return fmt.Errorf("%s is there already", f.name)
		}
	}
	for _, f := range files {
		if err := os.MkdirAll(filepath.Dir(f.name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(f.name, []byte(f.text), 0o666); err != nil {
			return err
		}
		fmt.Println(f.name)
	}
	fmt.Println(table)
	return os.WriteFile(table, changed, 0o666)
}
