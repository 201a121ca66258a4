package heal

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// drilled is a plate with holes and rounded corners, whose circles are whole or in halves by the style.
func drilled(style build.Style) *brep.Model {
	return build.Prism("drilled", build.Rounded(30, 20, 4), 5, style,
		build.Hole{Center: geom.Vec2{X: 9, Y: 10}, Profile: build.Through(6, 5)},
		build.Hole{Center: geom.Vec2{X: 20, Y: 10}, Profile: build.Blind(5, 3, 2)})
}

// TestComplementaryArcsAreRestored complements one arc or circle at a time: it is restored, and nothing else changes.
// On spheres and similar surfaces either arc may be right. It is restored if the file marks it as the odd one of
// many, and named if of few.
func TestComplementaryArcsAreRestored(t *testing.T) {
	models := map[string]*brep.Model{}
	for name, m := range soundModels(t) {
		models[name] = m
	}
	for i, style := range build.Styles() {
		models["drilled "+string(rune('0'+i))] = drilled(style)
	}
	tried := 0
	for name, sound := range models {
		for i := range sound.Edges {
			m := clone(sound)
			e := &m.Edges[i]
			w := ways{m: m}
			isPart := e.Curve != nil && e.Curve.Period() > 0
			if !isPart || len(w.facesAt(brep.EdgeID(i))) < 2 {
				continue
			}
			e.IsOdd = hasPoles(m, w.facesAt(brep.EdgeID(i)))
			w.take(edgeArc{brep.EdgeID(i), brep.None})
			if err := Model(context.Background(), m); err != nil {
				t.Fatal(err)
			}
			tried++
			isFew := hasPoles(m, w.facesAt(brep.EdgeID(i))) && len(m.Edges) < enoughEdges
			if isFew && len(m.Warnings) == 1 && m.Warnings[0].Code == AmbiguousSide {
				continue
			}
			for k := range m.Coedges {
				c := brep.CoedgeID(k)
				at, want := m.Edges[m.Coedges[c].Edge], sound.Edges[sound.Coedges[c].Edge]
				p, q := at.Curve, want.Curve
				if p == nil {
					continue
				}
				if p.At(at.Range.Mid()).Dist(q.At(want.Range.Mid())) > 1e-9 ||
					m.Coedges[c].Reversed != sound.Coedges[c].Reversed {
					t.Errorf("%s: edge %d turned: coedge %d is another one; %v", name, i, k, m.Warnings)
					break
				}
			}
			if len(m.Warnings) != 1 || m.Warnings[0].Code != ComplementaryArc {
				t.Errorf("%s: edge %d turned: warnings %v, want %s", name, i, m.Warnings, ComplementaryArc)
			}
		}
	}
	if tried < 100 {
		t.Errorf("%d edges were tried", tried)
	}
}

// hasPoles reports whether one of the faces is on a surface on which its loops may bound either side.
func hasPoles(m *brep.Model, faces []brep.FaceID) bool {
	for _, f := range faces {
		if len(m.Faces[f].Surface.Singularities()) > 0 {
			return true
		}
	}
	return false
}

// TestReversedUsesAreRestored reverses one use of a closed edge at a time, which leaves its loop closed. If the loops
// then bound no region, a use is reversed so that they do.
func TestReversedUsesAreRestored(t *testing.T) {
	tried := 0
	for name, sound := range soundModels(t) {
		for i := range sound.Edges {
			e, id := &sound.Edges[i], brep.EdgeID(i)
			if e.Curve == nil || e.Start != e.End || len(e.Coedges) != 2 {
				continue
			}
			for _, c := range e.Coedges {
				m := clone(sound)
				w := ways{m: m}
				w.take(edgeArc{id, c})
				f := m.FaceOf(c)
				if w.boundsRegion(f) {
					continue
				}
				tried++
				Topology(m)
				if !w.isOpposed(id) || !w.boundsRegion(f) || len(m.Warnings) != 1 ||
					m.Warnings[0].Code != EdgesReversed {
					t.Errorf("%s: use %d of edge %d turned: opposed %v, a region %v, warnings %v, want %s",
						name, c, i, w.isOpposed(id), w.boundsRegion(f), m.Warnings, EdgesReversed)
				}
			}
		}
	}
	if tried < 4 {
		t.Errorf("%d uses were tried", tried)
	}
}
