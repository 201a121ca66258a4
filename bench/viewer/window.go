//go:build gpu && glfw

package viewer

import (
	"context"

	"github.com/go-gl/glfw/v3.3/glfw"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
)

// Window shows the part until the window is closed or the context ends: drag to turn, the wheel to come closer, 1 to 4
// for the kernel, arrows for the step, Home for the view at the beginning, Escape to end. name is the part's, for the
// title.
func Window(ctx context.Context, o Options, name string) error {
	v, w, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer v.gpu.Close()
	for closed := false; !closed && err == nil; {
		var s *scene
		if s, err = v.look(ctx); err == nil {
			err = v.gpu.Do(ctx, func(on *device.Session) error {
				w.SetTitle(name + " · " + s.title)
				closed, err = w.show(on, v, s)
				return err
			})
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func open(ctx context.Context, o Options) (*viewer, *window, error) {
	w := &window{}
	openers := func() []device.Opener {
		return []device.Opener{opengl.Window(o.Width, o.Height, func(made *glfw.Window) { w.Window = made })}
	}
	v, err := newViewer(o, openers)
	if err != nil {
		return nil, nil, err
	}
	return v, w, v.gpu.Do(ctx, func(*device.Session) error { w.listen(v); return nil })
}

// window is used on the thread of the device only.
type window struct {
	*glfw.Window
	x, y float64 // where the mouse was; pixels
}

// listen has keys and mouse change what is seen.
func (w *window) listen(v *viewer) {
	glfw.SwapInterval(1)
	w.SetKeyCallback(func(_ *glfw.Window, key glfw.Key, _ int, action glfw.Action, _ glfw.ModifierKey) {
		if action != glfw.Release {
			w.press(v, key)
		}
	})
	w.SetScrollCallback(func(_ *glfw.Window, _, notches float64) { v.Camera.Closer(notches) })
	w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		if w.GetMouseButton(glfw.MouseButtonLeft) == glfw.Press {
			v.Camera.Orbit(x-w.x, y-w.y)
		}
		w.x, w.y = x, y
	})
}

func (w *window) press(v *viewer, key glfw.Key) {
	switch key {
	case glfw.Key1, glfw.Key2, glfw.Key3, glfw.Key4:
		v.Kernel, v.Step = Kernel(key-glfw.Key1), 0
	case glfw.KeyRight, glfw.KeyUp:
		v.Step++
	case glfw.KeyLeft, glfw.KeyDown:
		v.Step--
	case glfw.KeyHome:
		v.Camera = Front
	case glfw.KeyEscape:
		w.SetShouldClose(true)
	}
}

// show draws a scene and handles user input until another scene is chosen, or the window is to close.
func (w *window) show(on *device.Session, v *viewer, s *scene) (closed bool, err error) {
	const patience = 0.1 // s, between two looks at the context
	kernel, step := v.Kernel, v.Step
	for {
		if err := on.Context().Err(); err != nil {
			return true, err
		}
		width, height := w.GetFramebufferSize()
		if err := v.draw(on, s, width, height); err != nil {
			return true, err
		}
		w.SwapBuffers()
		glfw.WaitEventsTimeout(patience)
		if w.ShouldClose() || v.Kernel != kernel || v.Step != step {
			return w.ShouldClose(), nil
		}
	}
}
