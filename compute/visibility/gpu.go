package visibility

// Visibility of samples along parallel rays.
//
// Method: the points are rotated into the view of each direction and rounded to whole steps there, as on the processor.
// So are the boxes of a bounding volume hierarchy that is built once for all directions (package bvh). A ray is then a
// point with a height; it walks the tree by skip pointers and tests triangles with exact edge functions. See
// shaders/visibility.comp.
//
// Cost: for every direction O(points + nodes) to rotate them, and a walk per sample; 12 bytes per point, 20 per node
// and a bit per sample in device memory. Directions are processed in as many runs as the memory requires. Data of the
// mesh alone is built and sent once: it stays on the device for later calls with the same points and triangles. Limits:
// doubles in the shader, which OpenGL 4.0 has and which are slow on some consumer devices.

import (
	"context"
	"errors"
	"hash/maphash"
	"math"
	"runtime"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/visibility/internal/bvh"
	"millwright.dev/millwright/core/kernel/geom"
)

// viewMemory is the device memory (bytes) for the views of one run of directions.
const viewMemory = 256 << 20

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := newOutput(len(in.Directions), len(in.Samples))
	if len(in.Directions) == 0 || len(in.Samples) == 0 {
		return out, ctx.Err()
	}
	v := newViews(in)
	look := func(s *device.Session) error { return v.run(s, &out) }
	err := gpu.Do(ctx, look)
	if errors.Is(err, errNoScene) {
		if v.tree, err = bvh.New(v.points, in.Triangles, runtime.GOMAXPROCS(0)); err == nil {
			err = gpu.Do(ctx, look)
		}
	}
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// errNoScene is the error of a call whose mesh is not on the device: the tree is built outside the device's thread.
var errNoScene = errors.New("the mesh is not on the device")

// views is the data for the device.
type views struct {
	in     *Input
	points []geom.Vec3 // steps, relative to the center
	key    sceneKey
	tree   *bvh.Tree // nil: not made yet
	nodes  int
	origin []float64 // of the samples, in steps; steps per mm
	words  int       // uint32 per direction; even

	// on the device
	static struct{ points, nodes, corners, middle, samples, normals, origin device.Buffer }
}

func newViews(in *Input) *views {
	points, origin, perMM := in.steps()
	return &views{
		in: in, points: points, key: keyOf(points, in.Triangles),
		origin: []float64{origin.X, origin.Y, origin.Z, perMM}, words: (len(in.Samples) + 63) / 64 * 2,
	}
}

// sceneKey identifies the points and triangles of a mesh. Its seeds belong to the process, so two meshes have the same
// key with a probability of only 2⁻¹²⁸.
type sceneKey [2]uint64

var sceneSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func keyOf(points []geom.Vec3, triangles [][3]int32) (key sceneKey) {
	for i, seed := range sceneSeeds {
		var h maphash.Hash
		h.SetSeed(seed)
		maphash.WriteComparable(&h, [2]int{len(points), len(triangles)})
		_, _ = h.Write(device.Bytes(points)) // never fails
		_, _ = h.Write(device.Bytes(triangles))
		key[i] = h.Sum64()
	}
	return key
}

// run takes the directions in runs whose views fit the memory.
func (v *views) run(s *device.Session, out *Output) error {
	if err := v.upload(s); err != nil {
		return err
	}
	const point, node, word = 12, 20, 4 // bytes
	perView := max(point*len(v.points), node*v.nodes, word*v.words)
	most := max(1, min(s.Limits().StorageBytes, viewMemory)/perView)
	rays := 1 << 30 / (32 * v.words) // one job has at most 2^32 rays
	most = min(most, max(1, rays), len(out.Rows))
	for lo := 0; lo < len(out.Rows); lo += most {
		if err := v.see(s, lo, min(lo+most, len(out.Rows)), out); err != nil {
			return err
		}
	}
	return nil
}

// upload copies the data shared by all directions to the device, unless it is there already.
func (v *views) upload(s *device.Session) (err error) {
	put := func(b *device.Buffer, make func() (device.Buffer, error)) {
		if err == nil {
			*b, err = make()
		}
	}
	d := &v.static
	if scene, nodes, ok := s.Kept(v.key); ok {
		d.points, d.nodes, d.corners, d.middle, v.nodes = scene[0], scene[1], scene[2], scene[3], nodes.(int)
	} else if v.tree == nil {
		return errNoScene
	} else {
		t := v.tree
		v.nodes = len(t.Nodes())
		put(&d.points, func() (device.Buffer, error) { return device.Upload(s, v.points) })
		put(&d.nodes, func() (device.Buffer, error) { return device.Upload(s, t.Nodes()) })
		put(&d.corners, func() (device.Buffer, error) { return device.Upload(s, t.Triangles()) })
		put(&d.middle, func() (device.Buffer, error) { return device.Upload(s, []geom.Vec3{t.Middle()}) })
		if err == nil {
			s.Keep(v.key, v.nodes, d.points, d.nodes, d.corners, d.middle)
		}
	}
	put(&d.samples, func() (device.Buffer, error) { return device.Upload(s, v.in.Samples) })
	put(&d.normals, func() (device.Buffer, error) { return device.Upload(s, v.in.Normals) })
	put(&d.origin, func() (device.Buffer, error) { return device.Upload(s, v.origin) })
	return err
}

// see processes directions lo to hi.
func (v *views) see(s *device.Session, lo, hi int, out *Output) error {
	axes, n := make([]float64, 0, 9*(hi-lo)), hi-lo
	for _, dir := range v.in.Directions[lo:hi] {
		f := geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{})
		for _, a := range [3]geom.Vec3{f.X, f.Y, f.Z} {
			axes = append(axes, a.X, a.Y, a.Z)
		}
	}
	given, err := device.Upload(s, axes)
	if err != nil {
		return err
	}
	defer s.Free(given)
	turned, err := device.Alloc[[3]float32](s, n*len(v.points))
	if err != nil {
		return err
	}
	defer s.Free(turned)
	boxes, err := device.Alloc[[5]float32](s, n*v.nodes)
	if err != nil {
		return err
	}
	defer s.Free(boxes)
	bits, err := device.Alloc[uint32](s, n*v.words)
	if err != nil {
		return err
	}
	defer s.Free(bits)
	for _, job := range v.jobs(n, given, turned, boxes, bits) {
		if err := s.Run(job); err != nil {
			return err
		}
	}
	words := make([]uint32, n*v.words)
	if err := device.Download(s, bits, words); err != nil {
		return err
	}
	for d := lo; d < hi; d++ {
		row := words[(d-lo)*v.words:]
		for i := range out.Rows[d] {
			out.Rows[d][i] = uint64(row[2*i]) | uint64(row[2*i+1])<<32
		}
	}
	return nil
}

// jobs turns the points, puts boxes around the nodes and casts the rays of n directions.
func (v *views) jobs(n int, axes, turned, boxes, bits device.Buffer) []device.Job {
	d := &v.static
	nodes, points := uint32(v.nodes), uint32(len(v.points))
	hasNormals := uint32(0)
	if len(v.in.Normals) > 0 {
		hasNormals = 1
	}
	return []device.Job{{
		Shader: device.Shader{Name: "visibility_points.comp"}, Items: n * len(v.points),
		Buffers:  []device.Buffer{axes, d.points, turned},
		Uniforms: []device.Uniform{{Name: "count", Value: points}},
	}, {
		Shader: device.Shader{Name: "visibility_boxes.comp"}, Items: n * v.nodes,
		Buffers:  []device.Buffer{axes, d.nodes, turned, d.corners, boxes, d.middle},
		Uniforms: []device.Uniform{{Name: "nodeCount", Value: nodes}, {Name: "pointCount", Value: points}},
	}, {
		Shader: device.Shader{Name: "visibility.comp"}, Items: n * 32 * v.words,
		Buffers: []device.Buffer{axes, d.nodes, turned, d.corners, boxes, d.samples, d.normals, d.origin, bits},
		Uniforms: []device.Uniform{
			{Name: "nodeCount", Value: nodes}, {Name: "pointCount", Value: points},
			{Name: "sampleCount", Value: uint32(len(v.in.Samples))}, {Name: "words", Value: uint32(v.words)},
			{Name: "hasNormals", Value: hasNormals},
			{Name: "grazing", Value: float32(min(v.in.Grazing, math.MaxFloat32))},
		},
		// A walk visits some nodes per level of the tree.
		Weight: 1 + math.Log2(1+float64(v.nodes)),
	}}
}
