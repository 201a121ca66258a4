//go:build gpu

package gpu

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"millwright/compute/device"
	"millwright/compute/device/devicetest"
	"millwright/compute/device/opengl"
)

// compiled are the shaders of all tests, with their defines.
var compiled devicetest.Recorder

// TestMain has a second compiler read every shader that the tests used: what one driver lets pass, another refuses.
func TestMain(m *testing.M) {
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

// open returns an engine on the machine's software renderer or better, with poisoned memory.
func open(t testing.TB) *Engine {
	t.Helper()
	e, err := Open(Options{
		Software: true, Poison: true,
		Openers: func() []device.Opener { return compiled.Over(opengl.Openers()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func TestCeilings(t *testing.T) {
	e := open(t)
	c, err := e.MeasureCeilings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !(c.BytesPerSecond > 0 && c.FlopsPerSecond > 0 && c.UploadPerSecond > 0) {
		t.Errorf("ceilings %+v", c)
	}
	t.Logf("%s: %+v", e.Name(), c)
}
