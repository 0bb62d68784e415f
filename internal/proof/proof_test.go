package proof

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/locklint/locklint/internal/redistest"
)

// A form is a function of a program, with the schedules that show its fault and the
// states in which its results must not change.
type form struct {
	program, name string
	key           string // what stands before the id; empty: name + ":lock:"
	schedules     []schedule
	states        []state
}

// The states of the forms that create a lock without expiry, of those that release or
// renew what they acquired, and of those that are given it.
var (
	creating  = []state{free, busy, down}
	releasing = []state{free, busy, down, gone, cut}
	renewing  = []state{free, busy, down, gone, cut, renewed}
	given     = []state{free, own, busy, down, goneOwn, cutOwn}
)

func all(program string, schedules []schedule, states []state, names ...string) []form {
	var out []form
	for _, name := range names {
		out = append(out, form{program: program, name: name, schedules: schedules, states: states})
	}
	return out
}

var forms = slices.Concat(
	all("forms", []schedule{crash}, creating,
		"result", "assigned", "redeclared", "errDropped", "val", "valAnd", "valEqual", "valKept", "loop",
		"choose", "branches", "either", "eitherRead", "bothTrue", "cmdKept", "cmdReturned", "expireReturned",
		"errAssigned", "until", "fromNow", "helper", "options", "words", "wordNX", "narrow", "wrapped",
		"valPair", "branchesRead", "keepTTL", "optionsKeep", "wordSeconds", "workedOut"),
	all("forms", []schedule{crash}, []state{freeResult, busy, down}, "inGoroutine"),
	all("forms", []schedule{crash, loser}, creating, "pipeline", "pipelined"),
	all("forms", []schedule{loser}, creating, "multi", "multiCallback"),
	all("forms", []schedule{refused}, []state{busy, down}, "refusedErr", "refusedIgnored", "refusedBool"),

	all("forms", []schedule{late}, releasing,
		"deferred", "deferredClosure", "direct", "delErr", "delFailed", "delResult", "delVal", "delCond", "delKept",
		"closure", "severalKeys", "severalDeferred", "severalErr", "inCall", "handle", "parameter", "wordDel",
		"severalBlank", "expireZero", "queuedDel"),
	all("forms", []schedule{late, loser}, releasing, "beforeCheck"),
	[]form{
		{"forms", "releaseRaced", "raced:lock:", []schedule{raced}, given},
		{"forms", "dropRaced", "raced:lock:", []schedule{raced}, given},
		{"forms", "extendRaced", "raced:lock:", []schedule{raced}, given},
	},
	all("forms", []schedule{late}, renewing,
		"renewErr", "renewResult", "renewVal", "renewKept", "renewWords", "renewBeside",
		"renewAssigned", "renewMillis", "renewedConstant", "byMethods"),

	all("forms", []schedule{crash, late}, []state{free, busy, down, gone}, "givenUp"),
	all("forms", []schedule{crash, late}, releasing, "threeFaults", "clientV8", "clientV7", "clientV6"),
	all("forms", []schedule{late}, releasing,
		"wrappedValue", "comparedConstant", "host", "clock", "eachOf", "process", "lostToken", "travelled", "dropped", "handed", "consumed",
		"olderErr", "olderVoid", "made", "madeGiven", "madeInline", "madeBefore", "partOfKey", "calledBack", "severalLocks", "delAsked", "delSpread", "delHanded", "getDel", "getDelAsked", "getDelDropped",
		"scriptRun", "scriptEval", "scriptDeferred", "scriptHash"),
	all("forms", []schedule{late}, renewing, "scriptRenew"),

	all("lockruntime", []schedule{late}, releasing, "compact", "free", "several"),
	all("lockruntime", []schedule{late}, renewing, "extend"),

	all("decisions", []schedule{crash}, creating,
		"workBetween", "untilEnd", "ifPositive", "valReturned", "resultReturned", "valNotEqual", "deferredExpire"),
	all("decisions", []schedule{crash}, []state{freeResult, busy, down}, "expireXX"),
	all("decisions", []schedule{crash, loser}, creating, "losersToo", "errOnly", "errKept", "ignored"),
	all("decisions", []schedule{late}, releasing, "freedCmd"),
	[]form{
		{"decisions", "noEvidence", "noEvidence:job:", []schedule{crash, loser}, creating},
		{"decisions", "mutex", "mutex:lock:", []schedule{late}, releasing},
		{"decisions", "mutexTry", "mutex:lock:", []schedule{late}, releasing},
		{"decisions", "mutexExtend", "mutex:lock:", []schedule{late}, renewing},
		{"decisions", "lease", "lease:lock:", []schedule{crash, late}, releasing},
	},
)

func TestProof(t *testing.T) {
	server := redistest.Start(t)
	rdb := server.Client(t)
	b := build(t)
	complete(t, b.before)
	for _, f := range forms {
		if f.key == "" {
			f.key = f.name + ":lock:"
		}
		t.Run(f.program+"/"+f.name, func(t *testing.T) {
			t.Parallel()
			on := func(t *testing.T, dir, what string) *rig {
				id := filepath.Base(dir) + "-" + strings.ReplaceAll(what, " ", "-") + "-" + f.name
				r := &rig{T: t, form: f, server: server, rdb: rdb, dir: dir, key: f.key + id, id: id}
				t.Cleanup(r.forget)
				return r
			}
			for _, s := range f.schedules {
				t.Run(s.name, func(t *testing.T) {
					if !s.run(on(t, b.before, s.name)) {
						t.Error("the fault does not show in the program with the fault")
					}
					if s.run(on(t, b.after, s.name)) {
						t.Error("the fault shows in the fixed program")
					}
				})
			}
			for _, s := range f.states {
				t.Run(s.name, func(t *testing.T) {
					before, after := on(t, b.before, s.name), on(t, b.after, s.name)
					old := strings.ReplaceAll(s.run(before), before.id, "ID")
					now := strings.ReplaceAll(s.run(after), after.id, "ID")
					if old != now {
						t.Errorf("returned %s before the fix and %s after it", old, now)
					}
				})
			}
		})
	}
}

// complete fails if a form of the programs has no proof, or the other way round.
func complete(t *testing.T, dir string) {
	t.Helper()
	for _, p := range programs {
		out, err := exec.Command(filepath.Join(dir, p.name), "-list").Output()
		if err != nil {
			t.Fatal(err)
		}
		var proven []string
		for _, f := range forms {
			if f.program == p.name {
				proven = append(proven, f.name)
			}
		}
		slices.Sort(proven)
		if have := strings.Fields(string(out)); !slices.Equal(have, proven) {
			t.Errorf("%s has the forms\n%v\nand these are proven:\n%v", p.name, have, proven)
		}
	}
}
