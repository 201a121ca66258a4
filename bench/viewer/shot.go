//go:build gpu

package viewer

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
)

// Shot writes one picture as a PNG file and returns its title in a line. It needs a device, but no screen.
func Shot(ctx context.Context, o Options, w io.Writer) (title string, err error) {
	v, err := newViewer(o, nil)
	if err != nil {
		return "", err
	}
	defer v.gpu.Close()
	title, picture, err := v.shot(ctx)
	if err != nil {
		return "", err
	}
	return title, png.Encode(w, picture)
}

// shot draws the selected scene.
func (v *viewer) shot(ctx context.Context) (title string, picture *image.NRGBA, err error) {
	s, err := v.look(ctx)
	if err != nil {
		return "", nil, err
	}
	err = v.gpu.Do(ctx, func(on *device.Session) error {
		picture, err = v.grab(on, s)
		return err
	})
	return s.title, picture, err
}

// grab draws into memory of the device and reads it back, the lowest row first.
func (v *viewer) grab(on *device.Session, s *scene) (*image.NRGBA, error) {
	width, height := int32(v.Width), int32(v.Height)
	var frame uint32
	var layers [2]uint32
	gl.GenFramebuffers(1, &frame)
	defer gl.DeleteFramebuffers(1, &frame)
	gl.GenRenderbuffers(2, &layers[0])
	defer gl.DeleteRenderbuffers(2, &layers[0])
	gl.BindFramebuffer(gl.FRAMEBUFFER, frame)
	defer gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	for i, format := range [2]uint32{gl.RGBA8, gl.DEPTH_COMPONENT24} {
		gl.BindRenderbuffer(gl.RENDERBUFFER, layers[i])
		gl.RenderbufferStorage(gl.RENDERBUFFER, format, width, height)
		at := [2]uint32{gl.COLOR_ATTACHMENT0, gl.DEPTH_ATTACHMENT}[i]
		gl.FramebufferRenderbuffer(gl.FRAMEBUFFER, at, gl.RENDERBUFFER, layers[i])
	}
	if state := gl.CheckFramebufferStatus(gl.FRAMEBUFFER); state != gl.FRAMEBUFFER_COMPLETE {
		return nil, fmt.Errorf("a picture of %d × %d pixels cannot be drawn (0x%04x)", width, height, state)
	}
	if err := v.draw(on, s, v.Width, v.Height); err != nil {
		return nil, err
	}
	picture := image.NewNRGBA(image.Rect(0, 0, v.Width, v.Height))
	for y := range v.Height { // rows of a picture go down, those of OpenGL up
		row := picture.Pix[(v.Height-1-y)*picture.Stride:]
		gl.ReadPixels(0, int32(y), width, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(row))
	}
	return picture, nil
}
