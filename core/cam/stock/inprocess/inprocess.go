// Package inprocess records the in-process stock of a setup: the stock at its beginning and after each operation, as
// spans along the axis of the tool.
//
// The rays are those of the simulation along the Z of the setup, so nothing is interpolated: where Z of the setup is an
// axis of the lattice, which all setups of three axes have, a ray of the record is a ray of the proof. Heights have 16
// bits over the height of the lattice: 60 mm in steps of a µm. A state contains the rays that differ from the state
// before it, since an operation changes few.
//
// A lattice of many rays is recorded twice, whole and thinned, so that a client that draws while the time runs can take
// the smaller one.
package inprocess

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// Version rises when the bytes of a record change.
const Version = 1

// Resolutions are the cells along a side of the records: each has at most half as many rays again as that many squared.
var Resolutions = [2]int{256, 512}

// Record is the in-process stock of a setup in one resolution.
type Record struct {
	// Rays are at (X + i·Step, Y + j·Step), mm in the frame of the setup, with the number j·Width + i.
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Step   float64 `json:"step"`
	Width  int     `json:"width"`
	Height int     `json:"height"`
	// A height h is at Low + h·Unit, mm in the frame of the setup.
	Low  float64 `json:"low"`
	Unit float64 `json:"unit"`

	States []string `json:"states"` // "part", "start", and the ids of the operations

	view  view
	every int        // lattice rays to a ray
	rays  [][]uint16 // of the last state: lo and hi of each span, ascending
	data  []uint16   // of all states
}

// view maps setup indices to those of the lattice.
type view struct {
	axis [3]int  // of the lattice, for x, y and z of the setup
	flip [3]bool // they run against each other
}

// viewOf returns the view of a frame whose axes are axes of the lattice; ok is false for another frame.
func viewOf(f geom.Frame) (v view, ok bool) {
	const straight = 1e-9
	for k, d := range [3]geom.Vec3{f.X, f.Y, f.Z} {
		a := dexel.Along(d)
		if math.Abs(math.Abs(d.Coordinate(a))-1) > straight {
			return v, false
		}
		v.axis[k], v.flip[k] = a, d.Coordinate(a) < 0
	}
	return v, true
}

// Recorder records a setup in all resolutions.
type Recorder struct{ records []*Record }

// NewRecorder returns a recorder of stocks in a lattice. The frame of the setup maps to the frame of the lattice. It is
// nil, and records nothing, for a setup whose axes are not those of the lattice.
func NewRecorder(l dexel.Lattice, frame geom.Frame) *Recorder {
	v, ok := viewOf(frame)
	if !ok {
		return nil
	}
	r := &Recorder{}
	for _, cells := range Resolutions {
		w, h := l.Count[v.axis[0]], l.Count[v.axis[1]]
		every := 1
		for 2*((w+every-1)/every)*((h+every-1)/every) > 3*cells*cells {
			every++
		}
		if n := len(r.records); n > 0 && r.records[n-1].every == every {
			continue
		}
		r.records = append(r.records, newRecord(l, frame, v, every))
	}
	return r
}

func newRecord(l dexel.Lattice, frame geom.Frame, v view, every int) *Record {
	c := &Record{
		Step: l.Step * float64(every), Width: (l.Count[v.axis[0]] + every - 1) / every,
		Height: (l.Count[v.axis[1]] + every - 1) / every, view: v, every: every,
	}
	c.rays = make([][]uint16, c.Width*c.Height)
	box := geom.EmptyBox()
	for _, p := range [2]geom.Vec3{l.Box().Min, l.Box().Max} {
		box = box.Add(frame.Local(p))
	}
	c.Low, c.Unit = box.Min.Z, (box.Max.Z-box.Min.Z)/math.MaxUint16
	first := [3]float64{}
	for k := range 2 {
		first[v.axis[k]] = (float64(c.index(k, 0, l)) + 0.5) * l.Step
	}
	at := frame.Local(l.Origin.Add(geom.Vec3{X: first[0], Y: first[1], Z: first[2]}))
	c.X, c.Y = at.X, at.Y
	return c
}

// index returns the cell of the lattice for cell i along x (0) or y (1) of the record. The middle of the thinned cells
// is taken; where they do not fill the lattice, the last one may be past its end.
func (c *Record) index(k, i int, l dexel.Lattice) int {
	i = i*c.every + c.every/2
	if c.view.flip[k] {
		return l.Count[c.view.axis[k]] - 1 - i
	}
	return i
}

// Add records a state. All states are in the lattice of the recorder.
func (r *Recorder) Add(name string, d *dexel.Stock) {
	if r == nil {
		return
	}
	for _, c := range r.records {
		c.add(name, d)
	}
}

func (c *Record) add(name string, d *dexel.Stock) {
	c.States = append(c.States, name)
	var runs, counts, values []uint16
	skip, lo, hi := 0, uint16(0), uint16(0)
	var now []uint16
	for r := range c.rays {
		now = c.ray(now[:0], d, r)
		if len(c.States) > 1 && equal(now, c.rays[r]) {
			skip++
			continue
		}
		if n := len(runs); n == 0 || skip > 0 || runs[n-1] == math.MaxUint16 {
			for ; skip > math.MaxUint16; skip -= math.MaxUint16 {
				runs = append(runs, math.MaxUint16, 0)
			}
			runs, skip = append(runs, uint16(skip), 0), 0
		}
		runs[len(runs)-1]++
		c.rays[r] = append(c.rays[r][:0], now...)
		counts = append(counts, uint16(len(now)/2))
		for k := 0; k < len(now); k += 2 { // differences compress better
			values = append(values, now[k]-lo, now[k+1]-hi)
			lo, hi = now[k], now[k+1]
		}
	}
	for _, n := range [3]int{len(runs) / 2, len(counts), len(values) / 2} {
		c.data = append(c.data, uint16(n), uint16(n>>16))
	}
	c.data = append(append(append(c.data, runs...), counts...), values...)
}

func equal(a, b []uint16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// ray appends the heights of a ray.
func (c *Record) ray(out []uint16, d *dexel.Stock, r int) []uint16 {
	l := d.Lattice
	at := [3]int{}
	at[c.view.axis[0]], at[c.view.axis[1]] = c.index(0, r%c.Width, l), c.index(1, r/c.Width, l)
	z := c.view.axis[2]
	b, a := dexel.Side(z)
	if i, j := at[b], at[a]; i < 0 || j < 0 || i >= l.Count[b] || j >= l.Count[a] {
		return out
	}
	spans := d.Ray(z, at[b], at[a])
	length := float64(l.Count[z]) * l.Step
	for k := range spans {
		s := &spans[k]
		lo, hi := float64(s.Lo), float64(s.Hi)
		if c.view.flip[2] {
			s = &spans[len(spans)-1-k]
			lo, hi = length-float64(s.Hi), length-float64(s.Lo)
		}
		low, high := quantized(lo/c.Unit), quantized(hi/c.Unit)
		if low == high {
			continue // a film of less than a unit
		}
		if n := len(out); n > 0 && out[n-1] >= low {
			out[n-1] = high
			continue
		}
		out = append(out, low, high)
	}
	return out
}

func quantized(h float64) uint16 { return uint16(min(max(math.Round(h), 0), math.MaxUint16)) }

// Bytes returns the record: the length of its head (4 bytes, little endian), the head as JSON with spaces up to an even
// length, and the states. motion is the digest of the motion.
//
// A state is a sequence of 16-bit words, little endian: the numbers of runs, of changed rays and of their spans (two
// words each, the lower first); for each run the rays to pass over and the changed ones that follow; for each changed
// ray its number of spans; for each span the differences of its ends from the span before it in the state, modulo 2¹⁶.
func (c *Record) Bytes(motion string) ([]byte, error) {
	head, err := json.Marshal(struct {
		Motion string `json:"motion"`
		*Record
	}{motion, c})
	if err != nil {
		return nil, err
	}
	for len(head)%2 != 0 {
		head = append(head, ' ')
	}
	var out bytes.Buffer
	out.Grow(4 + len(head) + 2*len(c.data))
	_ = binary.Write(&out, binary.LittleEndian, uint32(len(head))) // a buffer takes everything
	out.Write(head)
	_ = binary.Write(&out, binary.LittleEndian, c.data)
	return out.Bytes(), nil
}
