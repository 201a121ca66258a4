package toolpath

import (
	"slices"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// Material far from an operation does not affect it, and on a large part that is most of the part. So operations on
// some faces, or on material next to them, query only a window around these.

// window returns the window of an operation on some faces, and everything for others.
func window(in *Input, setup *planning.Setup, op *planning.Operation) access.Window {
	if len(op.Regions) == 0 || op.Strategy != planning.Contour && !op.Floor {
		return access.Window{}
	}
	var patches []int32
	for _, f := range op.Regions {
		if p := in.Graph.PatchOf[f]; p >= 0 && !slices.Contains(patches, p) {
			patches = append(patches, p)
		}
	}
	if len(patches) == 0 {
		return access.Window{}
	}
	x, y := in.Graph.Exact(patches, setup.Frame.X), in.Graph.Exact(patches, setup.Frame.Y)
	at := geom.Vec2{X: setup.Frame.Origin.Dot(setup.Frame.X), Y: setup.Frame.Origin.Dot(setup.Frame.Y)}
	lo, hi := geom.Vec2{X: x.Lo, Y: y.Lo}.Sub(at), geom.Vec2{X: x.Hi, Y: y.Hi}.Sub(at)
	return windowRound(lo, hi, in.Plan.Tools[op.Tool].Tool.Diameter/2, setup.Before)
}

// windowOver returns the window in which a tool clears an area.
func (w *operationBuilder) windowOver(target *arcpoly.Area) access.Window {
	lo, hi := target.Extent()
	return windowRound(lo, hi, w.radius, w.setup.Before)
}

// windowRound returns the window in which a tool of some radius (mm) reaches all between two corners, with its paths
// onto walls, into rings and between them. If the window is most of the stock it is everything, which operations share.
func windowRound(lo, hi geom.Vec2, radius float64, stock geom.Box) access.Window {
	room := asides*radius + besides
	d := geom.Vec2{X: room, Y: room}
	lo, hi = lo.Sub(d), hi.Add(d)
	x, y := min(hi.X, stock.Max.X)-max(lo.X, stock.Min.X), min(hi.Y, stock.Max.Y)-max(lo.Y, stock.Min.Y)
	if size := stock.Size(); x*y > most*size.X*size.Y {
		return access.Window{}
	}
	return access.NewWindow(lo, hi)
}

const (
	asides  = 4.0 // radii
	besides = 10  // mm
	most    = 0.5 // of the stock
)
