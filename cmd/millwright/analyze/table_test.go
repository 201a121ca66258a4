package analyze

import (
	"strings"
	"testing"

	"millwright/core/stage"
)

func TestTableTellsOfAShapeThatIsNotExact(t *testing.T) {
	for _, c := range []struct {
		shape stage.Shape
		want  string
	}{
		{stage.Shape{Exact: new(true)}, ""},
		{stage.Shape{Exact: new(false), Sag: new(0.05)}, "  shape: within 0.05 mm, not exact\n"},
		{stage.Shape{Exact: new(false)}, "  shape: not exact\n"},
	} {
		var b strings.Builder
		if err := newTable(&b, false)(analyzed{Found: &Found{Analysis: stage.Analysis{Shape: c.shape}}}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for line := range strings.Lines(b.String()) {
			if strings.Contains(line, "shape:") {
				got += line
			}
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
