package pack_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

// record has a value of every kind that is coded.
type record struct {
	u       uint64
	i       int64
	near    []int32
	small   uint8
	a, b    bool
	f, zero float64
	row     []float64
	words   []string
	vecs    []geom.Vec3
	dir     geom.Vec3
	frame   geom.Frame
}

func (r *record) code(c *pack.Archive) {
	c.Uint(&r.u)
	c.Int(&r.i)
	var before int32
	pack.Slice(c, &r.near, 1, func(v *int32) { pack.Delta(c, v, &before) })
	pack.Integer(c, &r.small)
	c.Flags(&r.a, &r.b)
	c.Float(&r.f)
	c.Sparse(&r.zero)
	c.Row(&r.row)
	pack.Slice(c, &r.words, 1, c.String)
	c.Vecs(&r.vecs)
	c.Dir(&r.dir)
	c.Frame(&r.frame)
}

func bytesOf(r *record) []byte {
	w := pack.NewWriter("record", 3)
	r.code(w)
	return w.Bytes()
}

func drawRecord(t *rapid.T) *record {
	number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{
		0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.NaN(), math.Float64frombits(0x7ff8dead00000001),
	}))
	vec := rapid.Custom(func(t *rapid.T) geom.Vec3 {
		return geom.Vec3{X: number.Draw(t, "x"), Y: number.Draw(t, "y"), Z: number.Draw(t, "z")}
	})
	dir := rapid.OneOf(vec, rapid.SampledFrom([]geom.Vec3{{X: 1}, {Y: -1}, {Z: 1}, {X: math.Copysign(0, -1), Z: 1}}))
	frame := geom.Frame{Origin: vec.Draw(t, "origin"), X: dir.Draw(t, "X"), Y: dir.Draw(t, "Y"), Z: dir.Draw(t, "Z")}
	if rapid.Bool().Draw(t, "regular") {
		frame = geom.NewFrame(geom.Vec3{X: 1}, dir.Draw(t, "z"), dir.Draw(t, "x"))
	}
	return &record{
		u: rapid.Uint64().Draw(t, "u"), i: rapid.Int64().Draw(t, "i"),
		near: rapid.SliceOf(rapid.Int32()).Draw(t, "near"), small: rapid.Uint8().Draw(t, "small"),
		a: rapid.Bool().Draw(t, "a"), b: rapid.Bool().Draw(t, "b"),
		f: number.Draw(t, "f"), zero: number.Draw(t, "zero"), row: rapid.SliceOf(number).Draw(t, "row"),
		words: rapid.SliceOf(rapid.SampledFrom([]string{"", "a", "Ø"})).Draw(t, "words"),
		vecs:  rapid.SliceOf(vec).Draw(t, "vecs"), dir: dir.Draw(t, "dir"), frame: frame,
	}
}

// TestValuesRoundTrip writes the read values again as the same bytes, so that no bit is lost, also of NaNs and signed
// zeros.
func TestValuesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawRecord(t)
		data := bytesOf(in)
		c, err := pack.NewReader(data, "record", 3)
		if err != nil {
			t.Fatal(err)
		}
		var out record
		out.code(c)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if again := bytesOf(&out); !bytes.Equal(data, again) {
			t.Fatalf("%+v came back as %+v", in, out)
		}
		if (in.row == nil) != (out.row == nil) || math.Float64bits(in.f) != math.Float64bits(out.f) {
			t.Fatalf("%+v came back as %+v", in, out)
		}
	})
}

// TestEveryLengthIsChecked cuts the bytes at every length and appends a byte: all of these are errors.
func TestEveryLengthIsChecked(t *testing.T) {
	data := bytesOf(&record{
		u: 300, i: -300, near: []int32{5, 7}, f: 1, zero: 2, row: []float64{1}, words: []string{"ab", "ab"},
		vecs: []geom.Vec3{{X: 1}}, dir: geom.Vec3{X: 2}, frame: geom.World,
	})
	for n := range data {
		c, err := pack.NewReader(data[:n], "record", 3)
		if err == nil {
			new(record).code(c)
			err = c.Close()
		}
		if err == nil {
			t.Errorf("%d of %d bytes are read without a fault", n, len(data))
		}
	}
	c, err := pack.NewReader(append(data, 0), "record", 3)
	if err != nil {
		t.Fatal(err)
	}
	if new(record).code(c); c.Close() == nil {
		t.Error("a byte too many is no fault")
	}
}

func TestHeads(t *testing.T) {
	data := pack.NewWriter("record", 3).Bytes()
	for _, c := range []struct {
		name      string
		format    string
		version   int
		isVersion bool
	}{
		{"another format", "recall", 3, false},
		{"a longer format", "record of more", 3, false},
		{"another version", "record", 4, true},
	} {
		if _, err := pack.NewReader(data, c.format, c.version); err == nil ||
			errors.Is(err, pack.ErrVersion) != c.isVersion {
			t.Errorf("%s gives %v", c.name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(bytesOf(&record{}))
	f.Add(bytesOf(&record{near: []int32{1}, row: []float64{1}, words: []string{"a", "a"}, frame: geom.World}))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := pack.NewReader(data, "record", 3)
		if err != nil {
			return
		}
		var r record
		r.code(c)
		if c.Close() == nil {
			if again := bytesOf(&r); len(again) > len(data)+len(r.words) {
				t.Errorf("%d bytes are written as %d", len(data), len(again))
			}
		}
	})
}
