//go:build gpu && glfw

package opengl

import (
	"os"
	"testing"

	"millwright.dev/millwright/compute/device"
)

func TestHiddenWindowComputes(t *testing.T) {
	if os.Getenv("DISPLAY") == "" {
		t.Skip("no display: run under xvfb-run")
	}
	for range 2 { // a closed window permits another one
		d, err := device.Open(windows(), device.Options{
			Source: sources(map[string]string{"double.comp": doubling}), Software: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		values := []float32{1, 2, 3}
		if err := double(t.Context(), d, values, 2); err != nil || values[2] != 6 {
			t.Errorf("doubled to %v, %v", values, err)
		}
		if got := d.Info().Opener; got != "hidden window" {
			t.Errorf("opened by %s", got)
		}
		d.Close()
	}
}

func TestNoWindowWithoutDisplay(t *testing.T) {
	t.Setenv("DISPLAY", "")
	if w := windows(); len(w) != 0 {
		t.Errorf("%d ways to a window without a display", len(w))
	}
}

func TestNoWindowOnADeadDisplay(t *testing.T) {
	t.Setenv("DISPLAY", ":987")
	_, err := device.Open(windows(), device.Options{Source: sources(nil), Software: true})
	if reason, _ := device.ReasonOf(err); reason != device.Context {
		t.Errorf("a dead display answers %v", err)
	}
}
