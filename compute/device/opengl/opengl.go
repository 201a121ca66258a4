// Package opengl is the OpenGL 4.3 driver of compute/device. It is built with the tag gpu. The program needs only libc
// to start: libEGL is loaded when a device is opened. With the additional tag glfw it also tries a hidden window, and
// the program needs the libraries of X11.
//
// Without the tag there are no openers, and the package builds without cgo.
package opengl
