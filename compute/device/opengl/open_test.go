package opengl_test

import (
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
)

func TestOpenReportsReasonWithoutDevice(t *testing.T) {
	e, err := opengl.Open(device.GPUOptions{})
	if err == nil {
		defer e.Close()
		if e.IsSoftware() || e.Name() == "" {
			t.Errorf("%q was opened unasked", e.Name())
		}
		return
	}
	t.Log(err)
	reason, ok := device.ReasonOf(err)
	if !ok || reason == device.NotBuilt && opengl.Built || reason != device.NotBuilt && !opengl.Built {
		t.Errorf("reason %q of %v; GPU support built in: %v", reason, err, opengl.Built)
	}
}
