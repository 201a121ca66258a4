package stagechild

import (
	"testing"

	"millwright.dev/millwright/compute"
)

// TestApart finds files of the service among those that a child reads, with a graphics device and without.
func TestApart(t *testing.T) {
	for _, row := range []struct {
		device  compute.Device
		private string
		isApart bool
	}{
		{compute.CPU, t.TempDir(), true},
		{compute.Auto, t.TempDir(), true},
		{compute.CPU, "/usr/lib/millwright/secret", false},
		{compute.CPU, "/usr", false},
		{compute.CPU, "/etc/vulkan/secret", true},
		{compute.Auto, "/etc/vulkan/secret", false},
	} {
		if err := (Limits{}).Apart(Device{row.device}, row.private); (err == nil) != row.isApart {
			t.Errorf("%s on %s: %v; want apart: %t", row.private, row.device, err, row.isApart)
		}
	}
}
