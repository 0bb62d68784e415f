package lua

import "testing"

// A checked SET of the value it compared with renews a lock; of another value it
// swaps data.
func TestSetValue(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, text string
		want       Ref
	}{
		{"renewal", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2]) end`, Ref{Kind: Argv, Index: 1, Text: "ARGV[1]"}},
		{"swap", `if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[2]) end`, Ref{Kind: Argv, Index: 2, Text: "ARGV[2]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range s.Effects {
				if e.Kind == Set {
					if !e.Checked || e.Value != tt.want {
						t.Errorf("checked %v, value %v, want %v", e.Checked, e.Value, tt.want)
					}
					return
				}
			}
			t.Error("no Set found")
		})
	}
}
