package dexel

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSpansOfRays(t *testing.T) {
	list := rapid.Custom(func(t *rapid.T) (out []Span) {
		at := 0
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			lo := at + rapid.IntRange(1, 4).Draw(t, "gap")
			at = lo + rapid.IntRange(1, 4).Draw(t, "length")
			out = append(out, Span{Lo: float32(lo), Hi: float32(at)})
		}
		return out
	})
	holds := func(s []Span, x float32) bool {
		for _, k := range s {
			if x > k.Lo && x < k.Hi {
				return true
			}
		}
		return false
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := list.Draw(t, "a"), list.Draw(t, "b")
		m, w := AppendMinus(nil, a, b), AppendBoth(nil, a, b)
		for x := float32(0.5); x < 45; x++ {
			if got, want := holds(m, x), holds(a, x) && !holds(b, x); got != want {
				t.Fatalf("%v minus %v is %v", a, b, m)
			}
			if got, want := holds(w, x), holds(a, x) && holds(b, x); got != want {
				t.Fatalf("both of %v and %v are %v", a, b, w)
			}
		}
	})
}
