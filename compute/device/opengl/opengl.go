// Package opengl is the OpenGL 4.3 driver of compute/device. It is built with the tag gpu, and needs no
// library but libc when the program starts: libEGL is looked for when a device is opened. With the tag glfw
// on top it also tries a hidden window, and then the program needs the libraries of X11.
//
// Without the tag there are no openers, and the package builds without cgo.
package opengl
