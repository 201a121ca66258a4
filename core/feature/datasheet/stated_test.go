package datasheet_test

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright/bench/corpus"
	"millwright/core/brep"
	"millwright/core/feature"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// The parts of the NIST test cases state their holes as dimensions that the file ties to faces. Every
// diameter and every angle that is stated on the faces of a hole must be one that was measured on that
// hole. The table of the holes is logged (go test -v), as what a drawing would say.
func TestHolesAreAsStated(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all parts with stated dimensions")
	}
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "step/nist_ap242/*.stp"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	checked := 0
	for _, path := range files {
		name := filepath.Base(path)
		s := read(t, path)
		t.Logf("%s\n%s", name, s.holeTable())
		for i := range s.model.PMI.Dimensions {
			d := &s.model.PMI.Dimensions[i]
			if !d.HasNominal || d.Nominal == 0 || len(d.To) > 0 {
				continue
			}
			for _, f := range d.Faces {
				h := s.holeOf(f)
				if h == nil || !s.isBore(f) {
					continue
				}
				if got, isOne := nearestStated(h, d); isOne {
					checked++
					if math.Abs(got-d.Nominal) > 1e-3 {
						t.Errorf("%s: %s %v is stated on face %d, the hole there has %v: %s", name, d.Kind, d.Nominal, f,
							got, holeText(h))
					}
				}
			}
		}
	}
	t.Logf("%d stated sizes of faces of holes agree", checked)
	if checked < 500 {
		t.Errorf("only %d stated sizes were found on holes", checked)
	}
}

// holeOf returns the facts of the hole that a face belongs to.
func (s sheets) holeOf(f brep.FaceID) *feature.HoleFacts {
	for i := range s.all {
		if h, ok := s.all[i].Facts.(*feature.HoleFacts); ok && slices.Contains(s.run.Features[i].Regions, int(f)) {
			return h
		}
	}
	return nil
}

// isBore reports whether a face is a cylinder or a cone, not a blend in a hole.
func (s sheets) isBore(f brep.FaceID) bool {
	k := s.run.Graph.Patches[s.run.Graph.PatchOf[f]].Kind
	return k == surface.KindCylinder || k == surface.KindCone
}

// nearestStated returns the size of a hole next to what a dimension states, in its unit (mm, rad), and
// false for a dimension of another sort.
func nearestStated(h *feature.HoleFacts, d *brep.Dimension) (float64, bool) {
	var sizes []float64
	switch {
	case d.Kind == "diameter":
		for _, g := range h.Segments {
			sizes = append(sizes, g.DiameterTop, g.DiameterBottom)
		}
	case d.Kind == "radius":
		for _, g := range h.Segments {
			sizes = append(sizes, g.DiameterTop/2, g.DiameterBottom/2)
		}
	case d.Angle:
		if h.Countersink != nil {
			sizes = append(sizes, geom.Radians(h.Countersink.AngleDeg))
		}
		if h.TipAngleDeg != nil {
			sizes = append(sizes, geom.Radians(*h.TipAngleDeg))
		}
	}
	if len(sizes) == 0 {
		return 0, false
	}
	return slices.MinFunc(sizes, func(a, b float64) int {
		return cmp.Compare(math.Abs(a-d.Nominal), math.Abs(b-d.Nominal))
	}), true
}

// holeTable lists the holes of a part as a drawing would: how many of which.
func (s sheets) holeTable() string {
	count := make(map[string]int)
	for i := range s.all {
		if h, ok := s.all[i].Facts.(*feature.HoleFacts); ok {
			count[holeText(h)]++
		}
	}
	var out []string
	for text, n := range count {
		out = append(out, fmt.Sprintf("  %2d x %s", n, text))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func holeText(h *feature.HoleFacts) string {
	text := fmt.Sprintf("Ø%.3f depth %.3f %s", h.Diameter, h.Depth, h.Bottom)
	if c := h.Counterbore; c != nil {
		text += fmt.Sprintf(", counterbore Ø%.3f depth %.3f", c.Diameter, c.Depth)
	}
	if c := h.Countersink; c != nil {
		text += fmt.Sprintf(", countersink Ø%.3f %.2f°", c.Diameter, c.AngleDeg)
	}
	if h.TipAngleDeg != nil {
		text += fmt.Sprintf(", tip %.1f°", *h.TipAngleDeg)
	}
	if th := h.Thread; th != nil {
		text += fmt.Sprintf(", %s (%s)", th.Designation, th.Source)
	}
	return text
}
