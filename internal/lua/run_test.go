package lua

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// TestReleaseIsTrue runs the release scripts in a server and holds what Parse
// says against what happens.
func TestReleaseIsTrue(t *testing.T) {
	t.Parallel()
	srv := miniredis.RunT(t)
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr()})
	t.Cleanup(func() { rdb.Close() })

	const mine, theirs = `token`, `{"owner":"someone else"}`
	// run tells whether KEYS[1] is still there, or that the server cannot run
	// the script.
	run := func(script, held string) (there, ran bool) {
		srv.FlushAll()
		srv.Set("a", held)
		srv.Set("b", theirs)
		err := rdb.Eval(t.Context(), script, []string{"a", "b"}, mine, "no").Err()
		return srv.Exists("a"), err == nil || err == redis.Nil
	}
	count := map[string]int{}
	for _, c := range releaseCases {
		s, err := Parse(c.script)
		if err != nil {
			t.Fatal(err)
		}
		frees := 0
		for _, e := range s.Effects {
			if e.Kind == Free {
				frees++
			}
		}
		for _, e := range s.Effects {
			if frees > 1 || e.Kind != Free || e.Key.Kind != Keys || e.Key.Index != 1 || e.Command == "DELEX" || e.Command == "DELIFEQ" {
				continue
			}
			there, ran := run(c.script, theirs)
			switch {
			case e.Checked && !e.NeverEqual && e.Against.Kind == Argv:
				if !there && c.name != "tonumber both" { // two words are both no number, hence equal
					t.Errorf("%s: called checked, yet it frees another owner's key", c.name)
				}
				if there, ran := run(c.script, mine); ran && there && e.Against.Text == "ARGV[1]" && !decodes[c.name] {
					t.Errorf("%s: called checked, yet the owner cannot free it", c.name)
				}
				count["checked"]++
			case e.NeverEqual:
				if there, _ := run(c.script, mine); !there {
					t.Errorf("%s: called never equal, yet it frees the key", c.name)
				}
				count["never"]++
			case e.Bare() && ran && !otherMode[c.name]:
				if there {
					t.Errorf("%s: called bare, yet the key stays", c.name)
				}
				count["bare"]++
			}
		}
	}
	for _, k := range []string{"checked", "never", "bare"} {
		if count[k] == 0 {
			t.Errorf("no script called %s was run", k)
		}
	}
	t.Logf("scripts run: %v", count)
}

// decodes are scripts that expect JSON, a number, or another form of value than
// the plain token of the test.
var decodes = map[string]bool{
	"decoded": true, "decoded in steps": true, "decoded under pcall": true, "tonumber both": true,
	"nested": true, // wants ARGV[2]
}

// otherMode are scripts whose bare free another argument asks for.
var otherMode = map[string]bool{"argument decides only": true, "mode by argument": true}
