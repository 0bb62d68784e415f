//go:build unix

// Bench compares what locklint costs with what go vet and go list cost.
//
//	go run ./bench [-cold] [-n 5] DIR
//
// DIR is a module that uses Redis. The module without Redis is golang.org/x/tools,
// as the module cache has it. CPU is user and system time of the program and all
// that it starts; memory is the peak of the largest of these processes. Warm
// figures are the least of n runs. With -cold the build cache is emptied for each
// of the cold runs (a new GOCACHE), which compiles all dependencies.
//
// It exits with 1 if a limit is exceeded. In a module of fewer than 50 packages, what
// both programs cost at their start decides the ratio of CPU: it is printed, and has
// no limit.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	cold := flag.Bool("cold", false, "also measure with an empty build cache (minutes)")
	n := flag.Int("n", 5, "warm runs of each command")
	flag.Parse()
	if flag.NArg() != 1 || *n < 1 {
		fmt.Fprintln(os.Stderr, "usage: bench [-cold] [-n 5] DIR\nThe limit of CPU holds for modules of 50 packages and more.")
		os.Exit(2)
	}
	ok, err := bench(flag.Arg(0), *n, *cold)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// A cost is what a command costs.
type cost struct {
	cpu, wall time.Duration
	mem       int64 // KiB
}

func (c cost) String() string {
	return fmt.Sprintf("%7.2f s CPU %7.2f s wall %5d MiB", c.cpu.Seconds(), c.wall.Seconds(), c.mem>>10)
}

func bench(dir string, n int, cold bool) (ok bool, err error) {
	tmp, err := os.MkdirTemp("", "locklint-bench-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(tmp)
	tool := filepath.Join(tmp, "locklint")
	if out, err := exec.Command("go", "build", "-o", tool, "github.com/locklint/locklint/cmd/locklint").CombinedOutput(); err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/tools").Output()
	if err != nil {
		return false, err
	}
	plain := strings.TrimSpace(string(out))

	ok = true
	limit := func(what string, got, most float64) {
		verdict := "ok"
		if got > most {
			verdict, ok = "EXCEEDED", false
		}
		fmt.Printf("  %-50s %6.2f  limit %5.2f  %s\n", what, got, most, verdict)
	}
	packages, err := countPackages(dir)
	if err != nil {
		return false, err
	}
	limitCPU := limit
	if packages < largeModule {
		limitCPU = func(what string, got, _ float64) {
			fmt.Printf("  %-50s %6.2f  no limit for %d packages\n", what, got, packages)
		}
	}
	ratio := func(a, b time.Duration) float64 { return a.Seconds() / b.Seconds() }
	standalone := []string{tool, "./..."}
	vet := []string{"go", "vet", "./..."}
	vettool := []string{"go", "vet", "-vettool=" + tool, "./..."}

	if cold {
		fmt.Println("cold, with an empty build cache:")
		a, err := emptyCache(dir, tmp, standalone)
		if err != nil {
			return false, err
		}
		v, err := emptyCache(dir, tmp, vet)
		if err != nil {
			return false, err
		}
		t, err := emptyCache(dir, tmp, vettool)
		if err != nil {
			return false, err
		}
		fmt.Printf("  locklint ./...             %v\n  go vet ./...               %v\n  go vet -vettool=locklint   %v\n", a, v, t)
		limitCPU("locklint / go vet, CPU", ratio(a.cpu, v.cpu), 1)
		limit("locklint / go vet, memory", float64(a.mem)/float64(v.mem), 1)
	}

	fmt.Println("warm:")
	a, err := least(dir, n, standalone)
	if err != nil {
		return false, err
	}
	v, err := least(dir, n, vet)
	if err != nil {
		return false, err
	}
	t, err := least(dir, n, vettool)
	if err != nil {
		return false, err
	}
	fmt.Printf("  locklint ./...             %v\n  go vet ./...               %v\n  go vet -vettool=locklint   %v\n", a, v, t)
	limitCPU("locklint / go vet, CPU", ratio(a.cpu, v.cpu), 1.3)
	limit("locklint, MiB", float64(a.mem)/1024, 100)

	fmt.Println("a module without Redis:")
	b, err := least(plain, n, standalone)
	if err != nil {
		return false, err
	}
	l, err := least(plain, n, []string{"go", "list", "-deps", "./..."})
	if err != nil {
		return false, err
	}
	fmt.Printf("  locklint ./...             %v\n  go list -deps ./...        %v\n", b, l)
	limit("locklint / (1.1 go list + 50 ms), CPU", b.cpu.Seconds()/(1.1*l.cpu.Seconds()+0.05), 1)
	return ok, nil
}

// largeModule is the number of packages from which the limits of CPU hold.
const largeModule = 50

// countPackages counts the packages of the module in dir.
func countPackages(dir string) (int, error) {
	cmd := exec.Command("go", "list", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off")
	out, err := cmd.Output()
	return strings.Count(string(out), "\n"), err
}

// emptyCache runs a command with a build cache of its own.
func emptyCache(dir, tmp string, cmd []string) (cost, error) {
	cache, err := os.MkdirTemp(tmp, "gocache-")
	if err != nil {
		return cost{}, err
	}
	defer os.RemoveAll(cache)
	return run(dir, cmd, "GOCACHE="+cache)
}

// least runs a command once unmeasured and n times measured.
func least(dir string, n int, cmd []string) (cost, error) {
	if _, err := run(dir, cmd); err != nil {
		return cost{}, err
	}
	var best cost
	for i := range n {
		c, err := run(dir, cmd)
		if err != nil {
			return cost{}, err
		}
		if i == 0 || c.cpu < best.cpu {
			best.cpu = c.cpu
		}
		if i == 0 || c.wall < best.wall {
			best.wall = c.wall
		}
		best.mem = max(best.mem, c.mem)
	}
	return best, nil
}

func run(dir string, args []string, env ...string) (cost, error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off"), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	// Findings make both programs exit with 1.
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		return cost{}, fmt.Errorf("%s: %w\n%s", cmd, err, stderr.String())
	}
	p := cmd.ProcessState
	usage := p.SysUsage().(*syscall.Rusage)
	mem := int64(usage.Maxrss) //nolint:unconvert // 32 bits wide on some machines
	if runtime.GOOS == "darwin" {
		mem >>= 10 // counted in bytes there
	}
	return cost{p.UserTime() + p.SystemTime(), wall, mem}, nil
}
