package workholding

import "math"

// Screws are screws or straps that press a workpiece onto a plate.
type Screws struct {
	Count    int
	Force    float64 // of each, N
	Friction float64 // between workpiece and plate
}

// Use returns the use of the screws by a load, with friction alone.
func (s Screws) Use(l Load, safety float64) float64 {
	return clamped(float64(s.Count)*s.Force, s.Friction, l, safety)
}

// Clamp is the place of a screw or a strap on a plate, with its force on the workpiece and a seat below it.
type Clamp struct {
	X, Y  float64
	Force float64
}

// Plate is a plate with seats under the clamps that press the workpiece onto them. Friction bears what pushes the
// workpiece along the plate.
type Plate struct {
	Clamps   []Clamp
	Friction float64
	// The workpiece over the plate: where cuts may lift it.
	MinX, MinY, MaxX, MaxY float64
}

// Normal is the force of all clamps, N.
func (p Plate) Normal() (sum float64) {
	for _, c := range p.Clamps {
		sum += c.Force
	}
	return sum
}

// Use returns the use of the plate by a load whose height is over the seats. Its Slip is along the plate. Its Tip is
// about the edges of the seats' hull: the load pushes across an edge, and lifts the farthest corner of the workpiece.
func (p Plate) Use(l Load, safety float64) (u Use) {
	u.Slip = clamped(p.Normal(), p.Friction, l, safety)
	const directions = 72
	for i := range directions {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / directions)
		edge, far := math.Inf(-1), math.Inf(1)
		for _, c := range p.Clamps {
			edge = max(edge, c.X*cos+c.Y*sin)
		}
		for _, x := range [2]float64{p.MinX, p.MaxX} {
			for _, y := range [2]float64{p.MinY, p.MaxY} {
				far = min(far, x*cos+y*sin)
			}
		}
		held := 0.0
		for _, c := range p.Clamps {
			held += c.Force * (edge - c.X*cos - c.Y*sin)
		}
		tips := safety * (l.Horizontal*max(l.Height, 0) + l.Axial*max(edge-far, 0))
		switch {
		case tips == 0:
		case held <= 0:
			u.Tip = math.Inf(1)
		default:
			u.Tip = max(u.Tip, tips/held)
		}
	}
	return u
}
