package parasolid_test

import (
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/fuzztest"
	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xttest"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// seeds are small parts that between them use most nodes, in all encodings.
func seeds(t testing.TB) [][]byte {
	forms, err := build.Forms()
	if err != nil {
		t.Fatal(err)
	}
	plate := build.Plate(geom.Vec3{X: 4, Y: 3, Z: 1}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 2, Y: 1}, Profile: build.Through(1, 1)})
	neutral := xttest.Form{Encoding: xttest.Neutral, Schema: 30000, Embedded: true}
	out := [][]byte{[]byte(ball), encoded(plate, xttest.Options{Charts: 6, Tolerant: true}, neutral)}
	for _, f := range encodings {
		out = append(out, encoded(plate, xttest.Options{Rings: true}, f))
	}
	for _, m := range forms {
		if len(m.Faces) < 4 {
			out = append(out, encoded(m, xttest.Options{}, xttest.Form{Encoding: xttest.Neutral}))
		}
	}
	for _, by := range []support{onFaces, onCliff, onOffset, onBounds, onParams} {
		s, _ := rounded(t, 5, by)
		out = append(out, s.Encode(neutral))
	}
	return out
}

// FuzzRead reads any bytes: a model whose references are sound, or a *fault.Error, in bounded time.
func FuzzRead(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	const allowed = 1 << 30 // bytes: instances may multiply
	f.Fuzz(func(t *testing.T, data []byte) { fuzztest.Read(t, string(data), allowed, parasolid.Read) })
}
