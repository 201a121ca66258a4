//go:build gpu

package opengl_test

import (
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
)

func TestCeilings(t *testing.T) {
	g, err := opengl.Open(device.GPUOptions{Software: true, Poison: true})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	c, err := g.MeasureCeilings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !(c.BytesPerSecond > 0 && c.FlopsPerSecond > 0 && c.UploadPerSecond > 0) {
		t.Errorf("ceilings %+v", c)
	}
	o, err := g.MeasureOverhead(t.Context())
	if err != nil || !(o.Latency > 0 && o.BytesPerSecond > 0) {
		t.Errorf("overhead %+v, %v", o, err)
	}
	t.Logf("%s: %+v, %+v", g.Name(), c, o)
}
