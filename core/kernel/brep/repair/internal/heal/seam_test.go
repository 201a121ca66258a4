package heal

import (
	"context"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
)

// dropPole takes one edge without length out of its loop: the pole is then written in one place only.
func dropPole(m *brep.Model) bool {
	for l := range m.Loops {
		for i, c := range m.Loops[l].Coedges {
			if m.Edges[m.Coedges[c].Edge].Curve == nil && len(m.Loops[l].Coedges) > 1 {
				m.Loops[l].Coedges = append(m.Loops[l].Coedges[:i:i], m.Loops[l].Coedges[i+1:]...)
				m.Link()
				return true
			}
		}
	}
	return false
}

// dropSeams takes the edges that a face walks in both directions out of its loop.
func dropSeams(m *brep.Model) bool {
	dropped := false
	for l := range m.Loops {
		uses := map[brep.EdgeID]int{}
		for _, c := range m.Loops[l].Coedges {
			uses[m.Coedges[c].Edge]++
		}
		var kept []brep.CoedgeID
		for _, c := range m.Loops[l].Coedges {
			if uses[m.Coedges[c].Edge] == 1 {
				kept = append(kept, c)
			}
		}
		if len(kept) > 0 && len(kept) < len(m.Loops[l].Coedges) {
			m.Loops[l].Coedges, dropped = kept, true
		}
	}
	m.Link()
	return dropped
}

// TestMissingSeamsAndPoles removes seams and poles from round parts, on surfaces whose own seams lie
// elsewhere: healing and meshing need neither.
func TestMissingSeamsAndPoles(t *testing.T) {
	const elsewhere = 0.7 // rad: of the surface's seam
	kinds := map[string]func(*brep.Model) (*brep.Model, error){
		"analytic":  func(m *brep.Model) (*brep.Model, error) { return clone(m), nil },
		"reseamed":  func(m *brep.Model) (*brep.Model, error) { return build.Reseam(m, elsewhere), nil },
		"free-form": func(m *brep.Model) (*brep.Model, error) { return build.Freeform(m, elsewhere) },
		"swept":     func(m *brep.Model) (*brep.Model, error) { return build.Swept(m, elsewhere) },
	}
	faults := map[string]func(*brep.Model) bool{"no pole": dropPole, "no seam": dropSeams}
	wrecked := 0
	for i, style := range build.Styles() {
		for name, sound := range map[string]*brep.Model{
			"cylinder":    build.Cylinder(3, 5, style),
			"tube":        build.Tube(2, 3, 5, style),
			"cone":        build.Frustum(3, 0, 5, style),
			"frustum":     build.Frustum(3, 1, 5, style),
			"sphere":      build.Sphere(2, style),
			"hemispheres": build.Hemispheres(2, style),
		} {
			want := measured(t, sound)
			for kind, make := range kinds {
				for fault, wreck := range faults {
					m, err := make(sound)
					if err != nil {
						t.Fatal(err)
					}
					if !wreck(m) {
						continue
					}
					wrecked++
					checkRound(t, fmt.Sprintf("%s %s, style %d, %s", kind, name, i, fault), m, want.Volume)
				}
			}
		}
	}
	if wrecked < 80 {
		t.Errorf("only %d parts had a seam or a pole to take out", wrecked)
	}
}

func checkRound(t *testing.T, name string, m *brep.Model, volume float64) {
	t.Helper()
	if err := Model(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if got := measured(t, m).Volume; math.Abs(got/volume-1) > 1e-6 {
		t.Errorf("%s: volume %.9g, want %.9g", name, got, volume)
	}
	mesh, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !mesh.Report.Watertight {
		t.Errorf("%s: the mesh is not watertight: %+v %v", name, mesh.Report, mesh.Warnings)
	}
	if got := mesh.Mesh.Volume(); math.Abs(got/volume-1) > 1e-2 {
		t.Errorf("%s: volume of the mesh %g, want %g", name, got, volume)
	}
}
