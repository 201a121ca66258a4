package primitivetest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/compute/device/opengl"
)

// compiled are the shaders of all tests, with their defines.
var compiled devicetest.Recorder

// Main is the TestMain of packages whose tests call GPU. A second compiler reads every shader that the tests used,
// because one driver accepts code that another rejects.
func Main(m *testing.M) {
	code := m.Run()
	if code == 0 {
		code = validate()
	}
	os.Exit(code)
}

// validate runs the reference compiler of GLSL over the compiled shaders.
func validate() (code int) {
	validator, err := exec.LookPath("glslangValidator")
	if err != nil {
		fmt.Println("no glslangValidator (package glslang-tools): shaders were read by one compiler only")
		return 0
	}
	folder, err := os.MkdirTemp("", "shaders")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer func() { _ = os.RemoveAll(folder) }()
	compiled.Each(func(name, source string) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
			fmt.Println(err)
			code = 1
			return
		}
		if out, err := exec.Command(validator, "-S", "comp", path).CombinedOutput(); err != nil {
			fmt.Println(device.Explain(name, source, string(out)))
			code = 1
		}
	})
	return code
}

// GPU returns the machine's graphics device or a software renderer, with poisoned memory.
func GPU(t testing.TB) *device.GPU {
	t.Helper()
	g, err := opengl.Open(device.GPUOptions{
		Software: true, Poison: true,
		Openers: func() []device.Opener { return compiled.Over(opengl.Openers()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}
