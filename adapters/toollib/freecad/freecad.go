// Package freecad reads tool bits of FreeCAD's CAM workbench.
//
// FreeCAD stores each tool bit in a JSON file (.fctb): its name, its shape (a file name such as endmill.fcstd, in newer
// versions also "shape-type") and its parameters as texts with units. A library (.fctl) is a JSON file that lists tool
// numbers and the file names of bits: {"tools": [{"nr": 1, "path": "5mm_Endmill.fctb"}]}. See the pages CAM_ToolBit and
// CAM_ToolBit_Library of FreeCAD's wiki.
//
// One upload is either one bit (.fctb) or a zip of bits with the libraries that number them, as made by zipping
// FreeCAD's Tools folder; folders in the zip do not matter. A library alone contains no tool and is rejected.
package freecad

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"millwright.dev/millwright/adapters/toollib/archive"
	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// ErrFormat is returned for a file that is not a FreeCAD tool bit.
var ErrFormat = errors.New("it is not a FreeCAD tool bit")

// ErrBare is returned for a library without its bits.
var ErrBare = errors.New("the library only names its tool bits; send a zip of the library with its .fctb files")

type bit struct {
	Name      any                        `json:"name"`
	Shape     any                        `json:"shape"`
	ShapeType any                        `json:"shape-type"`
	Parameter map[string]json.RawMessage `json:"parameter"`
	Attribute map[string]json.RawMessage `json:"attribute"`
}

type list struct {
	Tools []struct {
		Number any `json:"nr"`
		Path   any `json:"path"`
	} `json:"tools"`
}

// shapes are the shapes that this service has a kind for.
var shapes = map[string]machining.ToolKind{
	"endmill": machining.FlatEndMill, "ballend": machining.BallEndMill, "bullnose": machining.BullNoseEndMill,
	"torus":   machining.BullNoseEndMill,
	"chamfer": machining.ChamferMill, "vbit": machining.ChamferMill, "drill": machining.Drill,
	"dovetail": machining.DovetailMill, "reamer": machining.Reamer, "slittingsaw": machining.SlotMill,
	"tap": machining.TapRightHand, "threadmill": machining.ThreadMill,
}

// Is reports whether a JSON file looks like a bit or a library of FreeCAD.
func Is(top map[string]json.RawMessage) bool {
	if top["parameter"] != nil && (top["shape"] != nil || top["shape-type"] != nil) {
		return true
	}
	var l list
	return json.Unmarshal(top["tools"], &l.Tools) == nil && len(l.Tools) > 0 && l.Tools[0].Path != nil
}

// Read reads a bit, or a zip of bits and libraries.
func Read(data []byte) (catalog.ToolFile, error) {
	files := []archive.File{{Name: "bit.fctb", Data: data}}
	if archive.IsZip(data) {
		var err error
		if files, err = archive.Files(data, ".fctb", ".fctl"); err != nil {
			return catalog.ToolFile{}, err
		}
	} else {
		var top map[string]json.RawMessage
		if err := json.Unmarshal(data, &top); err != nil {
			return catalog.ToolFile{}, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		if top["parameter"] == nil {
			if Is(top) {
				return catalog.ToolFile{}, ErrBare
			}
			return catalog.ToolFile{}, ErrFormat
		}
	}
	return read(files)
}

// read orders the bits by their libraries: files by name, and bits of no library last.
func read(files []archive.File) (catalog.ToolFile, error) {
	c, out := toolbuilder.New(), catalog.ToolFile{Format: catalog.ToolsFreeCAD}
	slices.SortStableFunc(files, func(a, b archive.File) int { return strings.Compare(a.Name, b.Name) })
	bits := map[string]int{} // index of a file by its name without folders
	for i, f := range files {
		if strings.EqualFold(path.Ext(f.Name), ".fctb") {
			bits[base(f.Name)] = i
		}
	}
	used := map[int]bool{}
	for _, f := range files {
		if !strings.EqualFold(path.Ext(f.Name), ".fctl") {
			continue
		}
		if out.Name == "" {
			out.Name = strings.TrimSuffix(path.Base(f.Name), path.Ext(f.Name))
		}
		if err := readList(c, f, bits, used, files); err != nil {
			return out, err
		}
	}
	for i, f := range files {
		if strings.EqualFold(path.Ext(f.Name), ".fctb") && !used[i] {
			if err := c.Count(); err != nil {
				return out, err
			}
			readBit(c, f, nil)
		}
	}
	if c.Report.Entries == 0 {
		return out, fmt.Errorf("%w: the zip holds no .fctb file", ErrFormat)
	}
	out.Tools, out.Report = c.Tools, c.Report
	return out, nil
}

func base(name string) string {
	return strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
}

// readList adds the bits of a library with their numbers. A bit that several libraries name is added once.
func readList(
	c *toolbuilder.Builder, f archive.File, bits map[string]int, used map[int]bool, files []archive.File,
) error {
	var l list
	if err := json.Unmarshal(f.Data, &l); err != nil {
		c.Note(path.Base(f.Name), "The library cannot be read; its bits have no numbers.")
		return nil
	}
	for _, tool := range l.Tools {
		name, _ := tool.Path.(string)
		i, there := bits[base(name)]
		if there && used[i] {
			continue
		}
		if err := c.Count(); err != nil {
			return err
		}
		if !there {
			c.Skip(name, "%s names this bit, but the zip does not hold it.", path.Base(f.Name))
			continue
		}
		used[i] = true
		var number *int
		if n, ok := tool.Number.(float64); ok && n >= 0 && n == float64(int(n)) {
			whole := int(n)
			number = &whole
		}
		readBit(c, files[i], number)
	}
	return nil
}

// readBit adds one bit to the collection.
func readBit(c *toolbuilder.Builder, f archive.File, number *int) {
	entry := path.Base(f.Name)
	var b bit
	if err := json.Unmarshal(f.Data, &b); err != nil {
		c.Skip(entry, "It is not of the form that FreeCAD writes.")
		return
	}
	name, _ := b.Name.(string)
	if name != "" {
		entry += fmt.Sprintf(" (%s)", name)
	}
	shape := b.shape()
	kind, known := shapes[shape]
	switch {
	case shape == "probe":
		c.Skip(entry, "It is a probe, which cuts nothing.")
		return
	case !known:
		c.Skip(entry, "Bits of shape %q are not supported; there are %s.", toolbuilder.Clean(shape, machining.MaxName),
			strings.Join(slices.Sorted(maps.Keys(shapes)), ", "))
		return
	case strings.EqualFold(b.text("SpindleDirection"), "reverse"):
		c.Skip(entry, "It is a left-hand tool, which is not supported.")
		return
	}
	t := &toolbuilder.Tool{Entry: entry, Name: name, Number: number, Kind: kind}
	b.fill(t)
	c.Add(t)
}

// shape is the name of the bit's shape in small letters without hyphens: "V-Bit" and "v-bit.fcstd" are vbit.
func (b *bit) shape() string {
	s, _ := b.ShapeType.(string)
	if s == "" {
		s, _ = b.Shape.(string)
		s = base(s)
		s = strings.TrimSuffix(s, path.Ext(s))
	}
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// number reads the first of some parameters that is there, for a field of the tool. One that is unreadable is noted and
// left for the draft to guess.
func (b *bit) number(t *toolbuilder.Tool, field string, names ...string) float64 {
	for _, name := range names {
		for _, m := range []map[string]json.RawMessage{b.Parameter, b.Attribute} {
			raw, there := m[name]
			if !there {
				continue
			}
			v, err := quantity(raw)
			if err != nil {
				t.Guess(field, "%s was ignored: %s.", name, err)
				continue
			}
			return v
		}
	}
	return 0
}

// fill reads the parameters.
func (b *bit) fill(t *toolbuilder.Tool) {
	t.Diameter = b.number(t, "diameter", "Diameter")
	t.OverallLength = b.number(t, "overallLength", "Length")
	t.BodyLength = b.number(t, "bodyLength", "btl-stickout") // of the add-on Better Tool Library
	t.FluteLength = b.number(t, "fluteLength", "CuttingEdgeHeight", "CuttingEdgeLength", "BladeThickness",
		"DovetailHeight")
	t.ShankDiameter = b.number(t, "shankDiameter", "ShankDiameter")
	t.FluteCount = int(min(b.number(t, "fluteCount", "Flutes"), 1000))
	t.Pitch = b.number(t, "pitch", "Pitch")
	t.Material = b.material()
	if t.Kind.Pointed() {
		t.TipAngleDeg = b.number(t, "tipAngleDeg", "TipAngle", "CuttingEdgeAngle", "CuttingAngle")
	}
	switch t.Kind {
	case machining.DovetailMill:
		if t.TipAngleDeg > 0 {
			t.Guess("tipAngleDeg",
				"The angle of %.6g° was taken as that between its flanks, which the file does not say.", t.TipAngleDeg)
		}
	case machining.ChamferMill:
		t.TipDiameter = b.number(t, "tipDiameter", "TipDiameter")
	case machining.BullNoseEndMill:
		t.CornerRadius = b.number(t, "cornerRadius", "CornerRadius", "TorusRadius")
		if flat := b.number(t, "cornerRadius", "FlatRadius"); t.CornerRadius == 0 && flat > 0 && flat < t.Diameter/2 {
			t.CornerRadius = t.Diameter/2 - flat
			t.Remark("Corner radius taken as %.6g mm, what the flat of radius %.6g mm leaves.", t.CornerRadius, flat)
		}
	}
	if t.Kind == machining.SlotMill || t.Kind == machining.DovetailMill || t.Kind == machining.ThreadMill {
		if neck := b.number(t, "shankDiameter", "NeckDiameter"); neck > 0 {
			t.ShankDiameter = neck
		}
	}
}

// material returns the material of the bit, if FreeCAD's list of materials determines it.
func (b *bit) material() machining.ToolMaterial {
	switch strings.ToLower(b.text("Material")) {
	case "hss":
		return machining.HSS
	case "carbide":
		return machining.Carbide
	}
	return ""
}

// text returns a text parameter or attribute, or "" if it is missing.
func (b *bit) text(name string) string {
	for _, m := range []map[string]json.RawMessage{b.Parameter, b.Attribute} {
		var s string
		if json.Unmarshal(m[name], &s) == nil {
			return s
		}
	}
	return ""
}
