package verify

import (
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
)

// TestThinnedBodyKeepsClearOfFilm checks that a body as wide as the flutes is thinned for the sweep, so that it does
// not touch the film between two rounded paths of the flutes. Other widths, and the flutes, stay unchanged.
func TestThinnedBodyKeepsClearOfFilm(t *testing.T) {
	asWide := 0
	for _, tool := range machining.BuiltInTools() {
		a := tool.Assembly()
		var flutes float64
		for i, k := range a.Outline {
			if a.Zones[i] == toolprofile.Cutting {
				flutes = max(flutes, k.From.X, k.To.X)
			}
		}
		got := thinned(&a, flutes)
		if err := got.Outline.Check(); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
		if got.Total() != a.Total() || got.Stickout != a.Stickout {
			t.Errorf("%s: %g mm high, stickout %g, want %g and %g", tool.Name, got.Total(), got.Stickout,
				a.Total(), a.Stickout)
		}
		swept := outlined(&got)
		for _, z := range []float64{0.1, 0.3, 0.5, 0.7, 0.9} {
			at := z * a.Total()
			before, now := outlined(&a).widest(at, at), swept.widest(at, at)
			zone := toolprofile.Cutting
			for i, k := range a.Outline {
				if k.From.Y <= at && at <= k.To.Y {
					zone = a.Zones[i]
				}
			}
			want := before
			if zone != toolprofile.Cutting && before > flutes-graze && before < flutes+graze {
				want, asWide = flutes-graze, asWide+1
			}
			if d := now - want; d < -1e-9 || d > 1e-9 {
				t.Errorf("%s: %g mm wide at %g mm, want %g", tool.Name, now, at, want)
			}
		}
	}
	if asWide == 0 {
		t.Error("no body is as wide as its flutes")
	}
}

func outlined(a *toolprofile.Assembly) *tool { return &tool{assembly: *a} }
