package toolpath

import (
	"math"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// relief is heights over the cells of a grid. Those of a setup have no stock above them after the passes over slopes;
// the stock of the setup (package access) knows cuts at levels only.
type relief struct {
	grid grid.Grid
	z    []float32 // mm
}

func newRelief(setup *planning.Setup) *relief {
	b, size := setup.Before, setup.Before.Size()
	l := &relief{grid: grid.Grid{X: b.Min.X, Y: b.Min.Y, Step: stockCell,
		Width: int(size.X/stockCell) + 2, Height: int(size.Y/stockCell) + 2}}
	l.z = make([]float32, l.grid.Len())
	for i := range l.z {
		l.z[i] = float32(math.Inf(1))
	}
	return l
}

// over returns the height over a place, +Inf outside the grid.
func (l *relief) over(at geom.Vec2) float64 {
	i, j := int(math.Round((at.X-l.grid.X)/l.grid.Step)), int(math.Round((at.Y-l.grid.Y)/l.grid.Step))
	if i < 0 || j < 0 || i >= l.grid.Width || j >= l.grid.Height {
		return math.Inf(1)
	}
	return float64(l.z[j*l.grid.Width+i])
}

// pass lowers what a tool of a radius and a round corner (mm) passes over on straight moves from place to place. A cell
// gets the height at its farthest corner.
func (l *relief) pass(places []geom.Vec3, radius, corner float64) {
	g := l.grid
	half := g.Step / math.Sqrt2
	reach := int(radius/g.Step) + 1
	at := func(p geom.Vec3) {
		ci, cj := int(math.Round((p.X-g.X)/g.Step)), int(math.Round((p.Y-g.Y)/g.Step))
		for j := max(cj-reach, 0); j <= min(cj+reach, g.Height-1); j++ {
			for i := max(ci-reach, 0); i <= min(ci+reach, g.Width-1); i++ {
				d := math.Hypot(g.X+float64(i)*g.Step-p.X, g.Y+float64(j)*g.Step-p.Y) + half
				if d >= radius {
					continue
				}
				out := max(d-(radius-corner), 0)
				z := float32(p.Z + corner - math.Sqrt(corner*corner-out*out))
				l.z[j*g.Width+i] = min(l.z[j*g.Width+i], z)
			}
		}
	}
	for k := range places {
		at(places[k])
		if k == 0 {
			continue
		}
		n := int(places[k].Sub(places[k-1]).Norm() / g.Step)
		for i := 1; i < n; i++ {
			at(places[k-1].Lerp(places[k], float64(i)/float64(n)))
		}
	}
}
