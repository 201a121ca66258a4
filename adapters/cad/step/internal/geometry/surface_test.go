package geometry

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
)

func TestSurfaceForms(t *testing.T) {
	for _, c := range steptest.Surfaces {
		w := &steptest.Text{}
		s, r := scopeOf(t, w, c.Write(w))
		got, err := s.surface(r, 0)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		if got.Kind() != c.Kind {
			t.Errorf("%s: kind %d, want %d", c.Name, got.Kind(), c.Kind)
		}
		if uv, dist := got.Invert(c.On); dist > 1e-7 {
			t.Errorf("%s: %v lies %g mm off the surface (nearest at %v)", c.Name, c.On, dist, uv)
		}
	}
}

func TestImpossibleSurfaces(t *testing.T) {
	for _, form := range []string{
		"CYLINDRICAL_SURFACE('',%s,0.)", "CYLINDRICAL_SURFACE('',%s,-1.)", "SPHERICAL_SURFACE('',%s,0.)",
		"CONICAL_SURFACE('',%s,-1.,0.5)", "CONICAL_SURFACE('',%s,0.,0.)", "CONICAL_SURFACE('',%s,1.,1.6)",
		"TOROIDAL_SURFACE('',%s,5.,0.)", "TOROIDAL_SURFACE('',%s,1.E300,1.E308)", "PLANE('',$,%s)",
		"SURFACE_OF_LINEAR_EXTRUSION('',%s,%[1]s)", "OFFSET_SURFACE('',%s,1.,.F.)", "SURFACE_REPLICA('',#99,%s)",
	} {
		w := &steptest.Text{}
		id := w.Add(form, w.Origin())
		s, r := scopeOf(t, w, id)
		if got, err := s.surface(r, 0); err == nil {
			t.Errorf("%s gave %v", form, got)
		}
	}
	w := &steptest.Text{}
	self := w.Add("OFFSET_SURFACE('',#1,1.,.F.)")
	s, r := scopeOf(t, w, self)
	if _, err := s.surface(r, 0); err == nil {
		t.Error("an offset of itself was read")
	}
}
