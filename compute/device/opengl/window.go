//go:build gpu && glfw

package opengl

import (
	"os"
	"unsafe"

	"github.com/go-gl/glfw/v3.3/glfw"

	"millwright.dev/millwright/compute/device"
)

// windows returns the opener of a hidden window, which reaches the device of a desktop whose EGL lists no devices.
// Without DISPLAY, GLFW starts and then panics, so it is not called.
func windows() []device.Opener {
	if os.Getenv("DISPLAY") == "" {
		return nil
	}
	return []device.Opener{window("hidden window", 1, 1, glfw.False, func(*glfw.Window) {})}
}

// Window returns the opener of a visible window with a size in pixels. A program draws computed data in its context.
// made receives the window on the device's thread, the only thread that may use it. The window closes with the device.
func Window(width, height int, made func(*glfw.Window)) device.Opener {
	return window("window", width, height, glfw.True, made)
}

func window(name string, width, height, visible int, made func(*glfw.Window)) device.Opener {
	return device.Opener{Name: name, Open: func() (d device.Driver, err error) {
		if os.Getenv("DISPLAY") == "" {
			return nil, device.Errorf(device.NoDevice, "window: there is no display")
		}
		defer func() {
			if p := recover(); p != nil {
				d, err = nil, device.Errorf(device.Context, "window: %v", p)
			}
		}()
		w, err := create(width, height, visible)
		if err != nil {
			return nil, device.Errorf(device.Context, "window: %v", err)
		}
		w.MakeContextCurrent()
		d, err = start(name, func(symbol string) unsafe.Pointer {
			return glfw.GetProcAddress(symbol)
		}, func() {
			glfw.DetachCurrentContext()
			w.Destroy()
			glfw.Terminate()
		})
		if err == nil {
			made(w)
		}
		return d, err
	}}
}

func create(width, height, visible int) (*glfw.Window, error) {
	if err := glfw.Init(); err != nil {
		return nil, err
	}
	glfw.WindowHint(glfw.Visible, visible)
	glfw.WindowHint(glfw.ClientAPI, glfw.OpenGLAPI)
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 3)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.ContextRobustness, glfw.LoseContextOnReset)
	w, err := glfw.CreateWindow(width, height, "millwright", nil, nil)
	if err != nil {
		glfw.Terminate()
	}
	return w, err
}
