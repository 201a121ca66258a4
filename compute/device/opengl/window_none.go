//go:build gpu && !glfw

package opengl

import "millwright.dev/millwright/compute/device"

// windows returns no opener: a build without the tag glfw opens no window.
func windows() []device.Opener { return nil }
