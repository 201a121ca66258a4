package clearing

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Kind is the kind of a move at the height of a level.
type Kind uint8

// The kinds.
const (
	Cut   Kind = iota // at the feed of the cut
	Link              // between cuts
	Enter             // down at To
)

// Move is a move of the center of the cutter to To: a line, or an arc if Turn (rad, positive to the left) is not 0.
type Move struct {
	To, Center geom.Vec2 // mm
	Turn       float64
	Kind       Kind
	Helix      float64 // mm, radius of the helix around To of an Enter; 0: straight down, or in a hole
}

// Figures are the measured properties of a path over one level.
type Figures struct {
	Cut  float64 `json:"cutMm"`  // in material, without entries
	Air  float64 `json:"airMm"`  // cuts that meet nothing
	Link float64 `json:"linkMm"` // at the height of the level

	MeanDeg  float64 `json:"meanDeg"`  // front arc, by length
	P999Deg  float64 `json:"p999Deg"`  // exceeded on a thousandth of the length
	WorstDeg float64 `json:"worstDeg"` // of the samples
	Over     float64 `json:"over"`     // share of the length over OverArc of the target
	FarOver  float64 `json:"farOver"`  // share of the length over FarOverArc of the target
	LinkDeg  float64 `json:"linkDeg"`  // worst front arc of a link

	Entries   int     `json:"entries"`
	Reachable float64 `json:"reachableMm2"` // of the pocket, by a cutter anywhere inside it
	Left      float64 `json:"leftMm2"`      // of that
	Studs     int     `json:"studs"`        // pieces left that stand free
	Largest   float64 `json:"largestMm2"`   // piece left
}

// Bounds of front arcs, of the target.
const (
	OverArc    = 1.1
	FarOverArc = 1.3
)

// Lengths in radii of the cutter, and angles.
const (
	samplePitch = 0.05
	sampleTurn  = 0.1  // rad, on arcs
	contact     = 1.5  // degrees of front arc, below which a cut is in the air
	leftPitch   = 0.05 // of the squares in which the rest is measured
	studSize    = 0.01 // square radii from which on a piece that stands free is a stud
)

// Measure replays a path with a cutter of a radius (mm) over the material inside polygons. The target of the front arc
// is in rad. Nothing is shared with the packages that make paths: a point of the cutter's circle is in material when
// it is inside the polygons and no earlier piece of the path came within the radius. The way of one turn of the widest
// helix after an entry into material is part of the entry, and has no arcs.
func Measure(loops []Polygon, radius, target float64, moves []Move) (Figures, error) {
	m := meter{ground: newGround(loops, radius), radius: radius}
	for i := range moves {
		m.move(&moves[i])
	}
	m.summarize(target)
	err := m.rest(loops)
	return m.Figures, err
}

// meter measures a path.
type meter struct {
	Figures
	ground  *ground
	radius  float64
	at      geom.Vec2
	entry   float64 // mm, of cuts that belong to the last entry
	samples []sample
}

// sample is a piece of a cut with its front arc, degrees.
type sample struct{ arc, length float64 }

func (m *meter) move(v *Move) {
	if v.Kind == Enter {
		m.Entries++
		m.at, m.entry = v.To, 0
		if v.Helix == 0 && m.ground.arc(v.To, geom.Vec2{X: 1}, m.radius, -180, 180)*180/math.Pi > contact {
			m.entry = 2 * math.Pi * m.radius
		}
		m.ground.clear(v.To, v.To, m.radius+v.Helix)
		return
	}
	p := planar.Segment{From: m.at, To: v.To, Center: v.Center, Turn: v.Turn}
	n := math.Ceil(max(p.Length()/(samplePitch*m.radius), math.Abs(p.Turn)/sampleTurn))
	for k := range int(n) {
		from, mid, to := float64(k)/n, (float64(k)+0.5)/n, float64(k+1)/n
		m.sample(v.Kind, p.At(mid), p.Tangent(mid), p.Length()/n)
		m.ground.clear(p.At(from), p.At(to), m.radius)
	}
	m.at = v.To
}

func (m *meter) sample(kind Kind, at, heading geom.Vec2, length float64) {
	arc := m.ground.arc(at, heading, m.radius, -90, 90) * 180 / math.Pi
	switch {
	case kind == Link:
		m.Link += length
		m.LinkDeg = max(m.LinkDeg, arc)
	case m.entry > 0:
		m.entry -= length
	case arc < contact:
		m.Air += length
	default:
		m.Cut += length
		m.samples = append(m.samples, sample{arc, length})
	}
}

func (m *meter) summarize(target float64) {
	slices.SortFunc(m.samples, func(a, b sample) int { return cmp.Compare(b.arc, a.arc) })
	target *= 180 / math.Pi
	way := 0.0
	for _, s := range m.samples {
		share := s.length / m.Cut
		m.WorstDeg = max(m.WorstDeg, s.arc)
		m.MeanDeg += s.arc * share
		if s.arc > OverArc*target {
			m.Over += share
		}
		if s.arc > FarOverArc*target {
			m.FarOver += share
		}
		if way += share; way > 1e-3 && m.P999Deg == 0 {
			m.P999Deg = s.arc
		}
	}
}

// Area returns the inside of polygons.
func Area(loops []Polygon) (*arcpoly.Area, error) {
	var all []planar.Loop
	for _, l := range loops {
		var loop planar.Loop
		for i := range l {
			loop = append(loop, planar.NewLine(l[i], l[(i+1)%len(l)]))
		}
		all = append(all, loop)
	}
	return arcpoly.New(all...)
}

// rest measures what stays where the cutter reaches, in squares, and its connected pieces. A piece stands free if the
// cutter reaches all around it.
func (m *meter) rest(loops []Polygon) error {
	area, err := Area(loops)
	if err != nil {
		return err
	}
	if area, err = area.Offset(-m.radius); err != nil {
		return err
	}
	if area, err = area.Offset(m.radius); err != nil || area.IsEmpty() {
		return err
	}
	lo, hi := area.Extent()
	pitch := leftPitch * m.radius
	nx, ny := int((hi.X-lo.X)/pitch)+3, int((hi.Y-lo.Y)/pitch)+3
	const none, reached, left = 0, 1, 2
	squares := make([]uint8, nx*ny) // with a margin of none
	for j := 1; j < ny-1; j++ {
		for i := 1; i < nx-1; i++ {
			p := lo.Add(geom.Vec2{X: pitch * (float64(i) - 0.5), Y: pitch * (float64(j) - 0.5)})
			if !area.Contains(p) {
				continue
			}
			m.Reachable += pitch * pitch
			if squares[j*nx+i] = reached; m.ground.isMaterial(p) {
				squares[j*nx+i] = left
				m.Left += pitch * pitch
			}
		}
	}
	for k := range squares {
		if squares[k] != left {
			continue
		}
		count, isFree := 0, true
		squares[k] = reached
		for queue := []int{k}; len(queue) > 0; count++ {
			at := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, step := range [...]int{-nx - 1, -nx, -nx + 1, -1, 1, nx - 1, nx, nx + 1} {
				switch next := at + step; squares[next] {
				case none:
					isFree = false
				case left:
					squares[next] = reached
					queue = append(queue, next)
				}
			}
		}
		size := float64(count) * pitch * pitch
		m.Largest = max(m.Largest, size)
		if isFree && size >= studSize*m.radius*m.radius {
			m.Studs++
		}
	}
	return nil
}

// add adds the figures of another level.
func (f *Figures) add(o *Figures) {
	all := f.Cut + o.Cut
	mean := func(a, b float64) float64 { return (a*f.Cut + b*o.Cut) / max(all, math.SmallestNonzeroFloat64) }
	f.MeanDeg, f.Over, f.FarOver = mean(f.MeanDeg, o.MeanDeg), mean(f.Over, o.Over), mean(f.FarOver, o.FarOver)
	f.Cut, f.Air, f.Link = all, f.Air+o.Air, f.Link+o.Link
	f.WorstDeg, f.P999Deg = max(f.WorstDeg, o.WorstDeg), max(f.P999Deg, o.P999Deg)
	f.LinkDeg, f.Largest = max(f.LinkDeg, o.LinkDeg), max(f.Largest, o.Largest)
	f.Entries, f.Studs = f.Entries+o.Entries, f.Studs+o.Studs
	f.Reachable, f.Left = f.Reachable+o.Reachable, f.Left+o.Left
}
