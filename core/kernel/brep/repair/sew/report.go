package sew

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Warning codes.
const (
	SewnEdges      = "sewn_edges"      // pairs of edges were merged
	SplitEdges     = "split_edges"     // edges were cut at a neighbor's vertex
	DuplicateFaces = "duplicate_faces" // faces that coincide with another one were removed
	ReversedLoops  = "turned_loops"    // loops were reversed
	ReversedFaces  = "turned_faces"    // faces were flipped to agree with their neighbors
	ClosedSheet    = "closed_sheet"    // closed shells became solids
	OpenSheet      = "open_sheet"      // free edges are left
	ClosedGaps     = "closed_slits"    // edges with the same ends and a gap between them were merged
	NonOrientable  = "one_sided"       // the faces of a shell cannot agree
	CappedHole     = "capped_hole"     // plane faces were added where faces of a solid are missing
	MisplacedVoid  = "no_void"         // voids outside their solid became solids
	SheetsKept     = "sheet_beside"    // sheet bodies in a model with solids stay sheets
	OpenSolid      = "open_solid"      // solids that do not close became surfaces
)

// tally counts a kind of repair. name returns the location for the warning; the first repair of the kind sets it.
func (s *sewer) tally(count *int, code string, name func() fault.Location) {
	if *count++; *count == 1 {
		s.name(code, name())
	}
}

func (s *sewer) name(code string, e fault.Location) {
	if s.first == nil {
		s.first = map[string]fault.Location{}
	}
	s.first[code] = e
}

// warn records each kind of repair with its count.
func (s *sewer) warn() {
	r := &s.report
	warn := func(code string, count int, format string, args ...any) {
		if count > 0 {
			s.m.Warnings = append(s.m.Warnings, fault.Warnf(code, count, format, args...))
		}
	}
	of := func(code string) fault.Location { return s.first[code] }
	warn(DuplicateFaces, r.Duplicates, "%s coincides with another face and was removed", of(DuplicateFaces))
	warn(ReversedLoops, r.ReversedLoops, "A loop had the wrong direction around %s and was reversed", of(ReversedLoops))
	warn(SplitEdges, r.Split, "%s was cut at the end of a neighbor's edge", of(SplitEdges))
	warn(SewnEdges, r.Merged, "%s and others of neighboring faces, up to %.2g mm apart, were joined", of(SewnEdges),
		r.Gaps.Max)
	warn(ClosedGaps, r.Slits, "A slit at %s, at most %.2g mm wide, was closed", of(ClosedGaps), r.WidestSlit)
	warn(ReversedFaces, r.ReversedFaces, "%s was flipped to agree with its neighbors", of(ReversedFaces))
	warn(CappedHole, r.Capped, "A solid lacks a face at %s; a plane one was added, because the edges around it "+
		"lie in a plane", of(CappedHole))
	warn(MisplacedVoid, r.MisplacedVoid, "Voids of a solid in the file, %s among them, do not lie in it "+
		"and became separate solids", of(MisplacedVoid))
	warn(SheetsKept, r.Beside, "The surface body %s next to the solids stays a surface, without volume", of(SheetsKept))
	warn(OpenSolid, r.Demoted, "%s does not close (%s, %.4g mm long in all) and became a surface", of(OpenSolid),
		edgesBound(s.demoted.edges), s.demoted.length)
	if len(s.solids) == 0 {
		warn(ClosedSheet, r.Closed, "The file contains surfaces only; the closed %s became a solid", of(ClosedSheet))
	}
	warn(NonOrientable, r.NonOrientable, "The shell of %s has only one side, like a Möbius strip", of(NonOrientable))
	if r.FreeAfter > 0 {
		warn(OpenSheet, 1, "%s, %s among them, and the largest gap between them is %.3g mm", edgesBound(r.FreeAfter),
			s.m.EdgeName(s.free[0]), r.OpenGap)
	}
}

func edgesBound(n int) string {
	if n == 1 {
		return "one edge bounds only one face"
	}
	return fmt.Sprintf("%d edges bound only one face", n)
}

// openGap returns the largest distance (mm) from the middle of a free edge to the nearest other free edge. With many
// free edges it uses an evenly spread selection, so that its cost stays linear.
func (s *sewer) openGap() float64 {
	const looked = 64 // number of midpoints compared with all free edges
	worst := 0.0
	step := max(1, len(s.free)/looked)
	for i := 0; i < len(s.free); i += step {
		e := &s.m.Edges[s.free[i]]
		p := e.Curve.At(e.Range.Mid())
		best := math.Inf(1)
		for _, id := range s.free {
			if id == s.free[i] {
				continue
			}
			f := &s.m.Edges[id]
			if boxDistance(f.Curve.Bounds(f.Range), p) < best {
				_, d := curve.InvertIn(f.Curve, p, f.Range)
				best = min(best, d)
			}
		}
		if !math.IsInf(best, 1) {
			worst = max(worst, best)
		}
	}
	return worst
}

// boxDistance returns the distance (mm) of p from a box, 0 inside.
func boxDistance(b geom.Box, p geom.Vec3) float64 {
	return geom.Vec3{
		X: max(b.Min.X-p.X, 0, p.X-b.Max.X),
		Y: max(b.Min.Y-p.Y, 0, p.Y-b.Max.Y),
		Z: max(b.Min.Z-p.Z, 0, p.Z-b.Max.Z),
	}.Norm()
}
