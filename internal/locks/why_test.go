package locks_test

import (
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/config"
)

// A script of which nothing is known is told with the reason.
func TestWhyUnseen(t *testing.T) {
	t.Parallel()
	const file = "file0.go"
	p := sources(t, `package p
import ("context"; "github.com/redis/go-redis/v9")
func f(ctx context.Context, c *redis.Client, script string) {
	c.Eval(ctx, script, []string{"lock:a"})
	c.Eval(ctx, "return (", []string{"lock:a"})
	println()
}
`)
	res := analyze(t, config.Default(), p)[p.PkgPath]
	for line, want := range map[int]string{
		4: "the script of Eval is not known at compile time",
		5: "the script of Eval is not understood",
		6: "no Redis command on a key is seen at line 6",
	} {
		x := res.Why(file, line)
		if len(x.Lines) != 1 || !strings.HasPrefix(x.Lines[0], want) || x.Places != nil {
			t.Errorf("line %d: %+v, want %q", line, x, want)
		}
	}
}
