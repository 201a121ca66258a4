package tessellate

import (
	"sync"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// stitch joins the faces in model order and checks the result. The error is that of the context.
func (r *run) stitch() (*Result, error) {
	nt, np := 0, len(r.points)
	base := make([]int32, len(r.faces)) // of the points of each face alone
	regions := make([]mesh.Region, len(r.faces))
	for i := range r.faces {
		f, reg := &r.faces[i], &regions[i]
		base[i] = int32(np)
		reg.Start, reg.End = int32(nt), int32(nt+len(f.triangles))
		nt, np = nt+len(f.triangles), np+len(f.points)
	}
	m := &mesh.Mesh{Points: make([]geom.Vec3, np), Triangles: make([][3]int32, nt), Regions: regions}
	copy(m.Points, r.points)
	err := r.parallel(len(r.faces), few, func(_ *worker, i int) {
		f, reg := &r.faces[i], &regions[i]
		copy(m.Points[base[i]:], f.points)
		for k, t := range f.triangles {
			m.Triangles[int(reg.Start)+k] = [3]int32{place(t[0], base[i]), place(t[1], base[i]), place(t[2], base[i])}
		}
		for k, c := range f.corners {
			f.corners[k] = place(c, base[i])
		}
		reg.Vertices, reg.Normals = f.corners, f.normals
		f.triangles, f.points = nil, nil
	})
	if err != nil {
		return nil, err
	}
	res := &Result{Mesh: m, ChordTolerance: r.chord, AngleTolerance: r.angle}
	res.EdgeLines, res.EdgeParams = r.edgeLines(len(r.model.Edges))
	r.points, r.samples = nil, nil // the check needs the memory
	res.Report = r.untangle(m)
	res.Warnings = r.warnings(r.turnInverted(m), res.Report)
	return res, nil
}

// place turns a worker's corner into an index of the mesh.
func place(c, base int32) int32 {
	if c < 0 {
		return base + ^c
	}
	return c
}

// warnings collects the warnings of the faces, then those of shells and the whole.
func (r *run) warnings(inverted []brep.ShellID, rep mesh.Report) []fault.Warning {
	var out []fault.Warning
	for i := range r.faces {
		if w := r.faces[i].warning; w.Code != "" {
			out = append(out, w)
		}
	}
	for _, sh := range inverted {
		out = append(out, fault.Warnf(WarnInverted, 1,
			"%s was oriented inside out; its triangles are turned round", r.model.ShellName(sh)))
	}
	if !rep.Watertight {
		out = append(out, fault.Warnf(WarnOpen, 1,
			"The mesh is not closed: it has %d open, %d non-manifold and %d inconsistent edges",
			rep.OpenEdges, rep.NonManifoldEdges, rep.InconsistentEdges))
	}
	return out
}

// turnInverted reverses the triangles of closed shells that enclose a negative volume, or for a void a positive one,
// and returns those shells.
func (r *run) turnInverted(m *mesh.Mesh) []brep.ShellID {
	var out []brep.ShellID
	for i := range r.model.Shells {
		sh := &r.model.Shells[i]
		if sh.Solid == brep.None {
			continue
		}
		box := geom.EmptyBox()
		for _, f := range sh.Faces {
			for _, p := range m.Regions[f].Vertices {
				box = box.Add(m.Points[p])
			}
		}
		volume := 0.0
		for _, f := range sh.Faces {
			volume += m.VolumeOf(int(m.Regions[f].Start), int(m.Regions[f].End), box.Center())
		}
		if sh.IsVoid {
			volume = -volume
		}
		if volume >= 0 {
			continue
		}
		out = append(out, brep.ShellID(i))
		for _, f := range sh.Faces {
			reg := &m.Regions[f]
			r.faces[f].cells.lost *= -1
			for t := reg.Start; t < reg.End; t++ {
				tri := &m.Triangles[t]
				tri[1], tri[2] = tri[2], tri[1]
			}
			for k := range reg.Normals {
				reg.Normals[k] = reg.Normals[k].Neg()
			}
		}
	}
	return out
}

// ticker reports progress from one goroutine at a time, at most a hundred times.
type ticker struct {
	mu         sync.Mutex
	report     func(done, total int)
	count, all int
}

func newTicker(report func(done, total int), total int) *ticker {
	return &ticker{report: report, all: total}
}

func (t *ticker) done() {
	if t.report == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	const reports = 100
	if step := max(1, t.all/reports); t.count%step == 0 || t.count == t.all {
		t.report(t.count, t.all)
	}
}
