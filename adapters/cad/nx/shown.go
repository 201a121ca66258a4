package nx

import (
	"encoding/binary"
	"math"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/kernel/geom"
)

// NX stores a JT document for each displayed body of a part. The list has a version word, the number of documents,
// another word from version 8 on, then for each document the number of an object and the document's offset.
const (
	oldestShown  = 7
	newestShown  = 99 // a higher number is not a version
	maxShown     = 1 << 16
	maxSceneSize = 1 << 20 // bytes of the graph of a document that are looked at
)

// documents returns the JT documents of the displayed bodies. ok is false where the file does not list them.
func documents(shown []byte) ([][]byte, bool) {
	le := binary.LittleEndian
	const word = 4
	if len(shown) < 3*word {
		return nil, false
	}
	version, count := le.Uint32(shown), int64(le.Uint32(shown[word:]))
	rows := shown[2*word:]
	if version >= 8 {
		rows = rows[word:]
	}
	if version < oldestShown || version > newestShown || count > maxShown || count*2*word > int64(len(rows)) {
		return nil, false
	}
	out := make([][]byte, count)
	for i := range out {
		at := int64(le.Uint32(rows[2*word*i+word:]))
		end := int64(len(shown))
		if i+1 < len(out) {
			if next := int64(le.Uint32(rows[2*word*(i+1)+word:])); next > at && next < end {
				end = next
			}
		}
		if at < end {
			out[i] = shown[at:end]
		}
	}
	return out, true
}

// scene returns the unpacked graph of a JT document, its first packed segment, or nil if there is no segment.
func scene(document []byte, budget *inflate.Budget) []byte {
	const probe = 4 << 10 // bytes in which it begins
	for at, b := range document[:min(len(document), probe)] {
		if b != 'x' || len(inflate.Head(document[at:], 1)) == 0 {
			continue
		}
		content, _, err := budget.Member(document[at:])
		if err == nil {
			return content[:min(len(content), maxSceneSize)]
		}
	}
	return nil
}

// showsBox reports whether the graph of a JT document has a node with the box, which is in mm; the document's are in
// meters and of single precision.
func showsBox(scene []byte, box geom.Box) bool {
	const numbers, meters = 6, 1e-3
	const precision = 1e-6 // of the largest number; several times the rounding to single precision
	want := [numbers]float64{
		box.Min.X * meters, box.Min.Y * meters, box.Min.Z * meters,
		box.Max.X * meters, box.Max.Y * meters, box.Max.Z * meters,
	}
	scale := 0.0
	for _, x := range want {
		scale = max(scale, math.Abs(x))
	}
	for at := 0; at+4*numbers <= len(scene); at++ {
		for i := 0; ; i++ {
			if i == numbers {
				return true
			}
			x := math.Float32frombits(binary.LittleEndian.Uint32(scene[at+4*i:]))
			if !(math.Abs(float64(x)-want[i]) <= precision*scale) {
				break
			}
		}
	}
	return false
}
