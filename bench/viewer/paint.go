//go:build gpu

package viewer

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/shaders"
)

//go:embed shaders
var embedded embed.FS

// background is what no part covers.
var background = [3]float32{0.08, 0.09, 0.11}

// figure is something to draw: triangles whose corners a shader finds in buffers.
type figure struct {
	shader   string
	defines  []string
	buffers  []device.Buffer // buffer i is at layout(std430, binding = i)
	uniforms []device.Uniform
	corners  int
}

// painter draws figures. It is used on the thread of the device only.
type painter struct {
	sources  fs.FS
	programs map[string]uint32
	array    uint32 // a vertex array without any: OpenGL wants one
}

func newPainter() painter {
	sources, err := fs.Sub(embedded, "shaders")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return painter{sources: sources, programs: map[string]uint32{}}
}

// draw draws a scene into the framebuffer that is bound.
func (v *viewer) draw(on *device.Session, s *scene, width, height int) error {
	if v.array == 0 {
		gl.GenVertexArrays(1, &v.array)
	}
	gl.BindVertexArray(v.array)
	gl.Viewport(0, 0, int32(width), int32(height))
	gl.Enable(gl.DEPTH_TEST)
	gl.ClearColor(background[0], background[1], background[2], 1)
	gl.Clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
	all, err := v.figures(on, s)
	if err != nil {
		return err
	}
	f := v.Camera.frame()
	camera := []device.Uniform{
		{Name: "right", Value: short(f.X)}, {Name: "up", Value: short(f.Y)}, {Name: "eye", Value: short(f.Z)},
		{Name: "scale", Value: v.Camera.scale(v.part.diagonal, width, height)},
	}
	for _, k := range all {
		if err := v.paint(k, camera); err != nil {
			return err
		}
	}
	return nil
}

// figures returns the figures of a scene, with the buffers that its kernels wrote.
func (v *viewer) figures(on *device.Session, s *scene) (all []figure, err error) {
	var written []device.Buffer
	var jobs []device.Job
	for _, key := range s.results {
		buffers, job, ok := on.Kept(key)
		if !ok {
			return nil, fmt.Errorf("%s: the result is not on the device", s.title)
		}
		written, jobs = append(written, buffers...), append(jobs, job.(device.Job))
	}
	if s.direction != (geom.Vec3{}) {
		r := v.part.diagonal
		all = append(all, figure{shader: "arrow.vert", corners: 9, uniforms: []device.Uniform{
			{Name: "from", Value: short(s.direction.Scale(0.4 * r))},
			{Name: "to", Value: short(s.direction.Scale(0.58 * r))},
		}})
	}
	switch {
	case s.stock != nil:
		for a, j := range jobs {
			all = append(all, v.bundle(s.stock.Stock.Lattice, a, j, written[2*a:2*a+2]))
		}
	case s.in.Mesh != nil:
		all = append(all, v.surface(s, written))
	default:
		corners, err := v.pieces(on)
		if err != nil {
			return nil, err
		}
		all = append(all, figure{
			shader: "visibility.vert", corners: len(v.part.corners),
			buffers: append([]device.Buffer{corners}, written...),
		})
	}
	return all, nil
}

// pieces returns the corners of the pieces of the surface on the device.
func (v *viewer) pieces(on *device.Session) (device.Buffer, error) {
	if kept, _, ok := on.Kept(v.part); ok {
		return kept[0], nil
	}
	b, err := device.Upload(on, v.part.corners)
	if err == nil {
		on.Keep(v.part, nil, b)
	}
	return b, err
}

// surface is that of the heights of a scene.
func (v *viewer) surface(s *scene, written []device.Buffer) figure {
	g, f := s.in.Grid, s.in.Frame // which begins in the middle of the part
	k := figure{
		shader: "heights.vert", buffers: written, corners: 6 * (g.Width - 1) * (g.Height - 1),
		uniforms: []device.Uniform{
			{Name: "size", Value: [2]uint32{uint32(g.Width), uint32(g.Height)}},
			{Name: "first", Value: short(f.Dir(geom.Vec3{X: g.X, Y: g.Y}))},
			{Name: "across", Value: short(f.X.Scale(g.Step))}, {Name: "down", Value: short(f.Y.Scale(g.Step))},
			{Name: "along", Value: short(f.Z)}, {Name: "span", Value: s.span},
		},
	}
	if len(written) > 1 {
		k.defines = []string{"TIP"}
	}
	return k
}

// bundle is that of the dexels along an axis; the job says how its rays lie in the buffers.
func (v *viewer) bundle(l dexel.Lattice, axis int, job device.Job, written []device.Buffer) figure {
	units := [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	tints := [3][3]float32{{0.9, 0.35, 0.3}, {0.35, 0.8, 0.4}, {0.3, 0.55, 0.95}}
	b, c := dexel.Side(axis)
	right, up := units[b].Scale(l.Step), units[c].Scale(l.Step)
	first := l.Origin.Sub(v.part.box.Center()).AddScaled(0.5, right.Add(up))
	room := written[0].Bytes() / written[1].Bytes() / 2 // spans of 8 bytes to a count of 4
	k := figure{
		shader: "dexels.vert", defines: job.Shader.Defines, buffers: written, corners: 12 * room * l.Rays(axis),
		uniforms: []device.Uniform{
			{Name: "first", Value: short(first)}, {Name: "along", Value: short(units[axis])},
			{Name: "across", Value: short(right)}, {Name: "down", Value: short(up)}, {Name: "tint", Value: tints[axis]},
			{Name: "ends", Value: float32(float64(l.Count[axis]) * l.Step)},
		},
	}
	for _, u := range job.Uniforms {
		if u.Name == "layoutOf" {
			k.uniforms = append(k.uniforms, u)
		}
	}
	return k
}

// paint draws a figure as the camera sees it.
func (p *painter) paint(k figure, camera []device.Uniform) error {
	program, err := p.program(k.shader, k.defines)
	if err != nil {
		return err
	}
	gl.UseProgram(program)
	for i, b := range k.buffers {
		gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, uint32(i), b.Handle(), 0, b.Bytes())
	}
	for _, u := range append(camera[:len(camera):len(camera)], k.uniforms...) {
		at := gl.GetUniformLocation(program, gl.Str(u.Name+"\x00"))
		switch value := u.Value.(type) {
		case float32:
			gl.Uniform1f(at, value)
		case [2]float32:
			gl.Uniform2fv(at, 1, &value[0])
		case [3]float32:
			gl.Uniform3fv(at, 1, &value[0])
		case [2]uint32:
			gl.Uniform2uiv(at, 1, &value[0])
		case [4]uint32:
			gl.Uniform4uiv(at, 1, &value[0])
		default:
			return fmt.Errorf("%s: uniform %s is a %T", k.shader, u.Name, u.Value)
		}
	}
	gl.DrawArrays(gl.TRIANGLES, 0, int32(k.corners))
	return nil
}

// program links a vertex shader with the light, or returns it from those linked before.
func (p *painter) program(name string, defines []string) (uint32, error) {
	key := name + " " + strings.Join(defines, " ")
	if handle, ok := p.programs[key]; ok {
		return handle, nil
	}
	handle := gl.CreateProgram()
	for _, stage := range []struct {
		kind    uint32
		name    string
		defines []string
	}{{gl.VERTEX_SHADER, name, defines}, {gl.FRAGMENT_SHADER, "lit.frag", nil}} {
		source, err := shaders.Expand(p.sources, stage.name, stage.defines)
		if err != nil {
			return 0, err
		}
		shader, err := compile(stage.kind, stage.name, source)
		if err != nil {
			return 0, err
		}
		gl.AttachShader(handle, shader)
		gl.DeleteShader(shader) // with the program
	}
	gl.LinkProgram(handle)
	var ok int32
	if gl.GetProgramiv(handle, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		var log [1024]byte
		gl.GetProgramInfoLog(handle, int32(len(log)), nil, &log[0])
		return 0, fmt.Errorf("%s does not link: %s", name, gl.GoStr(&log[0]))
	}
	p.programs[key] = handle
	return handle, nil
}

func compile(kind uint32, name, source string) (uint32, error) {
	shader := gl.CreateShader(kind)
	text, free := gl.Strs(source + "\x00")
	defer free()
	gl.ShaderSource(shader, 1, text, nil)
	gl.CompileShader(shader)
	var ok int32
	if gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
		var log [1024]byte
		gl.GetShaderInfoLog(shader, int32(len(log)), nil, &log[0])
		return 0, fmt.Errorf("%s", device.Explain(name, source, gl.GoStr(&log[0])))
	}
	return shader, nil
}
