package crosstest

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// analyze runs the suite over a package, right or wrong.
func analyze(t testing.TB, p *packages.Package) {
	t.Helper()
	run(t, options(), p)
	if p.IllTyped {
		// A driver that says nothing of type errors.
		p.IllTyped, p.TypeErrors = false, nil
		run(t, options(), p)
	}
}

// goFiles reads the files below a folder.
func goFiles(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no Go files below %s", dir)
	}
	return files
}

// FuzzAnalyze feeds the whole suite: nothing panics.
func FuzzAnalyze(f *testing.F) {
	for _, src := range nasty(f) {
		f.Add(src)
	}
	for _, src := range goFiles(f, filepath.Join(root, "testdata", "src", "shapes")) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := universe.Package("example.com/m/p", src)
		if err != nil {
			t.Skipf("does not parse: %v", err)
		}
		analyze(t, p)
	})
}

// nasty are the sources of testdata/nasty, and one that is better made than read.
func nasty(t testing.TB) map[string]string {
	t.Helper()
	files := goFiles(t, "testdata/nasty")
	files["huge.go"] = hugeSource()
	return files
}

// hugeSource has a sum of 1500 terms, 60 nested calls and a condition of 60 locks.
func hugeSource() string {
	var key, held []string
	for i := range 1500 {
		if i%3 == 0 {
			key = append(key, fmt.Sprintf(`"lock:%d:"`, i))
		} else {
			key = append(key, fmt.Sprintf("part(%d)", i))
		}
	}
	for i := range 60 {
		held = append(held, fmt.Sprintf(`rdb.SetNX(ctx, "lock:%d", 1, 0).Val() && rdb.Del(ctx, "lock:%d").Err() == nil`, i, i))
	}
	return `package p

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"
)

func part(i int) string { return fmt.Sprint(i) + ":" }

func keyOf(k string) string { return k + k + part(len(k)) }

func huge(ctx context.Context, rdb *redis.Client) bool {
	key := ` + strings.Join(key, " +\n\t\t") + `
	other := ` + strings.Repeat("keyOf(", 60) + `"lock"` + strings.Repeat(")", 60) + `
	if rdb.SetNX(ctx, key, other, 0).Val() {
		defer rdb.Del(ctx, key, other)
		return true
	}
	return ` + strings.Join(held, " ||\n\t\t") + `
}
`
}

// Odd code: it type-checks, but for files named broken, and nothing panics.
func TestNasty(t *testing.T) {
	t.Parallel()
	for name, src := range nasty(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			p, err := universe.Package("example.com/m/p", src)
			if err != nil {
				t.Fatal(err)
			}
			if broken := strings.HasPrefix(filepath.Base(name), "broken"); broken != p.IllTyped {
				t.Errorf("type errors: %v", p.TypeErrors)
			}
			analyze(t, p)
		})
	}
}

// mutants is how many broken copies of each file of testdata are tried.
const mutants = 4

// Files of testdata with statements that are deleted, doubled or swapped, and with
// expressions that stand in for one another: most do not type-check.
func TestMutants(t *testing.T) {
	t.Parallel()
	files := goFiles(t, filepath.Join(root, "testdata", "src"))
	tried, odd := 0, 0
	for name, src := range files {
		for seed := range uint64(mutants) {
			mutant, ok := mutate(src, rand.New(rand.NewPCG(seed, uint64(len(src)))))
			if !ok {
				continue
			}
			p, err := universe.Package("example.com/m/p", mutant)
			if err != nil {
				continue // what is printed does not always parse
			}
			tried++
			if p.IllTyped {
				odd++
			}
			if !t.Run(name, func(t *testing.T) { analyze(t, p) }) {
				t.Logf("seed %d:\n%s", seed, mutant)
			}
		}
	}
	t.Logf("%d files, %d mutants, %d with type errors", len(files), tried, odd)
	if tried < len(files) || odd < tried/2 {
		t.Errorf("of the mutants of %d files %d parse, and %d of these do not type-check", len(files), tried, odd)
	}
}

// mutate changes some statements and expressions of a file.
func mutate(src string, rnd *rand.Rand) (string, bool) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "mutant.go", src, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	var blocks []*[]ast.Stmt
	var args []*ast.Expr
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			blocks = append(blocks, &n.List)
		case *ast.CaseClause:
			blocks = append(blocks, &n.Body)
		case *ast.CallExpr:
			for i := range n.Args {
				args = append(args, &n.Args[i])
			}
		}
		return true
	})
	for range 1 + rnd.IntN(4) {
		if len(blocks) == 0 {
			break
		}
		list := blocks[rnd.IntN(len(blocks))]
		if len(*list) == 0 {
			continue
		}
		i, j := rnd.IntN(len(*list)), rnd.IntN(len(*list))
		switch rnd.IntN(4) {
		case 0:
			*list = append((*list)[:i:i], (*list)[i+1:]...)
		case 1:
			*list = append((*list)[:i+1:i+1], (*list)[i:]...)
		case 2:
			(*list)[i], (*list)[j] = (*list)[j], (*list)[i]
		case 3:
			if len(args) > 0 {
				*args[rnd.IntN(len(args))] = *args[rnd.IntN(len(args))]
			}
		}
	}
	var out strings.Builder
	// A tree that holds an expression within itself cannot be printed.
	if cyclic(f) || format.Node(&out, fset, f) != nil {
		return "", false
	}
	return out.String(), true
}

// cyclic reports whether a tree is so deep or so large that it must hold itself.
func cyclic(f *ast.File) bool {
	n, depth, deepest := 0, 0, 0
	ast.Inspect(f, func(x ast.Node) bool {
		if x == nil {
			depth--
			return false
		}
		n++
		depth++
		deepest = max(deepest, depth)
		if n > 200_000 || depth > 200 {
			depth--
			return false
		}
		return true
	})
	return n > 200_000 || deepest > 200
}
