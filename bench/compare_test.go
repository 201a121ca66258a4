package main

import (
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
)

var unit = corpus.Truth{File: "a.step", Solids: 1, Faces: 6, Volume: 1000, Area: 600, Chord: 0.1,
	MeshBox: [6]float64{0, 0, 0, 10, 10, 10}}

func found(change func(*row)) row {
	t := unit
	r := row{File: "a.step", Truth: &t, measured: measured{Solids: 1, Faces: 6, Volume: 1000, Area: 600,
		Bounds: t.MeshBox, Watertight: true, MeshVolume: 1000, ReadMs: 1, MeshMs: 1, PeakBytes: 1 << 20}}
	change(&r)
	r.compare()
	return r
}

func TestCompare(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*row)
		agrees bool
	}{
		{"equal", func(*row) {}, true},
		{"a face more", func(r *row) { r.Faces++ }, false},
		{"a solid less", func(r *row) { r.Solids-- }, false},
		{"volume at the limit", func(r *row) { r.Volume *= 1 - 0.9*sameShare }, true},
		{"volume beyond", func(r *row) { r.Volume *= 1 + 2*sameShare }, false},
		{"volume of the other sign", func(r *row) { r.Volume = -r.Volume }, false},
		{"area beyond", func(r *row) { r.Area *= 1 - 2*sameShare }, false},
		{"wider than a mesh inside of the shape", func(r *row) { r.Bounds[3] = 10.09 }, true},
		{"wider than the chord tolerance explains", func(r *row) { r.Bounds[3] = 10.2 }, false},
		{"narrower than the mesh", func(r *row) { r.Bounds[0] = 0.05 }, false},
		{"off an exact box", func(r *row) {
			r.Bounds[3], r.Truth.Box = 10.09, r.Truth.MeshBox
		}, false},
		{"on an exact box", func(r *row) {
			r.Bounds[3], r.Truth.Box = 10.09, [6]float64{0, 0, 0, 10.09, 10, 10}
		}, true},
		{"inside an exact box that loose curves widen", func(r *row) {
			r.Truth.Box = [6]float64{-50, 0, 0, 10, 10, 10}
		}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if r := found(tc.change); r.Same == nil || r.Same.all() != tc.agrees {
				t.Errorf("compared as %+v, want agreement %v", r.Same, tc.agrees)
			}
		})
	}
}

func TestSummaryCountsOnlyWhatTheReferenceFound(t *testing.T) {
	rows := []row{
		found(func(*row) {}),
		found(func(r *row) { r.Faces = 7 }),
		found(func(r *row) { r.Code, r.Reason = "no_solid", "Nothing in it." }),
		found(func(r *row) { r.Truth.Solids = 0; r.Solids, r.Volume = 0, 0 }),
		found(func(r *row) { r.Watertight = false }),
		found(func(r *row) { r.MeshVolume = 990 }),
	}
	rows[0].OCCTMs, rows[0].OCCTBytes = 20, 4<<20
	rows[1].OCCTMs, rows[1].OCCTBytes = 80, 1<<20
	s := summarize(rows)
	if s.Files != 6 || s.Read != 5 || s.Reference != 5 || s.All != 3 || s.Counts != 3 || s.Volume != 4 {
		t.Errorf("counted %+v", s)
	}
	if s.Meshes != 4 || s.Watertight != 3 || s.MeshVolume != 3 {
		t.Errorf("meshes counted as %+v", s)
	}
	if s.Ratios != 2 || !near(s.Speed, 20) || !near(s.SlowestRatio, 10) || !near(s.Memory, 2) {
		t.Errorf("ratios %+v, want geometric means 20 and 2 and the lowest 10", s)
	}
	if len(s.Exceptions) != 4 {
		t.Errorf("exceptions %q, want four", s.Exceptions)
	}
	var text strings.Builder
	s.print(&text)
	if !strings.Contains(text.String(), "all 3 of 5 (60.00 %)") {
		t.Errorf("summary says\n%s", text.String())
	}
}

func near(got, want float64) bool { return relative(got, want) < 1e-12 }

// TestSummaryNamesLargeMeshes: three times the triangles of the reference, and memory without triangles for it.
func TestSummaryNamesLargeMeshes(t *testing.T) {
	rows := []row{
		{File: "fine", measured: measured{Triangles: 300, PeakBytes: 1 << 20}, OCCTTriangles: 100},
		{File: "dense", measured: measured{Triangles: 301}, OCCTTriangles: 100},
		{File: "large", measured: measured{Triangles: 2_000_000, PeakBytes: 400 << 20}},
		{File: "fat", measured: measured{Triangles: 10, PeakBytes: 400 << 20}},
	}
	s := summarize(rows)
	if len(s.Exceptions) != 2 || s.Meshed != 2 {
		t.Errorf("%d meshes beside the reference, exceptions %q; want 2, and of dense and fat", s.Meshed, s.Exceptions)
	}
}
