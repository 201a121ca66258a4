// Package fusion reads tool libraries that Autodesk Fusion exports: JSON (.json), or the same zipped (.tools).
//
// The file is {"data": [entry, …], "version": n}. An entry has a type ("flat end mill"), a unit ("inches" or
// "millimeters"; files of older versions say it in expressions.tool_unit), and under "geometry" the dimensions,
// named after the properties of ISO 13399: DC cutting diameter, LCF length of cut, LB body length (below the
// holder), OAL overall length, SFDM shank diameter, NOF number of flutes, RE corner radius, SIG point angle,
// TP thread pitch, TA taper angle. "start-values".presets hold cutting data, "post-process".number the number,
// "holder" the cones from the tool's side upward. Autodesk publishes no schema; the page "Tool library" of
// Fusion's manual (Manufacture) explains the fields.
//
// Presets of the category "all" without a query are for every material; so are the start values named "*" of versions
// before there were presets. BMC is the material of the edges.
//
// Left out: turning tools, left-hand tools, probes, cutting jets, and mills of shapes that this service has no kind
// for. They are named in the report.
package fusion

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"millwright.dev/millwright/adapters/toollib/archive"
	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// ErrFormat is returned for a file that is not a Fusion tool library.
var ErrFormat = errors.New("it is not a Fusion tool library")

type library struct {
	Data []json.RawMessage `json:"data"`
}

type entry struct {
	Type        text     `json:"type"`
	Unit        text     `json:"unit"`
	Description text     `json:"description"`
	ProductID   text     `json:"product-id"`
	GUID        text     `json:"guid"`
	Geometry    geometry `json:"geometry"`
	Holder      *holder  `json:"holder"`
	PostProcess struct {
		Number *number `json:"number"`
	} `json:"post-process"`
	StartValues struct {
		Presets []preset `json:"presets"`
		Any     *preset  `json:"*"` // of versions before there were presets
	} `json:"start-values"`
	Material    text `json:"BMC"`
	Expressions struct {
		Unit text `json:"tool_unit"`
	} `json:"expressions"`
}

type geometry struct {
	DC          number `json:"DC"`
	LCF         number `json:"LCF"`
	LB          number `json:"LB"`
	OAL         number `json:"OAL"`
	SFDM        number `json:"SFDM"`
	NOF         number `json:"NOF"`
	RE          number `json:"RE"`
	SIG         number `json:"SIG"`
	TA          number `json:"TA"`
	TP          number `json:"TP"`
	TipDiameter number `json:"tip-diameter"`
	TipLength   number `json:"tip-length"`
	RightHand   *flag  `json:"HAND"`
}

type holder struct {
	Description text   `json:"description"`
	Unit        text   `json:"unit"`
	GaugeLength number `json:"gaugeLength"`
	Segments    []struct {
		Height number `json:"height"`
		Lower  number `json:"lower-diameter"`
		Upper  number `json:"upper-diameter"`
	} `json:"segments"`
}

// kinds are the types that this service has a kind for.
var kinds = map[string]machining.ToolKind{
	"flat end mill": machining.FlatEndMill, "ball end mill": machining.BallEndMill,
	"bull nose end mill": machining.BullNoseEndMill, "chamfer mill": machining.ChamferMill,
	"face mill": machining.FaceMill, "slot mill": machining.SlotMill, "dovetail mill": machining.DovetailMill,
	"lollipop mill": machining.Lollipop, "thread mill": machining.ThreadMill, "drill": machining.Drill,
	"spot drill": machining.SpotDrill, "center drill": machining.CenterDrill, "counter sink": machining.Countersink,
	"reamer": machining.Reamer, "tap right hand": machining.TapRightHand,
}

// Is reports whether a JSON file looks like a library of Fusion.
func Is(top map[string]json.RawMessage) bool {
	data, ok := top["data"]
	return ok && len(data) > 0 && data[0] == '['
}

// Read reads a library, plain or zipped.
func Read(data []byte) (catalog.ToolFile, error) {
	c := toolbuilder.New()
	parts := [][]byte{data}
	if archive.IsZip(data) {
		files, err := archive.Files(data, ".json")
		if err != nil {
			return catalog.ToolFile{}, err
		}
		parts = nil
		for _, f := range files {
			parts = append(parts, f.Data)
		}
	}
	for _, part := range parts {
		var lib library
		if err := json.Unmarshal(part, &lib); err != nil {
			return catalog.ToolFile{}, fmt.Errorf("%w: %w", ErrFormat, err)
		}
		for _, raw := range lib.Data {
			if err := c.Count(); err != nil {
				return catalog.ToolFile{}, err
			}
			read(c, raw)
		}
	}
	if c.Report.Entries == 0 {
		return catalog.ToolFile{}, fmt.Errorf("%w: it has no list of tools named data", ErrFormat)
	}
	return catalog.ToolFile{Format: catalog.ToolsFusion, Tools: c.Tools, Report: c.Report}, nil
}

// read adds one entry to the collection.
func read(c *toolbuilder.Builder, raw json.RawMessage) {
	place := fmt.Sprintf("entry %d", c.Report.Entries)
	var e entry
	if err := json.Unmarshal(raw, &e); err != nil {
		c.Skip(place, "It is not of the form that Fusion writes.")
		return
	}
	name := string(e.Description)
	if name == "" {
		name = string(e.ProductID)
	}
	if name != "" {
		place += fmt.Sprintf(" (%s)", name)
	}
	kind, known := kinds[strings.ToLower(string(e.Type))]
	if !known {
		c.Skip(place, "%s", unfit(strings.ToLower(string(e.Type))))
		return
	}
	unit := e.unit()
	scale, known := unitScale(unit)
	switch {
	case unit == "":
		scale = 1
	case !known:
		c.Skip(place, "Its unit %q is not known.", toolbuilder.Clean(unit, machining.MaxName))
		return
	}
	g := e.Geometry
	if g.RightHand != nil && !*g.RightHand {
		c.Skip(place, "It is a left-hand tool, which is not supported.")
		return
	}
	length := func(n number) float64 { return float64(n) * scale }
	t := &toolbuilder.Tool{
		Entry: place, ID: strings.Trim(string(e.GUID), "{}"), Name: name, Kind: kind,
		Diameter: length(g.DC), CornerRadius: length(g.RE), FluteLength: length(g.LCF), BodyLength: length(g.LB),
		OverallLength: length(g.OAL), ShankDiameter: length(g.SFDM), FluteCount: count(g.NOF),
		TipAngleDeg: tipAngle(kind, g), Pitch: length(g.TP),
	}
	if n := e.PostProcess.Number; n != nil && *n >= 0 && *n == number(count(*n)) {
		whole := count(*n)
		t.Number = &whole
	}
	if unit == "" {
		t.Guess("diameter", "It names no unit; lengths were taken as mm.")
	}
	t.Material = toolMaterials[strings.ToLower(string(e.Material))]
	e.tip(t, scale)
	t.Holder = e.holder(scale)
	e.presets(t, scale)
	c.Add(t)
}

// toolMaterials maps Fusion's names of edge materials to tool materials. Ambiguous names are absent.
var toolMaterials = map[string]machining.ToolMaterial{
	"carbide": machining.Carbide, "hss": machining.HSS, "cobalt": machining.HSSCobalt,
	"hss cobalt": machining.HSSCobalt,
	"cermet":     machining.Cermet, "ceramics": machining.Ceramic, "ceramic": machining.Ceramic, "cbn": machining.CBN,
	"diamond": machining.Diamond, "pcd": machining.Diamond,
}

// tip reads the end of the cone and notes the parts of the outline that a tool here cannot represent.
func (e *entry) tip(t *toolbuilder.Tool, scale float64) {
	g := e.Geometry
	switch t.Kind {
	case machining.ChamferMill, machining.Countersink, machining.SpotDrill:
		t.TipDiameter = float64(g.TipDiameter) * scale
		if g.TipLength > 0 && g.TipDiameter > 0 {
			t.Guess("tipDiameter",
				"The cylinder of %.6g mm below its cone is not kept; the cone was taken down to the tip.",
				float64(g.TipLength)*scale)
		}
	case machining.FaceMill, machining.FlatEndMill, machining.BullNoseEndMill, machining.BallEndMill:
		if g.TA > 0 {
			t.Guess("diameter",
				"Its flanks lean out by %.6g°, which is not kept: it is wider than %.6g mm above its tip.",
				float64(g.TA), t.Diameter)
		}
	}
}

// unfit returns the reason why tools of a type are left out.
func unfit(kind string) string {
	switch {
	case kind == "":
		return "It does not say what type of tool it is."
	case kind == "holder":
		return "It is a holder without a tool; holders are uploaded on their own."
	case kind == "probe":
		return "It is a probe, which cuts nothing."
	case strings.HasPrefix(kind, "turning"):
		return "It is a turning tool; this service mills."
	}
	return fmt.Sprintf("Tools of type %q are not supported.", toolbuilder.Clean(kind, machining.MaxName))
}

// unit returns the name of the entry's unit of length, or "" if it is missing.
func (e *entry) unit() string {
	if name := plainUnit(e.Unit); name != "" {
		return name
	}
	return plainUnit(e.Expressions.Unit)
}

// plainUnit returns a unit in lower case without the quotes that expressions have.
func plainUnit(t text) string { return strings.ToLower(strings.Trim(string(t), `'" `)) }

// unitScale returns the factor from a unit to mm, and whether the unit is known.
func unitScale(name string) (float64, bool) {
	switch name {
	case "inches", "inch", "in":
		return toolbuilder.Inch, true
	case "millimeters", "millimetres", "millimeter", "millimetre", "mm":
		return 1, true
	case "centimeters", "centimetres", "centimeter", "centimetre", "cm":
		return 10, true
	}
	return 0, false
}

// count returns n as an integer, or 0 if n is not a whole number.
func count(n number) int {
	const most = 1_000_000
	if !(n >= 0 && n <= most) { // NaN fails too
		return 0
	}
	return int(n)
}

// tipAngle is the included angle of the cone. Fusion keeps the half angle of mills as their taper.
func tipAngle(kind machining.ToolKind, g geometry) float64 {
	switch kind {
	case machining.ChamferMill, machining.DovetailMill:
		if g.TA > 0 {
			return 2 * float64(g.TA)
		}
	}
	return float64(g.SIG)
}

// holder converts the segments into cones; without segments there is no holder.
func (e *entry) holder(scale float64) *machining.Holder {
	const most = 100 // segments; a longer list is not a holder
	if e.Holder == nil || len(e.Holder.Segments) == 0 || len(e.Holder.Segments) > most {
		return nil
	}
	if own, stated := unitScale(plainUnit(e.Holder.Unit)); stated {
		scale = own
	}
	h := &machining.Holder{Name: string(e.Holder.Description), GaugeLength: float64(e.Holder.GaugeLength) * scale}
	for _, s := range e.Holder.Segments {
		h.Cones = append(h.Cones, machining.Cone{
			DiameterBottom: float64(s.Lower) * scale, DiameterTop: float64(s.Upper) * scale,
			Height: float64(s.Height) * scale,
		})
	}
	// Segments above the gauge line lie in the spindle.
	h.GaugeLength = max(h.GaugeLength, h.Height())
	return h
}
