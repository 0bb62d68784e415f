package crosstest

import (
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
)

// analyzeSource runs the suite over a source, right or wrong.
func analyzeSource(t testing.TB, src string) {
	p, err := universe.Package("example.com/m/p", src)
	if err != nil {
		t.Skipf("not a package: %v", err)
	}
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
	for _, src := range goFiles(f, "testdata/nasty") {
		f.Add(src)
	}
	for _, src := range goFiles(f, filepath.Join(root, "testdata", "src", "shapes")) {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) { analyzeSource(t, src) })
}

// Hand-written code that is odd but right: it type-checks, and nothing panics.
func TestNasty(t *testing.T) {
	t.Parallel()
	for name, src := range goFiles(t, "testdata/nasty") {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			p, err := universe.Package("example.com/m/p", src)
			if err != nil {
				t.Fatal(err)
			}
			if broken := strings.HasPrefix(filepath.Base(name), "broken"); broken != p.IllTyped {
				t.Errorf("type errors: %v", p.TypeErrors)
			}
			analyzeSource(t, src)
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
	tried := 0
	for name, src := range files {
		for seed := range uint64(mutants) {
			mutant, ok := mutate(src, rand.New(rand.NewPCG(seed, uint64(len(src)))))
			if !ok {
				continue
			}
			tried++
			if !t.Run(name, func(t *testing.T) { analyzeSource(t, mutant) }) {
				t.Logf("seed %d:\n%s", seed, mutant)
			}
		}
	}
	if tried < len(files) {
		t.Errorf("only %d mutants of %d files parse", tried, len(files))
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
