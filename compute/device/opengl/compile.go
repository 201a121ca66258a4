//go:build gpu

package opengl

import (
	"strings"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
)

// Compile implements device.Driver.
func (d *driver) Compile(name, source string) (device.Program, error) {
	shader := gl.CreateShader(gl.COMPUTE_SHADER)
	defer gl.DeleteShader(shader)
	text, free := gl.Strs(source + "\x00")
	defer free()
	gl.ShaderSource(shader, 1, text, nil)
	gl.CompileShader(shader)
	var ok, local int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == gl.FALSE {
		return device.Program{}, device.Errorf(device.Compile, "%s", device.Explain(name, source,
			readLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog)))
	}
	handle := gl.CreateProgram()
	gl.AttachShader(handle, shader)
	gl.LinkProgram(handle)
	gl.DetachShader(handle, shader)
	gl.GetProgramiv(handle, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		log := readLog(handle, gl.GetProgramiv, gl.GetProgramInfoLog)
		gl.DeleteProgram(handle)
		return device.Program{}, device.Errorf(device.Compile, "%s", device.Explain(name, source, log))
	}
	var size [3]int32
	gl.GetProgramiv(handle, gl.COMPUTE_WORK_GROUP_SIZE, &size[0])
	local = size[0] * size[1] * size[2]
	return device.Program{Handle: handle, Local: int(local)}, d.Check()
}

// FreeProgram implements device.Driver.
func (d *driver) FreeProgram(handle uint32) { gl.DeleteProgram(handle) }

// readLog returns the text that the driver wrote about a shader or program.
func readLog(
	handle uint32, get func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8),
) string {
	var n int32
	get(handle, gl.INFO_LOG_LENGTH, &n)
	if n <= 0 {
		return "the driver gives no reason"
	}
	text := make([]byte, n)
	read(handle, n, nil, &text[0])
	return strings.TrimRight(string(text), "\x00\n ")
}
