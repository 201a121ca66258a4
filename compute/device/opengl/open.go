package opengl

import (
	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/shaders"
)

// Open finds a graphics device for the shaders of this program. If there is no device, it returns a *device.Error with
// the reason; without the tag gpu, the reason is that the program has no GPU support.
func Open(opts device.GPUOptions) (*device.GPU, error) {
	if opts.Source == nil {
		opts.Source = shaders.Source
	}
	if opts.Openers == nil {
		opts.Openers = Openers
	}
	return device.OpenGPU(opts)
}
