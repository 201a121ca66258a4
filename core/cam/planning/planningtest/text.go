// Package planningtest shows plans as text, and checks of any plan what holds of all.
package planningtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
)

// mostJaws are as many boxes as Text shows one by one.
const mostJaws = 4

// Text returns a plan in a few readable lines, lengths to a hundredth.
func Text(p *planning.Plan, run *recognize.Recognition) string {
	var b strings.Builder
	fmt.Fprintf(&b, "stock %s\n", box(p.Stock))
	for i := range p.Setups {
		s := &p.Setups[i]
		fmt.Fprintf(&b, "setup %d, up %s, x %s, before %s, safe %.2f\n", i+1, vec(s.Frame.Z), vec(s.Frame.X),
			box(s.Before), s.Safe)
		fmt.Fprintf(&b, "  %s: %s\n", s.Clamping.Kind, s.Clamping.Text)
		if n := len(s.Clamping.Solid); n > mostJaws {
			hull := geom.EmptyBox()
			for _, j := range s.Clamping.Solid {
				hull = hull.Union(j)
			}
			fmt.Fprintf(&b, "  %d jaws within %s\n", n, box(hull))
		} else {
			for _, j := range s.Clamping.Solid {
				fmt.Fprintf(&b, "  jaw %s\n", box(j))
			}
		}
		for _, piece := range s.Clamping.Pieces {
			fmt.Fprintf(&b, "  %s %.2f × %.2f × %.2f at %s, %.1f cm³\n", piece.Name, piece.Size.X, piece.Size.Y, piece.Size.Z,
				vec(piece.Frame.Origin), piece.Volume()/1e3)
		}
		for k := range s.Operations {
			b.WriteString("  " + operation(&s.Operations[k], p, run) + "\n")
		}
	}
	for _, u := range p.Unmachinable {
		what := "no feature"
		if u.Feature >= 0 {
			what = fmt.Sprintf("%s %d", run.Features[u.Feature].Type, u.Feature)
		}
		fmt.Fprintf(&b, "not made: %s, faces %v, %s: %s\n", what, u.Regions, u.Reason, u.Detail)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "warning %s: %s\n", w.Code, w.Message)
	}
	return b.String()
}

func operation(o *planning.Operation, p *planning.Plan, run *recognize.Recognition) string {
	t := p.Tools[o.Tool]
	name := string(o.Strategy)
	if o.Floor {
		name += " floor"
	}
	text := fmt.Sprintf("%s %s, T%d %s, z %.2f to %.2f", o.ID, name, t.Number, t.Tool.Name, o.Top, o.Bottom)
	if len(o.Holes) > 0 {
		text += fmt.Sprintf(", %d × ⌀%.2f", len(o.Holes), o.Holes[0].Diameter)
	}
	if o.LeaveRadial > 0 {
		text += fmt.Sprintf(", leaves %.2f and %.2f", o.LeaveRadial, o.LeaveAxial)
	}
	var what []string
	for _, f := range o.Features {
		what = append(what, fmt.Sprintf("%s %d", run.Features[f].Type, f))
	}
	text += ": " + strings.Join(what, ", ")
	if len(o.Regions) > 0 {
		text += fmt.Sprintf("; faces %v", o.Regions)
	}
	for _, n := range o.Notes {
		text += "; " + n
	}
	return text
}

func vec(v geom.Vec3) string { return fmt.Sprintf("(%.3g, %.3g, %.3g)", v.X+0, v.Y+0, v.Z+0) }

func box(b geom.Box) string {
	return fmt.Sprintf("[%.2f, %.2f, %.2f] to [%.2f, %.2f, %.2f]", b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}

// Check checks the invariants of plans: all work is planned or named, each value is valid, jaws are beside the part.
func Check(t testing.TB, p *planning.Plan, run *recognize.Recognition) {
	t.Helper()
	made, named := map[int]bool{}, map[int]bool{}
	faces := map[int]bool{}
	for i := range p.Setups {
		s := &p.Setups[i]
		if !s.Frame.IsRightHanded() || len(s.Operations) == 0 {
			t.Errorf("setup %d: frame %+v, %d operations", i+1, s.Frame, len(s.Operations))
		}
		checkJaws(t, i+1, s, run)
		for k := range s.Operations {
			o := &s.Operations[k]
			checkOperation(t, p, s, o)
			if want := fmt.Sprintf("%d.%d", i+1, k+1); o.ID != want {
				t.Errorf("operation %s, want id %s", o.ID, want)
			}
			for _, f := range o.Features {
				made[f] = true
			}
			for _, r := range o.Regions {
				faces[r] = true
			}
		}
	}
	for _, u := range p.Unmachinable {
		if u.Detail == "" || !strings.HasSuffix(u.Detail, ".") || u.Reason == "" {
			t.Errorf("%+v: no sentence or no reason", u)
		}
		if u.Feature >= 0 {
			named[u.Feature] = true
		}
		for _, r := range u.Regions {
			faces[r] = true
		}
	}
	for f := range run.Features {
		if !made[f] && !named[f] {
			t.Errorf("%s %d is neither made nor named", run.Features[f].Type, f)
		}
		for _, r := range run.Features[f].Regions {
			if !faces[r] {
				t.Errorf("face %d of %s %d is neither made nor named", r, run.Features[f].Type, f)
			}
		}
	}
	for _, u := range run.Unmachined {
		if !faces[u.Region] {
			t.Errorf("face %d of no feature is neither made nor named", u.Region)
		}
	}
}

// checkJaws checks that the jaws stand outside of the part and below what is faced.
func checkJaws(t testing.TB, setup int, s *planning.Setup, run *recognize.Recognition) {
	t.Helper()
	for _, jaw := range s.Clamping.Solid {
		inner := jaw.Grow(-0.01)
		for _, pt := range run.Graph.Mesh.Points {
			if inner.Contains(s.Frame.Local(pt), 0) {
				t.Errorf("setup %d: %v of the part is in the jaw %+v", setup, pt, jaw)
				break
			}
		}
		for _, o := range s.Operations {
			if o.Strategy == planning.Face && o.Bottom < jaw.Max.Z {
				t.Errorf("setup %d: %s faces down to %g, the jaw is as high as %g", setup, o.ID, o.Bottom, jaw.Max.Z)
			}
		}
	}
}

func checkOperation(t testing.TB, p *planning.Plan, s *planning.Setup, o *planning.Operation) {
	t.Helper()
	if o.Tool < 0 || o.Tool >= len(p.Tools) {
		t.Errorf("%s: tool %d of %d", o.ID, o.Tool, len(p.Tools))
		return
	}
	if o.Top < o.Bottom || o.Top > s.Safe || o.Cutting.SpindleRPM.Value <= 0 || o.Cutting.Feed.Value <= 0 {
		t.Errorf("%s: from %g to %g, safe %g, %g 1/min, %g mm/min", o.ID, o.Top, o.Bottom, s.Safe,
			o.Cutting.SpindleRPM.Value, o.Cutting.Feed.Value)
	}
	if !slices.IsSorted(o.Features) || !slices.IsSorted(o.Regions) || len(o.Features) == 0 {
		t.Errorf("%s: features %v, regions %v", o.ID, o.Features, o.Regions)
	}
	for _, h := range o.Holes {
		if h.Top <= h.Bottom || h.Diameter <= 0 || !slices.Contains(o.Features, h.Feature) {
			t.Errorf("%s: hole %+v", o.ID, h)
		}
		if in := s.Before.Grow(1); h.At.X < in.Min.X || h.At.X > in.Max.X || h.At.Y < in.Min.Y || h.At.Y > in.Max.Y {
			t.Errorf("%s: hole %+v is outside of %+v", o.ID, h, s.Before)
		}
	}
}
