//go:build gpu && glfw

package opengl

import (
	"os"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"millwright/compute/device"
)

// windows returns the opener of a hidden window, which is a way to the device of a desktop whose EGL knows no
// devices. Without DISPLAY GLFW starts and then fails by a panic, so it is not asked.
func windows() []device.Opener {
	if os.Getenv("DISPLAY") == "" {
		return nil
	}
	return []device.Opener{{Name: "hidden window", Open: openWindow}}
}

func openWindow() (d device.Driver, err error) {
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, device.Errorf(device.Context, "window: %v", p)
		}
	}()
	if err := glfw.Init(); err != nil {
		return nil, device.Errorf(device.Context, "window: %v", err)
	}
	glfw.WindowHint(glfw.Visible, glfw.False)
	glfw.WindowHint(glfw.ClientAPI, glfw.OpenGLAPI)
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.ContextRobustness, glfw.LoseContextOnReset)
	w, err := glfw.CreateWindow(1, 1, "millwright", nil, nil)
	if err != nil {
		glfw.Terminate()
		return nil, device.Errorf(device.Context, "window: %v", err)
	}
	w.MakeContextCurrent()
	return start("hidden window", func(name string) unsafe.Pointer {
		return glfw.GetProcAddress(name)
	}, func() {
		glfw.DetachCurrentContext()
		w.Destroy()
		glfw.Terminate()
	})
}
