package lua

import (
	"fmt"
	"regexp"
	"strings"
)

// describe writes a script's effects one a line, reads left out:
//
//	free KEYS[1] checked ARGV[1]
//	create KEYS[1] value=ARGV[1] ttl=ARGV[2]ms
//
// and "incomplete" last where the script is not complete.
func describe(s *Script) string {
	var b strings.Builder
	for _, e := range s.Effects {
		if e.Kind == Read {
			continue
		}
		fmt.Fprintf(&b, "%s %s", e.Kind, e.Key)
		switch {
		case e.Checked:
			fmt.Fprintf(&b, " checked %s", e.Against)
			if e.NeverEqual {
				b.WriteString(" never")
			}
		case e.IfCreated:
			b.WriteString(" created")
		case e.Unclear:
			b.WriteString(" unclear")
		default:
			b.WriteString(" bare")
		}
		switch e.Kind {
		case Create:
			c := e.Created
			fmt.Fprintf(&b, " value=%s ttl=%s", c.Value, ttlText(c.TTL))
			if c.ByCheck {
				b.WriteString(" bycheck")
			}
			if c.Hash {
				b.WriteString(" hash")
			}
			if c.Guarded {
				b.WriteString(" guarded")
			}
		case Expire, Set:
			fmt.Fprintf(&b, " ttl=%s", ttlText(e.TTL))
		}
		b.WriteByte('\n')
	}
	if !s.Complete {
		b.WriteString("incomplete\n")
	}
	return turn.ReplaceAllString(strings.TrimSuffix(b.String(), "\n"), "")
}

// turn is the mark that tells the variables of two loops apart.
var turn = regexp.MustCompile(`'[0-9/]+`)

func ttlText(t TTL) string {
	switch t.Kind {
	case TTLNone:
		return "none"
	case TTLUnknown:
		return "?"
	}
	return t.Value.String() + [...]string{"s", "ms", "@s", "@ms"}[t.Unit]
}
