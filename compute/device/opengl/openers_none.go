//go:build !gpu

package opengl

import "millwright.dev/millwright/compute/device"

// Openers returns no openers in a build without the tag gpu.
func Openers() []device.Opener {
	return []device.Opener{{Name: "build", Open: func() (device.Driver, error) {
		return nil, device.Errorf(device.NotBuilt, "this program was built without GPU support")
	}}}
}

// Built reports whether the program has GPU support.
const Built = false
