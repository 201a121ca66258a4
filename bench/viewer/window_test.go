//go:build gpu && glfw

package viewer

import (
	"image"
	"os"
	"testing"

	"github.com/go-gl/gl/v4.3-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"millwright.dev/millwright/compute/device"
)

func TestWindowShowsWhatIsChosen(t *testing.T) {
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no display: run under xvfb-run")
	}
	v, w, err := open(t.Context(), Options{Mesh: table(), Camera: Front, Width: 320, Height: 240})
	if err != nil {
		t.Fatal(err)
	}
	defer v.gpu.Close()
	for _, c := range []struct {
		key  glfw.Key
		want [2]int // kernel and step
	}{
		{glfw.KeyRight, [2]int{0, 1}}, {glfw.KeyLeft, [2]int{0, 0}},
		{glfw.Key4, [2]int{3, 0}}, {glfw.KeyLeft, [2]int{3, pathRows - 1}},
		{glfw.Key2, [2]int{1, 0}}, {glfw.Key3, [2]int{2, 0}}, {glfw.KeyEscape, [2]int{2, 0}},
	} {
		w.press(v, c.key) // on this goroutine: nothing else is under way
		s, err := v.look(t.Context())
		if got := [2]int{int(v.Kernel), v.Step}; err != nil || got != c.want {
			t.Fatalf("key %d: kernel and step %v, want %v; %v", c.key, got, c.want, err)
		}
		if c.key == glfw.KeyEscape {
			showOnce(t, v, w, s)
		}
	}
}

// showOnce has the window show a scene and end, and looks at what it drew.
func showOnce(t *testing.T, v *viewer, w *window, s *scene) {
	t.Helper()
	screen := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	err := v.gpu.Do(t.Context(), func(on *device.Session) error {
		closed, err := w.show(on, v, s)
		if !closed {
			t.Error("Escape does not end it")
		}
		if err := v.draw(on, s, v.Width, v.Height); err != nil { // a swap leaves nothing to be read
			return err
		}
		gl.ReadPixels(0, 0, int32(v.Width), int32(v.Height), gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(screen.Pix))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if pixels, _ := classes(screen); pixels[blue] < 1000 || pixels[red] < 200 || pixels[nothing] < 1000 {
		t.Errorf("on the screen: pixels %v", pixels)
	}
}

func TestNoWindowWithoutADisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	if err := Window(t.Context(), Options{Mesh: table(), Camera: Front, Width: 2, Height: 2}, "table"); err == nil {
		t.Error("no error")
	}
}
