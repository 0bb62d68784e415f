// Package harness runs the functions of the programs that internal/proof proves the
// fixes on: one function, once, against the server that the test names, with a stop
// or a cut at a place that the test names.
//
// The stops are made in the connection to the server, so that the functions are as
// people write them, before and after the fix, with any client library.
package harness

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// ErrBusy is what a function returns where another holds the lock.
var ErrBusy = errors.New("busy")

// A Form is a function to run. It returns what its Redis calls made it return, as
// Show writes it.
type Form func(ctx context.Context, s *Scene) string

// A Scene is what a form runs in.
type Scene struct {
	// ID is the part of the key that differs from run to run, Token the owner.
	ID, Token string

	network, addr string
	gate          *gate
}

// Main runs the form that the command line names and prints what it returns.
func Main(forms map[string]Form) {
	s := &Scene{gate: &gate{in: bufio.NewReader(os.Stdin), out: os.Stdout}}
	var key string
	flag.StringVar(&s.network, "network", "unix", "`network` of the server")
	flag.StringVar(&s.addr, "addr", "", "`address` of the server")
	flag.StringVar(&key, "key", "", "the `key` of the lock")
	flag.StringVar(&s.ID, "id", "", "what is not constant of the key")
	flag.StringVar(&s.Token, "token", "", "the owner's `token`")
	flag.IntVar(&s.gate.stop, "stop", 0, "print \"stopped\" when the `n`th command on the key was answered, and go on after a line on standard input")
	flag.IntVar(&s.gate.cut, "cut", 0, "lose the server when the `n`th command on the key was answered")
	list := flag.Bool("list", false, "print the names of the forms")
	flag.Parse()
	if *list {
		for _, name := range slices.Sorted(maps.Keys(forms)) {
			fmt.Println(name)
		}
		return
	}
	s.gate.key = []byte(key)
	form := forms[flag.Arg(0)]
	if form == nil {
		fmt.Fprintf(os.Stderr, "there is no form %q\n", flag.Arg(0))
		os.Exit(2)
	}
	fmt.Println("returned", form(context.Background(), s))
}

// Dial connects to the server through the scene, as the option Dialer of a client
// wants it.
func (s *Scene) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if s.gate.isDown() {
		return nil, errDown
	}
	c, err := new(net.Dialer).DialContext(ctx, s.network, s.addr)
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, gate: s.gate}, nil
}

// Client is a client that tries every command once.
func (s *Scene) Client() *redis.Client {
	return redis.NewClient(&redis.Options{Dialer: s.Dial, MaxRetries: -1, DialerRetries: 1})
}

// Show writes results so that equal ones are the same for a caller.
func Show(results ...any) string {
	var words []string
	for _, r := range results {
		err, is := r.(error)
		var network *net.OpError
		switch {
		case !is:
			words = append(words, fmt.Sprint(r))
		case errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
			words = append(words, "down")
		case errors.Is(err, redis.Nil):
			words = append(words, "redis.Nil")
		default:
			words = append(words, strings.ReplaceAll(err.Error(), "\n", " "))
		}
	}
	return strings.Join(words, ", ")
}
