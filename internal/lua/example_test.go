package lua_test

import (
	"fmt"

	"github.com/locklint/locklint/internal/lua"
)

func ExampleParse() {
	s, err := lua.Parse(`
if redis.call("GET", KEYS[1]) == ARGV[1] then
	redis.call("DEL", KEYS[1])
end
redis.call("EXPIRE", KEYS[2], ARGV[2])`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range s.Effects {
		fmt.Println(e.Pos, e.Command, e.Kind, e.Key, "checked:", e.Checked, e.Against, "bare:", e.Bare())
	}
	// Output:
	// 2 GET read KEYS[1] checked: false ? bare: true
	// 3 DEL free KEYS[1] checked: true ARGV[1] bare: false
	// 5 EXPIRE expire KEYS[2] checked: false ? bare: true
}
