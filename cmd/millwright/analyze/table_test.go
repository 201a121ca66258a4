package analyze

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/pipeline"
)

func TestTableTellsOfAShapeThatIsNotExact(t *testing.T) {
	for _, c := range []struct {
		shape pipeline.Shape
		want  string
	}{
		{pipeline.Shape{Exact: new(true)}, ""},
		{pipeline.Shape{Exact: new(false), Sag: new(0.05)}, "  shape: within 0.05 mm, not exact\n"},
		{pipeline.Shape{Exact: new(false)}, "  shape: not exact\n"},
	} {
		var b strings.Builder
		if err := newTable(&b, false)(analyzed{Result: &Result{Analysis: pipeline.Analysis{Shape: c.shape}}}); err != nil {
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
