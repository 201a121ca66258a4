package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"slices"

	"millwright.dev/millwright/bench/viewer"
)

// viewCmd shows the results of the kernels for a mesh.
type viewCmd struct {
	Mesh   string  `arg:"" type:"existingfile" help:"Binary STL file."`
	Kernel string  `default:"visibility" enum:"visibility,height-map,tip-map,dexels" help:"What is seen at first."`
	Step   int     `help:"Number of the direction or tool, or how many rows more than one have been milled."`
	Shot   string  `help:"PNG file for one picture, instead of a window; needs no screen."`
	Yaw    float64 `default:"-60" help:"Degrees by which the eye is turned about z, from x on."`
	Pitch  float64 `default:"30" help:"Degrees by which the eye is above the plane of x and y."`
	Zoom   float64 `default:"1" help:"1: the part fits the picture."`
	Width  int     `default:"1200" help:"Pixels."`
	Height int     `default:"900" help:"Pixels."`
}

// Run opens the window, or writes the picture.
func (c *viewCmd) Run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m, err := readSTL(c.Mesh)
	if err != nil {
		return err
	}
	o := viewer.Options{
		Mesh: m, Kernel: viewer.Kernel(slices.Index(viewer.Names, c.Kernel)), Step: c.Step,
		Width: c.Width, Height: c.Height,
		Camera: viewer.Camera{Yaw: c.Yaw * math.Pi / 180, Pitch: c.Pitch * math.Pi / 180, Zoom: c.Zoom},
	}
	if c.Shot == "" {
		return viewer.Window(ctx, o, filepath.Base(c.Mesh))
	}
	f, err := os.Create(c.Shot)
	if err != nil {
		return err
	}
	title, err := viewer.Shot(ctx, o, f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(c.Shot)
		return err
	}
	fmt.Println(title)
	return nil
}
