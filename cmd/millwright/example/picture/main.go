// Command picture draws the picture of the README: the bundled part with its features colored by kind, next to the
// cutting moves of its last setup.
//
// Its input is the output of `millwright analyze --features --out FOLDER` and `millwright program --out FOLDER`: the
// picture of the features and paths.json. `make picture` runs all three.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/adapters/export"
	"millwright.dev/millwright/adapters/export/thumbnail"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/geom"
)

// size is the edge length of each of the two views in pixels, half of that of a view in the picture of the features.
const size = 512

func main() {
	err := errors.New("usage: picture PART.step FOLDER PICTURE.png")
	if len(os.Args) == 4 {
		err = run(os.Args[1], os.Args[2], os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run writes the picture of a part from the files in a folder.
func run(part, folder, picture string) error {
	both := image.NewNRGBA(image.Rect(0, 0, 2*size, size))
	name := strings.TrimSuffix(filepath.Base(part), filepath.Ext(part)) + ".features.png"
	if err := drawFeatures(both, filepath.Join(folder, name)); err != nil {
		return err
	}
	cuts, err := readCuts(filepath.Join(folder, "paths.json"))
	if err != nil {
		return err
	}
	if err := drawCuts(both, part, cuts); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, both); err != nil {
		return err
	}
	return os.WriteFile(picture, out.Bytes(), 0o644)
}

// drawFeatures fills the left half with the first view of the picture at path, each pixel the mean of four.
func drawFeatures(both *image.NRGBA, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	for y := range size {
		for x := range size {
			var red, green, blue uint32
			for i := range 4 {
				r, g, b, _ := img.At(2*x+i%2, 2*y+i/2).RGBA()
				red, green, blue = red+r, green+g, blue+b
			}
			both.SetNRGBA(x, y, color.NRGBA{uint8(red >> 10), uint8(green >> 10), uint8(blue >> 10), 255})
		}
	}
	return nil
}

// drawCuts fills the right half with the part in gray and the visible cuts in blue. The renderer draws all lines in one
// color, so a pixel belongs to a cut where a picture with the cuts differs from one without.
func drawCuts(both *image.NRGBA, part string, cuts [][]geom.Vec3) error {
	data, err := os.ReadFile(part)
	if err != nil {
		return err
	}
	model, _, err := cad.Reader{}.Read(context.Background(), bytes.NewReader(data), int64(len(data)), part)
	if err != nil {
		return err
	}
	m, err := tessellate.Mesh(context.Background(), model, tessellate.Options{})
	if err != nil {
		return err
	}
	edges := export.SharpEdges(model, m.EdgeLines)
	plain, err := thumbnail.Render(m.Mesh, edges, thumbnail.Options{Size: size})
	if err != nil {
		return err
	}
	lined, err := thumbnail.Render(m.Mesh, append(edges, cuts...), thumbnail.Options{Size: size})
	if err != nil {
		return err
	}
	for y := range size {
		for x := range size {
			was, ink := plain.NRGBAAt(x, y), 0.0
			if is := lined.NRGBAAt(x, y); is.G < was.G {
				ink = 1 - float64(is.G)/float64(was.G)
			}
			mix := func(a uint8, b float64) uint8 { return uint8(float64(a)*(1-ink) + b*ink) }
			both.SetNRGBA(size+x, y, color.NRGBA{mix(was.R, 0), mix(was.G, 90), mix(was.B, 200), 255})
		}
	}
	return nil
}

// cut is the index of cutting moves in "kinds" of a paths.json.
const cut = 1

type vec [3]float64

func (v vec) point() geom.Vec3 { return geom.Vec3{X: v[0], Y: v[1], Z: v[2]} }

// readCuts returns the cutting moves of the last setup of a paths.json as polylines in the part frame (mm). Package
// paths describes the file.
func readCuts(path string) ([][]geom.Vec3, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Setups []struct {
			Frame      struct{ Origin, X, Y, Z vec }
			Operations []struct {
				Start vec
				Moves []json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, err
	}
	if len(file.Setups) == 0 {
		return nil, errors.New("picture: the program has no setup")
	}
	last := file.Setups[len(file.Setups)-1]
	frame := geom.Frame{
		Origin: last.Frame.Origin.point(), X: last.Frame.X.point(), Y: last.Frame.Y.point(), Z: last.Frame.Z.point(),
	}
	var cuts [][]geom.Vec3
	for _, o := range last.Operations {
		at := o.Start.point()
		for _, raw := range o.Moves {
			var move []float64 // kind, x, y, z, feed and, for an arc, its center and its angle in degrees
			if json.Unmarshal(raw, &move) != nil || len(move) < 4 {
				continue // a canned cycle or a dwell
			}
			to := vec(move[1:4]).point()
			if move[0] == cut {
				cuts = append(cuts, polyline(frame, at, to, move))
			}
			at = to
		}
	}
	return cuts, nil
}

// polyline returns a move in the part frame, an arc as chords of at most 5 degrees.
func polyline(f geom.Frame, from, to geom.Vec3, move []float64) []geom.Vec3 {
	out := []geom.Vec3{f.Point(from)}
	if len(move) == 8 {
		center := geom.Vec3{X: move[5], Y: move[6], Z: from.Z}
		spoke := from.Sub(center)
		chords := math.Ceil(math.Abs(move[7]) / 5)
		for k := 1.0; k < chords; k++ {
			sin, cos := math.Sincos(k / chords * move[7] * math.Pi / 180)
			out = append(out, f.Point(center.Add(geom.Vec3{
				X: spoke.X*cos - spoke.Y*sin, Y: spoke.X*sin + spoke.Y*cos, Z: (to.Z - from.Z) * k / chords,
			})))
		}
	}
	return append(out, f.Point(to))
}
