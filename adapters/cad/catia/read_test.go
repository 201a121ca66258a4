package catia_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/catia"
	"millwright.dev/millwright/adapters/cad/catia/internal/catiatest"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func read(t testing.TB, file []byte) *brep.Model {
	t.Helper()
	m, err := catia.Read(t.Context(), bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	if err := repair.Model(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	return m
}

// kindsOf counts the shape kinds of the faces.
func kindsOf(m *brep.Model) map[string]int {
	kinds := map[string]int{}
	for _, f := range m.Faces {
		kinds[surface.ShapeKind(f.Surface)]++
	}
	return kinds
}

// watertight meshes a model, which has to be closed, and returns its volume in mm³.
func watertight(t testing.TB, name string, m *brep.Model) float64 {
	t.Helper()
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Report.Watertight {
		t.Errorf("%s: the mesh is not closed: %+v, warnings %v", name, r.Report, m.Warnings)
	}
	return r.Mesh.Volume()
}

// TestShapes reads bodies with faces of each kind.
func TestShapes(t *testing.T) {
	box := catiatest.DrilledBox(geom.Vec3{X: 20, Y: 15, Z: 10}, 6, 16)
	frustum, ring, ball := catiatest.Frustum(10, 30, 12, 16), catiatest.Ring(20, 5, 16), catiatest.Ball(8, 16)
	coneVolume := math.Pi / 3 * (100*30 - 36*18)
	for _, c := range []struct {
		name   string
		body   catiatest.Body
		kinds  map[string]int
		volume float64
	}{
		{"drilled box", box, map[string]int{"Plane": 6, "Cylinder": 2}, 40*30*20 - math.Pi*36*20},
		{"frustum", frustum, map[string]int{"Plane": 2, "Cone": 2}, coneVolume},
		{"ring", ring, map[string]int{"Torus": 4}, 2 * math.Pi * math.Pi * 20 * 25},
		{"ball", ball, map[string]int{"Sphere": 2}, 4 * math.Pi / 3 * 512},
	} {
		without := c.body
		without.NoList = true
		if got := kindsOf(read(t, catiatest.File(without))); !equal(got, c.kinds) {
			t.Errorf("%s without carriers: faces %v, want %v", c.name, got, c.kinds)
		}
		m := read(t, catiatest.File(c.body))
		if got := kindsOf(m); !equal(got, c.kinds) || len(m.Solids) != 1 {
			t.Errorf("%s: %d solids, faces %v, want %v", c.name, len(m.Solids), got, c.kinds)
		}
		const lost, single = 0.02, 1e-6 // shares of the volume that chords of the mesh, and single precision, lose
		if v := watertight(t, c.name, m); math.Abs(v/c.volume-1) > lost {
			t.Errorf("%s: mesh of %g mm³, want %g", c.name, v, c.volume)
		}
		if p, err := mass.Compute(t.Context(), m); err != nil || math.Abs(p.Volume/c.volume-1) > single {
			t.Errorf("%s: %g mm³, want %g; %v", c.name, p.Volume, c.volume, err)
		}
		i := slices.IndexFunc(m.Warnings, func(w fault.Warning) bool { return w.Code == "tessellated_shape" })
		if i < 0 || m.Warnings[i].Count != len(c.body.Faces) {
			t.Errorf("%s: warnings %v do not say that the shape is not exact", c.name, m.Warnings)
		}
	}
}

// TestModelSagIsSagOfCoarsestShownBody also checks that the sag is the decimal number that a user entered, and not the
// nearest single-precision number.
func TestModelSagIsSagOfCoarsestShownBody(t *testing.T) {
	fine, coarse, hidden := catiatest.Ball(10, 8), catiatest.Ball(10, 8), catiatest.Ball(10, 8)
	fine.Sag, coarse.Sag, hidden.Sag, hidden.Hidden = 0.02, 0.2, 0.5, true
	for _, bodies := range [][]catiatest.Body{{fine, coarse, hidden}, {hidden, coarse, fine}, {coarse}} {
		if m := read(t, catiatest.File(bodies...)); m.Sag != 0.2 {
			t.Errorf("%d bodies: within %v mm, want 0.2", len(bodies), m.Sag)
		}
	}
}

// TestFreeform reads an ellipsoid with two freeform faces, whose mesh loses a twentieth of the volume. It also reads a
// body with a bulging wall between two discs; only the discs have carriers.
func TestFreeform(t *testing.T) {
	egg := catiatest.Ball(10, 8)
	for i := range egg.Faces {
		f := &egg.Faces[i]
		f.Record = nil
		for k, p := range f.Points {
			f.Points[k] = geom.Vec3{X: p.X, Y: p.Y, Z: 1.5 * p.Z}
			f.Normals[k] = geom.Vec3{X: p.X, Y: p.Y, Z: p.Z / 1.5}.Unit()
		}
		f.Low.Z, f.High.Z = 1.5*f.Low.Z, 1.5*f.High.Z
	}
	m := read(t, catiatest.File(egg))
	want := 4 * math.Pi / 3 * 1500
	if v := watertight(t, "egg", m); math.Abs(v/want-1) > 5e-3 {
		t.Errorf("egg of %g mm³, want %g", v, want)
	}
	if kinds := kindsOf(m); kinds["Freeform"] != 2 {
		t.Errorf("egg with faces %v", kinds)
	}
	tub := catiatest.Frustum(10, 30, 12, 8) // bulging, between discs
	for i := range 2 {
		f := &tub.Faces[i]
		f.Record = nil
		for k, n := range f.Normals {
			f.Normals[k].Z = n.Z + 0.1*(f.Points[k].Z-6)/6
			f.Normals[k] = f.Normals[k].Unit()
		}
	}
	m = read(t, catiatest.File(tub))
	watertight(t, "tub", m)
	if kinds := kindsOf(m); kinds["Freeform"] != 2 || kinds["Plane"] != 2 || len(m.Solids) != 1 {
		t.Errorf("tub with faces %v, %d solids", kinds, len(m.Solids))
	}
}

func equal(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, n := range a {
		if b[k] != n {
			return false
		}
	}
	return true
}

// TestMisfittingCarriersAreReplaced gives the carrier of a hole a wrong radius, and then truncates all carriers.
func TestMisfittingCarriersAreReplaced(t *testing.T) {
	box := catiatest.DrilledBox(geom.Vec3{X: 20, Y: 15, Z: 10}, 6, 16)
	wrong := box
	wrong.Faces = slices.Clone(box.Faces)
	for i := 6; i < 8; i++ {
		wrong.Faces[i].Record = catiatest.Record('3', 0, 0, 0, 0, 0, 7)
	}
	short := box
	short.Faces = slices.Clone(wrong.Faces)
	for i := range short.Faces {
		short.Faces[i].Record = short.Faces[i].Record[:len(short.Faces[i].Record)/3*2]
	}
	for name, b := range map[string]catiatest.Body{"wrong radius": wrong, "short records": short} {
		for _, f := range read(t, catiatest.File(b)).Faces {
			switch s := surface.Underlying(f.Surface).(type) {
			case surface.Plane:
			case surface.Cylinder:
				if math.Abs(s.Radius-6) > 1e-3 {
					t.Errorf("%s: radius %g", name, s.Radius)
				}
			default:
				t.Errorf("%s: a face is a %v", name, s.Kind())
			}
		}
	}
}

// TestHiddenAndSheets checks that hidden bodies are left out unless all bodies are hidden, and that sheets do not
// become solids.
func TestHiddenAndSheets(t *testing.T) {
	shown, hidden := catiatest.Ball(8, 8), catiatest.Ring(20, 5, 8)
	sheet := catiatest.DrilledBox(geom.Vec3{X: 2, Y: 3, Z: 4}, 1, 8)
	hidden.Hidden, sheet.IsSheet = true, true
	shown.Faces[0].Color = [3]byte{255, 0, 51}
	sheet.Faces = sheet.Faces[:1]
	m := read(t, catiatest.File(hidden, shown))
	if len(m.Faces) != 2 || m.Faces[0].Color == nil || *m.Faces[0].Color != (brep.Color{R: 1, B: 0.2}) {
		t.Errorf("%d faces, the first of colour %v", len(m.Faces), m.Faces[0].Color)
	}
	expect(t, m, "hidden_geometry", true)
	m = read(t, catiatest.File(hidden))
	expect(t, m, "all_hidden", true)
	if len(m.Faces) != 4 {
		t.Errorf("%d faces where all is hidden", len(m.Faces))
	}
	m = read(t, catiatest.File(sheet))
	if len(m.Solids) != 0 || len(m.Faces) != 1 {
		t.Errorf("a sheet gives %d solids and %d faces", len(m.Solids), len(m.Faces))
	}
	m = read(t, catiatest.File(shown, catiatest.Frustum(10, 30, 12, 16)))
	expect(t, m, "hidden_geometry", false)
	if len(m.Solids) != 2 {
		t.Errorf("%d solids, want 2", len(m.Solids))
	}
}

func expect(t *testing.T, m *brep.Model, code string, want bool) {
	t.Helper()
	if got := slices.ContainsFunc(m.Warnings, func(w fault.Warning) bool { return w.Code == code }); got != want {
		t.Errorf("warning %s: %v, want %v", code, got, want)
	}
}

// TestDisplayAlone reads a file with display data only and expects the part of the full file.
func TestDisplayAlone(t *testing.T) {
	ball := catiatest.Ball(8, 8)
	part, alone := read(t, catiatest.File(ball)), read(t, catiatest.Display(catiatest.Streams(ball)))
	if got, want := watertight(t, "alone", alone), watertight(t, "part", part); got != want || len(alone.Solids) != 1 {
		t.Errorf("%d solids of %g mm³, want %g", len(alone.Solids), got, want)
	}
}

// TestRefusals reads files that are not parts with a display mesh.
func TestRefusals(t *testing.T) {
	whole := catiatest.File(catiatest.Ball(8, 8))
	encrypted := slices.Clone(whole)
	encrypted[6] = '4'
	for _, c := range []struct {
		name, says string
		file       []byte
		code       fault.Code
	}{
		{"empty part", "without its visualisation", catiatest.Empty(), fault.NoSolid},
		{"no bodies", "without its visualisation", catiatest.File(), fault.NoSolid},
		{"assembly", "CATProduct", catiatest.Assembly(), fault.NoSolid},
		{"display of nothing", ".cgr", catiatest.Display([]byte("no mesh"), nil), fault.ConverterUnavailable},
		{"another container", `"V5_CFV4"`, encrypted, fault.ConverterUnavailable},
		{"no CATIA file", "not a CATIA V5 part", []byte("anything"), fault.UnreadableFile},
		{"cut off", "cut off", whole[:len(whole)/2], fault.UnreadableFile},
		{"nothing", "not a CATIA V5 part", nil, fault.UnreadableFile},
	} {
		_, err := catia.Read(t.Context(), bytes.NewReader(c.file), int64(len(c.file)))
		var got *fault.Error
		if !errors.As(err, &got) || got.Code != c.code || !strings.Contains(got.Reason, c.says) {
			t.Errorf("%s: %v, want %s about %q", c.name, err, c.code, c.says)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := catiatest.File(catiatest.Ball(8, 8))
	if _, err := catia.Read(ctx, bytes.NewReader(file), int64(len(file))); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
