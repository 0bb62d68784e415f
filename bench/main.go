// Command bench compares github.com/locklint/locklint/runtime with other Redis locks for
// Go, and with the two bare commands that every lock needs at least. All subjects run
// in one process against one redis-server of its own, in rounds that take turns, so that a
// busy machine disturbs them alike.
//
//	cd bench && go run .
//
// It prints one table for each question, with ratios to the bare commands or to lockrt. It is
// a module of its own, to keep the compared libraries out of go.mod.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/locklint/locklint/internal/redistest"
)

var (
	rounds    = flag.Int("rounds", 20, "rounds of the pair table")
	slice     = flag.Duration("slice", 150*time.Millisecond, "time of each subject in a round")
	handoff   = flag.Duration("handoff", 5*time.Second, "time of each cell of the hand-off table")
	only      = flag.String("only", "pairs,handoff,partition", "tables to print")
	partition = flag.Duration("lease", 3*time.Second, "lease in the partition table")
)

func main() {
	log.SetFlags(0)
	flag.Func("goroutines", "of the pair table (default 1,8,64)", numbers(&parallel))
	flag.Func("waiters", "of the hand-off table (default 2,8,64)", numbers(&contenders))
	flag.Parse()
	defer env.cleanup()
	for _, table := range strings.Split(*only, ",") {
		switch table {
		case "pairs":
			pairTable(redistest.StartTCP(&env))
		case "handoff":
			handoffTable(redistest.StartTCP(&env))
		case "partition":
			partitionTable(redistest.StartTCP(&env))
		default:
			env.Fatalf("no table %q", table)
		}
	}
}

var (
	parallel   = []int{1, 8, 64}
	contenders = []int{2, 8, 64}
)

// numbers parses a list of a flag.
func numbers(list *[]int) func(string) error {
	return func(s string) error {
		*list = nil
		for _, f := range strings.Split(s, ",") {
			n, err := strconv.Atoi(f)
			if err != nil {
				return err
			}
			*list = append(*list, n)
		}
		return nil
	}
}

// env stops the servers, also when a subject fails.
var env program

// program is the testing.TB that redistest needs, for a program.
type program struct {
	testing.TB
	atEnd []func()
	end   sync.Once
}

func (*program) Helper()                     {}
func (*program) Failed() bool                { return false }
func (p *program) Cleanup(f func())          { p.atEnd = append(p.atEnd, f) }
func (p *program) Error(args ...any)         { log.Print(args...) }
func (p *program) Fatal(args ...any)         { p.die(fmt.Sprint(args...)) }
func (p *program) Fatalf(f string, a ...any) { p.die(fmt.Sprintf(f, a...)) }
func (p *program) Skipf(f string, a ...any)  { p.Fatalf(f, a...) }

// die says what is wrong and ends the program. What fails because the servers are gone then is
// not heard.
func (p *program) die(message string) {
	p.end.Do(func() {
		log.Print(message)
		p.cleanup()
		os.Exit(1)
	})
}

func (p *program) cleanup() {
	for _, f := range slices.Backward(p.atEnd) {
		f()
	}
	p.atEnd = nil
}

// table prints rows under a title.
func table(title string, header string, rows func(row func(cells ...any))) {
	fmt.Printf("\n%s\n\n", title)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, strings.ReplaceAll(header, "|", "\t")+"\t")
	rows(func(cells ...any) {
		for _, c := range cells {
			switch c := c.(type) {
			case float64:
				fmt.Fprintf(w, "%.2f\t", c)
			case time.Duration:
				fmt.Fprintf(w, "%v\t", c.Round(time.Microsecond))
			default:
				fmt.Fprintf(w, "%v\t", c)
			}
		}
		fmt.Fprintln(w)
	})
	w.Flush()
}

func median[T int | float64 | time.Duration](v []T) T {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

// percentile of sorted values.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(p*float64(len(sorted))))]
}
