package cad

import (
	"context"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
)

func readText(t *testing.T, text string) *brep.Model {
	t.Helper()
	m, _, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), "a.step")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func warning(m *brep.Model, code string) *fault.Warning {
	for i := range m.Warnings {
		if m.Warnings[i].Code == code {
			return &m.Warnings[i]
		}
	}
	return nil
}

func TestClosedSheetsBecomeSolids(t *testing.T) {
	for _, inward := range []bool{false, true} {
		w := &steptest.Text{}
		closed := w.BoxShell("OPEN_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}, inward)
		w.Part(w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", closed))
		m := readText(t, w.File())
		if len(m.Solids) != 1 || m.IsSheet(0) || warning(m, sew.ClosedSheet) == nil {
			t.Errorf("inward %v: %d solids, warnings %v", inward, len(m.Solids), m.Warnings)
		}
		if p, err := mass.Compute(context.Background(), m); err != nil || math.Abs(p.Volume-1) > 1e-9 {
			t.Errorf("inward %v: %v, volume %+v", inward, err, p)
		}
		gap := w.File()
		at := strings.Index(gap, "OPEN_SHELL('',(")
		end := at + strings.Index(gap[at:], ",#")
		comma := end + 1 + strings.Index(gap[end+1:], ",")
		m = readText(t, gap[:end]+gap[comma:]) // without the second face
		if len(m.Solids) != 0 || len(m.Faces) != 5 || !m.IsSheet(0) {
			t.Errorf("open shell: %d solids, %d faces", len(m.Solids), len(m.Faces))
		}
		if open := warning(m, sew.OpenSheet); open == nil || !strings.Contains(open.Message, "4 edges") {
			t.Errorf("open shell: warnings %v", m.Warnings)
		}
	}
}

// TestSheetsBesideSolidsStay reads a part with a solid and surfaces that would close when sewn.
func TestSheetsBesideSolidsStay(t *testing.T) {
	w := &steptest.Text{}
	sheet := w.BoxShell("OPEN_SHELL", geom.Vec3{X: 5}, geom.Vec3{X: 1, Y: 1, Z: 1}, false)
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", sheet))
	if m := readText(t, w.File()); len(m.Solids) != 1 || !m.IsSheet(6) || warning(m, sew.SheetsKept) == nil {
		t.Errorf("%d solids, warnings %v", len(m.Solids), m.Warnings)
	}
}

// TestFacesAgainstTheirNeighbors reads a box that the file calls a solid. One of its faces is reversed, with its normal
// into the box.
func TestFacesAgainstTheirNeighbors(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}))
	text := w.File()
	at := strings.Index(text, "ADVANCED_FACE(")
	end := at + strings.Index(text[at:], ";")
	turned := strings.NewReplacer(",.T.)", ",.F.)", ",.F.)", ",.T.)").Replace(text[at:end])
	m := readText(t, text[:at]+turned+text[end:])
	if len(m.Solids) != 1 || m.IsSheet(0) || len(m.Warnings) == 0 {
		t.Errorf("%d solids, warnings %v", len(m.Solids), m.Warnings)
	}
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	if p, err := mass.Compute(context.Background(), m); err != nil || math.Abs(p.Volume-1) > 1e-9 {
		t.Errorf("%v, volume %+v", err, p)
	}
}

// TestSolidsThatDoNotClose reads a sound solid and a box that the file calls a solid, but that lacks faces. The sound
// one is the part, and a warning names the other one.
func TestSolidsThatDoNotClose(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), w.Box(geom.Vec3{X: 5}, geom.Vec3{X: 1, Y: 1, Z: 1}))
	text := w.File()
	at := strings.LastIndex(text, "CLOSED_SHELL('',(")
	end := at + strings.Index(text[at:], ")")
	faces := strings.Split(text[at:end], ",")
	m := readText(t, text[:at]+strings.Join(faces[:3], ",")+text[end:]) // two of its faces
	if len(m.Solids) != 1 || m.IsSheet(0) || !m.IsSheet(6) {
		t.Fatalf("%d solids, %d faces, warnings %v", len(m.Solids), len(m.Faces), m.Warnings)
	}
	w1 := warning(m, sew.OpenSolid)
	if w1 == nil || !strings.Contains(w1.Message, "Solid ") || !strings.Contains(w1.Message, "edges bound only one") {
		t.Errorf("warnings %v", m.Warnings)
	}
}
