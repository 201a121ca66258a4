//go:build !gpu

package viewer

import (
	"context"
	"errors"
	"io"
)

// Shot needs the tag gpu.
func Shot(context.Context, Options, io.Writer) (title string, err error) {
	return "", errors.New("this program draws nothing: run it by `go run -tags gpu,glfw ./bench view MESH.stl`")
}
