// Package threemf writes meshes as 3MF (3D Manufacturing Format, core specification 1.3): a zip container with one XML
// model of unit millimeter. Base materials distinguish the faces. They belong to the core and have names, so programs
// without any extension show the colors, and slicers can assign settings to each.
//
// Coordinates are part coordinates, in the digits of a float32, as in STL and GLB. Triangles are in mesh order.
// Triangles with two equal corners, which the format forbids and which have no area, are omitted; that opens no edge.
package threemf

import (
	"archive/zip"
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"

	"millwright.dev/millwright/adapters/export/internal/color"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Material is the name and color of a group of faces.
type Material struct {
	Name  string
	Color brep.Color // sRGB
}

// Options is the content of the file.
type Options struct {
	Name      string     // of the part
	Materials []Material // at least one; the last is the material of the part, where a face has no other
	OfRegion  []int      // the index in Materials of each region's
}

// Parts of the container. The first two say which part is the model (Open Packaging Conventions, ECMA-376 part 2).
const (
	modelPath    = "3D/3dmodel.model"
	contentTypes = xml.Header + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>`
	relations = xml.Header + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="model" Target="/` + modelPath + `" ` +
		`Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`
)

// packed is the time of every part: the first that zip knows, so that the same mesh gives the same bytes.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Write writes m to w. It fails when w does, or when a coordinate is not a finite float32; then part of the file may
// have been written. Its memory is one buffer of the file.
func Write(w io.Writer, m *mesh.Mesh, o Options) error {
	if err := write(w, m, o); err != nil {
		return fmt.Errorf("3mf: %w", err)
	}
	return nil
}

func write(w io.Writer, m *mesh.Mesh, o Options) error {
	container := zip.NewWriter(w)
	// The XML shrinks to a fifth at the least effort already; the usual one takes five times as long for a sixth.
	container.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for _, part := range []struct {
		path  string
		write func(*bufio.Writer) error
	}{
		{"[Content_Types].xml", text(contentTypes)},
		{"_rels/.rels", text(relations)},
		{modelPath, func(b *bufio.Writer) error { return writeModel(b, m, o) }},
	} {
		to, err := container.CreateHeader(&zip.FileHeader{Name: part.path, Method: zip.Deflate, Modified: packed})
		if err != nil {
			return err
		}
		buffer := bufio.NewWriterSize(to, 1<<16)
		if err := part.write(buffer); err != nil {
			return err
		}
		if err := buffer.Flush(); err != nil {
			return err
		}
	}
	return container.Close()
}

func text(s string) func(*bufio.Writer) error {
	return func(b *bufio.Writer) error {
		_, err := b.WriteString(s)
		return err
	}
}

// Ids of the resources.
const (
	materials = "1"
	object    = "2"
)

// writeModel writes the model with one object. Errors of b stay with it.
func writeModel(b *bufio.Writer, m *mesh.Mesh, o Options) error {
	name := escaped(o.Name)
	_, _ = b.WriteString(xml.Header + `<model unit="millimeter" xml:lang="en" ` +
		`xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><metadata name="Title">` + name +
		`</metadata><metadata name="Application">millwright</metadata><resources><basematerials id="` +
		materials + `">`)
	for _, material := range o.Materials {
		_, _ = fmt.Fprintf(b, `<base name="%s" displaycolor="%s"/>`, escaped(material.Name), color.Hex(material.Color))
	}
	last := len(o.Materials) - 1
	_, _ = fmt.Fprintf(b,
		`</basematerials><object id="%s" type="model" name="%s" pid="%s" pindex="%d"><mesh><vertices>`,
		object, name, materials, last)
	for i, p := range m.Points {
		if err := writeVertex(b, i, p); err != nil {
			return err
		}
	}
	_, _ = b.WriteString(`</vertices><triangles>`)
	for i := range m.Regions {
		material := last
		if i < len(o.OfRegion) {
			material = o.OfRegion[i]
		}
		r := &m.Regions[i]
		writeTriangles(b, m.Triangles[r.Start:r.End], material)
	}
	_, _ = b.WriteString(`</triangles></mesh></object></resources>` +
		`<build><item objectid="` + object + `"/></build></model>`)
	return nil
}

func writeVertex(b *bufio.Writer, i int, p geom.Vec3) error {
	line := b.AvailableBuffer()
	for k, c := range [3]float64{p.X, p.Y, p.Z} {
		if !(math.Abs(c) <= math.MaxFloat32) {
			return fmt.Errorf("point %d (%g, %g, %g) is not a finite float32", i, p.X, p.Y, p.Z)
		}
		line = append(line, [3]string{`<vertex x="`, `" y="`, `" z="`}[k]...)
		line = strconv.AppendFloat(line, c, 'g', -1, 32)
	}
	_, _ = b.Write(append(line, `"/>`...))
	return nil
}

// writeTriangles writes triangles of one material.
func writeTriangles(b *bufio.Writer, triangles [][3]int32, material int) {
	end := `" pid="` + materials + `" p1="` + strconv.Itoa(material) + `"/>`
	for _, t := range triangles {
		if t[0] == t[1] || t[1] == t[2] || t[2] == t[0] {
			continue
		}
		line := b.AvailableBuffer()
		for k, v := range t {
			line = append(line, [3]string{`<triangle v1="`, `" v2="`, `" v3="`}[k]...)
			line = strconv.AppendInt(line, int64(v), 10)
		}
		_, _ = b.Write(append(line, end...))
	}
}

// escaped returns a text escaped for XML, also for attributes.
func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // writes to memory
	return b.String()
}
