//go:build !gpu || !glfw

package viewer

import (
	"context"
	"errors"
)

// Window needs the tags gpu and glfw.
func Window(context.Context, Options, string) error {
	return errors.New("this program opens no window: run it by `go run -tags gpu,glfw ./bench view MESH.stl`")
}
