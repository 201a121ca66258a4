package childproc

import (
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	for _, c := range []struct {
		name   string
		writes []string
		want   string
	}{
		{"nothing", nil, "(nothing on its standard error)"},
		{"short", []string{"a", "b\n"}, "ab"},
		{"both ends", []string{"first ", strings.Repeat("x", 5*keptEnd), " last"}, ""},
	} {
		e := &excerpt{}
		for _, w := range c.writes {
			if n, err := e.Write([]byte(w)); n != len(w) || err != nil {
				t.Errorf("%s: Write = %d, %v", c.name, n, err)
			}
		}
		got := e.String()
		if c.want != "" && got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		whole := strings.HasPrefix(got, "first ") && strings.HasSuffix(got, " last")
		if c.want == "" && (!whole || len(got) > 2*keptEnd+20) {
			t.Errorf("%s: %d bytes %.20q … %.20q", c.name, len(got), got, got[len(got)-10:])
		}
	}
}
