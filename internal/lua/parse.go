package lua

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

const (
	maxText   = 64 << 10  // bytes of script text
	maxDepth  = 200       // nested statements and expressions
	maxSteps  = 50_000    // expressions and statements evaluated
	maxWork   = 2_000_000 // entries of states copied
	maxStates = 32        // paths followed side by side
	maxCalls  = 12        // functions put in within one another
	maxUnroll = 8         // turns of a constant loop
	maxTrials = 6         // trial runs of a loop body
	maxCanon  = 400       // bytes of a value's normal form
)

// Parse reads a script. It returns an error for text that is not Lua 5.1 or is
// longer than 64 KiB. It never panics and always ends: a script with too many
// paths gives a Script that is not Complete and has no effects.
func Parse(text string) (*Script, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("lua: script of %d bytes is too long to read (limit %d)", len(text), maxText)
	}
	text, library := shebang(text)
	chunk, err := parseChunk(text)
	if err != nil {
		return nil, err
	}
	if library {
		return &Script{}, nil
	}
	return run(chunk)
}

// shebang takes off the line "#!lua flags=..." that Redis 7 allows and reports
// whether it declares a function library. The line break stays, so that lines
// count right.
func shebang(text string) (rest string, library bool) {
	if !strings.HasPrefix(text, "#!") {
		return text, false
	}
	line := text
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		line = text[:i]
	}
	return text[len(line):], strings.Contains(line, "name=")
}

// parseChunk turns every failure of the parser, panics included, into an error.
func parseChunk(text string) (chunk []ast.Stmt, err error) {
	defer func() {
		if p := recover(); p != nil {
			chunk, err = nil, fmt.Errorf("lua: parser failed: %v", p)
		}
	}()
	chunk, err = parse.Parse(strings.NewReader(text), "script")
	if err != nil {
		return nil, fmt.Errorf("lua: %s", strings.Join(strings.Fields(err.Error()), " "))
	}
	if chunk == nil && hasCode(text) {
		// The parser hides a panic whose value is no error.
		return nil, errors.New("lua: parser gave up")
	}
	return chunk, nil
}

func hasCode(text string) bool {
	t := strings.TrimSpace(text)
	return t != "" && !strings.HasPrefix(t, "--")
}

// run executes the chunk; giving up leaves no effects.
func run(chunk []ast.Stmt) (s *Script, err error) {
	defer func() {
		switch p := recover(); p.(type) {
		case nil:
		case giveUp:
			s = &Script{}
		default:
			// A fault of this package must not end the whole analysis.
			s, err = nil, fmt.Errorf("lua: internal error, please report the script: %v", p)
		}
	}()
	in := newInterp()
	f := in.block(chunk, newScope(nil), []*state{newState()})
	in.exit(f.next)
	in.exit(f.brk)
	for _, r := range f.ret {
		in.exit([]*state{r.st})
	}
	return in.script(), nil
}

// giveUp is the panic that leaves a script too large to follow.
type giveUp struct{}
