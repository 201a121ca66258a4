package step

import (
	"context"
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

var unitX, unitY, unitZ = steptest.UnitX, steptest.UnitY, steptest.UnitZ

func readText(text string) (*brep.Model, error) {
	return Read(context.Background(), strings.NewReader(text), int64(len(text)), Options{})
}

func mustRead(t testing.TB, text string) *brep.Model {
	t.Helper()
	m, err := readText(text)
	if err != nil {
		t.Fatalf("Read: %v\n%s", err, text)
	}
	return m
}

// failure returns the code and reason of a failed read.
func failure(t testing.TB, text string) fault.Error {
	t.Helper()
	m, err := readText(text)
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("Read gave %v, %v; want a failure\n%s", m, err, text)
	}
	return *f
}

// hasWarning returns the warning with a code.
func hasWarning(m *brep.Model, code string) *fault.Warning {
	for i := range m.Warnings {
		if m.Warnings[i].Code == code {
			return &m.Warnings[i]
		}
	}
	return nil
}

// polyhedron returns the volume (mm³) and centroid of the given faces, all plane with straight edges. It reports each
// contradiction between faces and loops.
func polyhedron(t testing.TB, m *brep.Model, faces []brep.FaceID) (volume float64, centroid geom.Vec3) {
	t.Helper()
	for _, id := range faces {
		f := &m.Faces[id]
		var area geom.Vec3
		for _, l := range f.Loops {
			coedges := m.Loops[l].Coedges
			p0 := m.Vertices[m.CoedgeStart(coedges[0])].Point
			for i, c := range coedges {
				if m.CoedgeEnd(c) != m.CoedgeStart(coedges[(i+1)%len(coedges)]) {
					t.Errorf("loop of face %d breaks between coedges %d and %d", id, i, i+1)
				}
				p1 := m.Vertices[m.CoedgeStart(c)].Point
				p2 := m.Vertices[m.CoedgeEnd(c)].Point
				v := p0.Dot(p1.Cross(p2)) / 6
				volume += v
				centroid = centroid.AddScaled(v/4, p0.Add(p1).Add(p2))
				area = area.Add(p1.Sub(p0).Cross(p2.Sub(p0)))
			}
		}
		normal := f.Surface.Normal(0, 0)
		if f.Reversed {
			normal = normal.Neg()
		}
		if normal.Dot(area.Unit()) < 0.999 {
			t.Errorf("face %d: normal %v, but its loops turn around %v", id, normal, area.Unit())
		}
	}
	return volume, centroid.Scale(1 / volume)
}

// allFaces lists the faces of a shell.
func allFaces(m *brep.Model) []brep.FaceID {
	ids := make([]brep.FaceID, len(m.Faces))
	for i := range ids {
		ids[i] = brep.FaceID(i)
	}
	return ids
}

// checkEdges reports edges whose curve misses their vertices, and edges of solids not used once in each sense.
func checkEdges(t testing.TB, m *brep.Model) {
	t.Helper()
	for i, e := range m.Edges {
		if e.Curve != nil {
			tol := max(e.Tolerance, m.Tolerance.Length)
			a, b := e.Curve.At(e.Range.Lo), e.Curve.At(e.Range.Hi)
			if d := a.Dist(m.Vertices[e.Start].Point); d > tol*1.0001+1e-9 {
				t.Errorf("edge %d starts %g mm from its vertex (tolerance %g)", i, d, tol)
			}
			if d := b.Dist(m.Vertices[e.End].Point); d > tol*1.0001+1e-9 {
				t.Errorf("edge %d ends %g mm from its vertex (tolerance %g)", i, d, tol)
			}
			if !(e.Range.Hi > e.Range.Lo) {
				t.Errorf("edge %d has the range %v", i, e.Range)
			}
		}
		if len(e.Coedges) == 0 || m.IsSheet(m.FaceOf(e.Coedges[0])) {
			continue
		}
		if len(e.Coedges) != 2 || m.Coedges[e.Coedges[0]].Reversed == m.Coedges[e.Coedges[1]].Reversed {
			t.Errorf("edge %d of a solid is used by %v", i, e.Coedges)
		}
	}
}
