package target

import (
	"context"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	along  = 0.99985 // cosine of a degree, within which directions are the same
	across = 0.01745 // sine of a degree

	// Chamfers lean between these cosines, and are no wider than a chamfer mill takes.
	leanLeast, leanMost = 0.4, 0.93
	widestChamfer       = 5 // mm along the slope
)

// sample is a point of a volume or a surface.
type sample struct {
	at, normal geom.Vec3
	weight     float64 // mm³ or mm²
}

// perColumn is the number of samples along a column through the whole stock, and perSideOfStock that of columns along
// its longer side.
const (
	perColumn      = 24
	perSideOfStock = 96
)

// removable samples the volume of the stock outside the part: columns along the third axis of the workpiece, a little
// aside of the middles of a grid's cells so that none runs along a wall.
func (j *job) removable() (out []sample) {
	const aside = 1e-3 // of a cell
	size := j.stock.Size()
	step := max(size.X, size.Y) / perSideOfStock
	width, height := max(int(math.Ceil(size.X/step)), 1), max(int(math.Ceil(size.Y/step)), 1)
	origin := geom.Vec2{X: j.stock.Min.X + aside*step, Y: j.stock.Min.Y + 2*aside*step}
	inside := make([]columnOf, width*height)
	for _, t := range j.Mesh.Triangles {
		var c [3]geom.Vec3
		for k := range 3 {
			c[k] = j.Workpiece.Local(j.Mesh.Points[t[k]])
		}
		up := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])).Z > 0
		scan(c[0], c[1], c[2], origin, step, width, height, func(cell int, z float64) {
			inside[cell] = append(inside[cell], crossing{z, up})
		})
	}
	for cell, list := range inside {
		x := origin.X + (float64(cell%width)+0.5)*step
		y := origin.Y + (float64(cell/width)+0.5)*step
		if x > j.stock.Max.X || y > j.stock.Max.Y {
			continue
		}
		list.gaps(j.stock.Min.Z, j.stock.Max.Z, func(lo, hi float64) {
			n := max(int(math.Ceil((hi-lo)/size.Z*perColumn)), 1)
			for k := range n {
				z := lo + (float64(k)+0.5)*(hi-lo)/float64(n)
				p := geom.Vec3{X: x, Y: y, Z: z}
				if j.inBar(p) {
					out = append(out, sample{at: j.Workpiece.Point(p), weight: step * step * (hi - lo) / float64(n)})
				}
			}
		})
	}
	return out
}

// inBar reports whether a point of the workpiece's box is in a round bar, if the stock is one.
func (j *job) inBar(p geom.Vec3) bool {
	if j.Bar == nil {
		return true
	}
	d := p.Sub(j.stock.Center())
	d.SetCoordinate(*j.Bar, 0)
	size := j.stock.Size()
	size.SetCoordinate(*j.Bar, math.Inf(1))
	return d.Norm() <= min(size.X, size.Y, size.Z)/2
}

// face is a face of the part as a setup sees it.
type face struct {
	samples []sample
	area    float64 // mm²
	wall    bool
}

// finish charges walls, floors and chamfers.
func (j *job) finish(ctx context.Context) error {
	for region := range j.Mesh.Regions {
		if err := ctx.Err(); err != nil {
			return err
		}
		samples := j.surface(region)
		if len(samples) == 0 || j.isDrilled(samples) {
			continue
		}
		if !j.finishFace(samples) {
			j.bevel(region, samples)
		}
	}
	return nil
}

// finishFace charges a wall or floor; false: the face is neither in any setup.
func (j *job) finishFace(samples []sample) bool {
	var faces []face
	any := false
	for _, f := range j.Directions {
		faces = append(faces, seen(samples, f.Z))
		any = any || faces[len(faces)-1].area > 0
	}
	best, mill, setup := 0.0, 0, 0
	for i := range j.mills {
		for s := range faces {
			if share := j.share(&faces[s], i, s); share > best {
				best, mill, setup = share, i, s
			}
		}
		if best >= mostReach {
			break
		}
	}
	if best == 0 {
		return any
	}
	if best >= mostReach {
		best = 1
	}
	m, f := &j.mills[mill], &faces[setup]
	minutes := finishExtra * best * f.area / (m.feed * m.stepover)
	if f.wall {
		j.out.Walls += minutes
	} else {
		j.out.Floors += minutes
	}
	j.used[setup][m.tool] = true
	return true
}

// seen returns the wall or floor that a face is along an axis: the kind with more area.
func seen(samples []sample, axis geom.Vec3) face {
	var wall, floor face
	wall.wall = true
	for _, s := range samples {
		switch c := s.normal.Dot(axis); {
		case c >= along:
			floor.samples = append(floor.samples, s)
			floor.area += s.weight
		case math.Abs(c) <= across:
			wall.samples = append(wall.samples, s)
			wall.area += s.weight
		}
	}
	if wall.area > floor.area {
		return wall
	}
	return floor
}

// share returns the share of a face that a mill reaches in a setup.
func (j *job) share(f *face, mill, setup int) float64 {
	if f.area == 0 {
		return 0
	}
	a, sum := j.access(mill, setup), 0.0
	for _, s := range f.samples {
		if f.wall && a.passes(s.at, s.normal) || !f.wall && a.covers(s.at) {
			sum += s.weight
		}
	}
	return sum / f.area
}

// surface samples a face of the part, without what lies on the sides of the stock.
func (j *job) surface(region int) (out []sample) {
	const (
		perFace   = 16  // samples along a side of a square of the face's area
		mostSplit = 64  // along a side of a triangle
		onStock   = 0.1 // mm
	)
	r := &j.Mesh.Regions[region]
	var area float64
	corner := func(t int32) (p, q, s geom.Vec3) {
		c := j.Mesh.Triangles[t]
		return j.Mesh.Points[c[0]], j.Mesh.Points[c[1]], j.Mesh.Points[c[2]]
	}
	for t := r.Start; t < r.End; t++ {
		p, q, s := corner(t)
		area += q.Sub(p).Cross(s.Sub(p)).Norm() / 2
	}
	for t := r.Start; t < r.End; t++ {
		p, q, s := corner(t)
		cross := q.Sub(p).Cross(s.Sub(p))
		normal := cross.Unit()
		if normal == (geom.Vec3{}) || j.isRaw(p, q, s, normal, onStock) {
			continue
		}
		n := min(max(int(math.Ceil(math.Sqrt(cross.Norm()/2/area)*perFace)), 1), mostSplit)
		each := cross.Norm() / 2 / float64(n*n)
		for a := range n {
			for b := range n - a {
				for k := range 2 { // the two thirds points of a cell's halves
					third := float64(1+k) / 3
					if k == 1 && a+b >= n-1 {
						continue
					}
					u, v := (float64(a)+third)/float64(n), (float64(b)+third)/float64(n)
					at := p.Add(q.Sub(p).Scale(u)).Add(s.Sub(p).Scale(v))
					out = append(out, sample{at, normal, each})
				}
			}
		}
	}
	return out
}

// isRaw reports whether a triangle lies on a side of the stock, so that nothing is to cut.
func (j *job) isRaw(p, q, r, normal geom.Vec3, tolerance float64) bool {
	n := j.Workpiece.LocalDir(normal)
	box := geom.BoxOf(j.Workpiece.Local(p), j.Workpiece.Local(q), j.Workpiece.Local(r))
	for k := range 3 {
		if c := n.Coordinate(k); c >= along && box.Min.Coordinate(k) >= j.stock.Max.Coordinate(k)-tolerance ||
			c <= -along && box.Max.Coordinate(k) <= j.stock.Min.Coordinate(k)+tolerance {
			return true
		}
	}
	return false
}

// isDrilled reports whether a face is within a hole that a drill makes.
func (j *job) isDrilled(samples []sample) bool {
	const around = 0.05 // mm
	for i := range j.Holes {
		h := &j.Holes[i]
		if j.setupOf(h) < 0 || j.drillFor(h) == nil {
			continue
		}
		in := true
		for _, s := range samples {
			d := s.at.Sub(h.Center)
			depth := -d.Dot(h.Axis)
			aside := d.AddScaled(depth, h.Axis).Norm()
			if aside > h.Diameter/2+around || depth < -around || depth > h.Depth+h.Diameter {
				in = false
				break
			}
		}
		if in {
			return true
		}
	}
	return false
}

// bevel charges a face that leans and is narrow along its slope: a chamfer or countersink.
func (j *job) bevel(region int, samples []sample) {
	var tool *machining.Tool
	for i := range j.Tools {
		if t := &j.Tools[i]; t.Kind == machining.ChamferMill && (tool == nil || t.Diameter > tool.Diameter) {
			tool = t
		}
	}
	if tool == nil {
		return
	}
	r := &j.Mesh.Regions[region]
	for setup, f := range j.Directions {
		least, most, area := math.Inf(1), math.Inf(-1), 0.0
		for _, s := range samples {
			c := s.normal.Dot(f.Z)
			least, most, area = min(least, c), max(most, c), area+s.weight
		}
		if least < leanLeast || most > leanMost || most-least > across {
			continue
		}
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range r.Vertices {
			z := f.Local(j.Mesh.Points[v]).Z
			lo, hi = min(lo, z), max(hi, z)
		}
		slope := (hi - lo) / math.Sqrt(1-least*least)
		d, ok := j.resolve(tool, cutting.Chamfering, 0)
		if slope <= 0 || slope > widestChamfer || !ok {
			continue
		}
		j.out.Chamfer += area / slope / d.Feed.Value
		j.used[setup][tool] = true
		return
	}
}
