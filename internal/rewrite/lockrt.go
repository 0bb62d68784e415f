package rewrite

import (
	"github.com/locklint/locklint/internal/locks"
	"github.com/locklint/locklint/internal/rediscmd"
)

// runtime returns the function of this module's runtime that does what a script
// does, where the package uses the runtime already.
func (d *draft) runtime(m *locks.Member, script string) (string, bool) {
	name := map[string]string{deleteScript: "CompareAndDelete", expireScript: "CompareAndExpire"}[script]
	if name == "" || m.Cmd.Lib.Path != "github.com/redis/go-redis/v9" || m.Cmd.Verb == rediscmd.Expire && m.Kind == locks.Free || !d.imported(runtimePath) || d.pass.Pkg.Path() == runtimePath {
		return "", false
	}
	return name, true
}

func (d *draft) byRuntime(m *locks.Member, name, tok string) string {
	cmd := m.Cmd
	s := d.sourceAt(m.Pos())
	q, ok := d.qualifier(runtimePath, name, m.Pos())
	if s == nil || !ok {
		return severalFiles
	}
	client := s.text(cmd.Client)
	ok = d.replace(m.Call.Pos(), m.Call.Lparen, q+name) && d.insert(cmd.Keys[0].Pos(), client+", ") && d.insert(cmd.Keys[0].End(), ", "+tok)
	if !ok {
		return severalFiles
	}
	return ""
}
