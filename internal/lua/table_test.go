package lua

import (
	"strings"
	"testing"
)

// A scriptCase is a script and its effects as describe writes them; its near
// miss stands beside it in the same table.
type scriptCase struct {
	name, script, want string
}

func runCases(t *testing.T, cases []scriptCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := Parse(c.script)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Join(strings.Fields(strings.ReplaceAll(strings.TrimSpace(c.want), "\n", " | ")), " ")
			got := strings.Join(strings.Fields(strings.ReplaceAll(describe(s), "\n", " | ")), " ")
			if got != want {
				t.Errorf("script:\n%s\ngot:  %s\nwant: %s", c.script, got, want)
			}
		})
	}
}
