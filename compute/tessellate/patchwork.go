package tessellate

import (
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file meshes the cells of a face with creases and puts them together again.

// patchwork is the mesh of the finished cells of the current face. All its points are shared points or extra points.
type patchwork struct {
	isOpen bool // written triangles are added to it
	tris   [][3]int32
	p, n   []geom.Vec3
	index  []int32
}

// meshCells meshes the face in work by its cells, if it has creases; false when it is to be meshed as a whole. Where
// it turns out that creases have too few points for a cell, they get more and all cells are done again.
func (w *worker) meshCells(dom *trim.Domain) bool {
	lo, hi := w.box()
	lines, ok := w.creases(lo, hi)
	if !ok {
		return false
	}
	surf, edges := w.shape.surf, len(w.requests)
	asked := map[int32][]float64{}
	const rounds = 6
	for round := 1; round <= rounds; round++ {
		sides, ok := w.cut(lines, asked)
		if !ok {
			return len(w.requests) > edges
		}
		cells, ok := cellsOf(sides)
		if !ok {
			return false
		}
		w.patch(lines, cells, surf)
		if !w.divideCreases(asked) || round == rounds {
			break
		}
		w.warning, w.requests = fault.Warning{}, w.requests[:edges]
		w.load(dom)
		w.shape.set(surf)
	}
	whole := &w.whole
	w.clear()
	w.p, w.n, w.index = append(w.p, whole.p...), append(w.n[:0], whole.n...), append(w.index, whole.index...)
	reversed := w.run.model.Faces[w.face].Reversed
	if reversed {
		w.cells.lost *= -1
	}
	w.write(whole.tris, reversed)
	return true
}

// patch meshes the cells of the face in work.
func (w *worker) patch(lines creases, cells []looped, surf surface.Surface) {
	whole := &w.whole
	w.cells = loss{}
	*whole = patchwork{isOpen: true, tris: whole.tris[:0], p: whole.p[:0], n: whole.n[:0], index: whole.index[:0]}
	across, asked := len(lines[1])-1, 0
	for _, cell := range cells {
		if !w.loadCell(cell.loops) {
			continue
		}
		w.limit = max(1, w.run.faceLimit()-len(whole.tris))
		w.shape.set(lines.patch(surf, cell.number/across, cell.number%across))
		if w.triangulate() {
			w.finish()
		}
		asked += w.asked
	}
	if w.asked = asked; asked > 0 {
		w.asked += len(whole.tris)
	}
	whole.isOpen = false
}

// divideCreases moves the requests on creases from the requests to asked; false if there are no such requests.
func (w *worker) divideCreases(asked map[int32][]float64) bool {
	any := false
	w.requests = slices.DeleteFunc(w.requests, func(q request) bool {
		for k := 1; q.crease > 0 && k < q.pieces; k++ {
			asked[q.crease] = append(asked[q.crease], q.lo+(q.hi-q.lo)*float64(k)/float64(q.pieces))
			any = true
		}
		return q.crease > 0
	})
	return any
}

// loadCell loads loops as the rings of the current face; false if no loop has three points.
func (w *worker) loadCell(rings [][]corner) bool {
	w.clear()
	w.ringEnds = w.ringEnds[:0]
	for _, ring := range rings {
		if len(ring) < 3 {
			continue
		}
		for _, c := range ring {
			if c.isPole {
				w.poles = append(w.poles, int32(len(w.uv)))
			}
			w.uv, w.p = append(w.uv, c.uv), append(w.p, c.p)
			w.index, w.pieces = append(w.index, c.index), append(w.pieces, c.piece)
		}
		w.ringEnds = append(w.ringEnds, int32(len(w.uv)))
	}
	return len(w.ringEnds) > 0
}

// add adds the triangles of the cell in work.
func (a *patchwork) add(w *worker, tris [][3]int32) {
	first, rings := int32(len(a.p)), len(w.index)
	a.p, a.n = append(a.p, w.p...), append(a.n, w.n[:len(w.p)]...)
	a.index = append(a.index, w.index...)
	for _, p := range w.p[rings:] {
		w.extra = append(w.extra, p)
		a.index = append(a.index, ^int32(len(w.extra)-1))
	}
	for _, t := range tris {
		w.cells.add([3]geom.Vec3{w.p[t[0]], w.p[t[1]], w.p[t[2]]}, [3]geom.Vec3{w.n[t[0]], w.n[t[1]], w.n[t[2]]},
			[3]bool{w.isBlunt(t[0]), w.isBlunt(t[1]), w.isBlunt(t[2])}, w.run.angle)
		a.tris = append(a.tris, [3]int32{first + t[0], first + t[1], first + t[2]})
	}
}
