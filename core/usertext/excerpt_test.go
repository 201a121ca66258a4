package usertext_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/usertext"
)

const (
	aKey       = "mw_live_00000000000000000000000000000000000000000003y3lvC"
	anotherKey = "mw_live_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp126oueE"
)

func TestExcerpt(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"short", "part.step", "part.step"},
		{"empty", "", ""},
		{"as long as may be", strings.Repeat("x", 80), strings.Repeat("x", 80)},
		{"longer", strings.Repeat("x", 81), strings.Repeat("x", 80) + "…"},
		{"cut in a character", strings.Repeat("x", 79) + "é", strings.Repeat("x", 79) + "…"},
		{"not text at all", strings.Repeat("\xff", 90), strings.Repeat("\xff", 76) + "…"},
		{"a key", anotherKey, "mw_live_…"},
		{"a key among others", "?a=" + aKey + "&b=" + anotherKey + "/", "?a=mw_live_…&b=mw_live_…/"},
		{"a key twice", anotherKey + anotherKey, "mw_live_…mw_live_…"},
		{"half a key", anotherKey[:20], "mw_live_…"},
		{"a key at the cut", strings.Repeat("x", 70) + anotherKey, strings.Repeat("x", 70) + "mw_live_…"},
	} {
		if got := usertext.Excerpt(c.text); got != c.want {
			t.Errorf("%s: Excerpt = %q, want %q", c.name, got, c.want)
		}
	}
}
