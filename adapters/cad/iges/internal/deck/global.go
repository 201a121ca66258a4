package deck

import (
	"strings"

	"millwright.dev/millwright/core/fault"
)

// Global is the global section, with the defaults of the standard.
type Global struct {
	ParameterDelimiter, RecordDelimiter byte

	Product      string // parameter 3, identification by the sender
	FileName     string
	System       string
	Preprocessor string
	Author       string
	Organization string

	// Scale is the size of the model's coordinates in relation to the real part; real = model / Scale. Open CASCADE,
	// and FreeCAD with it, ignores the scale.
	Scale    float64
	UnitFlag int     // 1 to 11
	UnitName string  // "MM"
	UnitMM   float64 // the unit of length, mm
	// Guesses are warnings about missing, unusual or contradictory values that determine the size of the part.
	Guesses []fault.Warning
	// Resolution is the smallest distance that matters in the sending system, MaxCoordinate the size that
	// no coordinate exceeds, both in units of the file; 0 when not given.
	Resolution, MaxCoordinate float64
	Version                   int // flag: 8 = 5.0, 9 = 5.1, 10 = 5.2, 11 = 5.3
}

// MM returns the factor from the file's coordinates to the real part in mm.
func (g *Global) MM() float64 { return g.UnitMM / g.Scale }

// The unit flags.
const (
	unitInch       = 1
	unitMillimeter = 2
	unitNamed      = 3
)

// unitNames are the names of the unit flags in order, and how long the units are, mm.
var unitNames = [...]struct {
	name string
	mm   float64
}{
	1: {"IN", 25.4}, 2: {"MM", 1}, 4: {"FT", 304.8}, 5: {"MI", 1609344}, 6: {"M", 1000}, 7: {"KM", 1e6},
	8: {"MIL", 0.0254}, 9: {"UM", 1e-3}, 10: {"CM", 10}, 11: {"UIN", 25.4e-6},
}

// otherNames are spellings of units by writers that the standard does not list.
var otherNames = map[string]int{
	"INCH": 1, "INCHES": 1, "MILLIMETER": 2, "MILLIMETRE": 2, "MILLIMETERS": 2, "MILLIMETRES": 2,
	"FOOT": 4, "FEET": 4, "MILE": 5, "METER": 6, "METRE": 6, "METERS": 6, "METRES": 6, "KILOMETER": 7,
	"KILOMETRE": 7, "MICRON": 9, "MICRONS": 9, "CENTIMETER": 10, "CENTIMETRE": 10, "MICROINCH": 11,
}

// read reads the joined columns 1 to 72 of the section.
func (g *Global) read(text []byte) {
	v := g.delimiters(append(text, 0))
	skip := func(n int) {
		for range n {
			v.skip()
		}
	}
	g.Product, g.FileName = v.textOr(""), v.textOr("")
	g.System, g.Preprocessor = v.textOr(""), v.textOr("")
	skip(6) // bits and digits of numbers, receiver
	g.Scale = v.realOr(1)
	g.UnitFlag = int(v.realOr(0))
	g.UnitName = v.textOr("")
	skip(3) // line weights, date
	g.Resolution = v.realOr(0)
	g.MaxCoordinate = v.realOr(0)
	g.Author, g.Organization = v.textOr(""), v.textOr("")
	g.Version = int(v.realOr(0))
	g.Resolution, g.MaxCoordinate = max(g.Resolution, 0), max(g.MaxCoordinate, 0)
	g.units()
	g.scale()
}

// delimiters reads the first two parameters, which define the delimiters, and returns the other parameters.
func (g *Global) delimiters(text []byte) *values {
	g.ParameterDelimiter, g.RecordDelimiter = ',', ';'
	v := &values{buf: text, end: len(text) - 1}
	blank := func() {
		for v.pos < v.end && text[v.pos] <= ' ' {
			v.pos++
		}
	}
	// one reads "1Hx", and the delimiter after it.
	one := func(into *byte) {
		blank()
		if rest := text[v.pos:v.end]; len(rest) > 2 && rest[0] == '1' && rest[1]|0x20 == 'h' && rest[2] > ' ' {
			*into = rest[2]
			v.pos += 3
			blank()
		}
		if v.pos < v.end && text[v.pos] == g.ParameterDelimiter {
			v.pos++
		}
	}
	one(&g.ParameterDelimiter)
	one(&g.RecordDelimiter)
	v.comma, v.stop = g.ParameterDelimiter, g.RecordDelimiter
	return v
}

// units determines the unit of length. The flag takes precedence; the name counts if the flag is missing, is unknown or
// refers to the name.
func (g *Global) units() {
	name := strings.ToUpper(strings.TrimSpace(g.UnitName))
	flagged, named := 0, unitOf(name)
	if g.UnitFlag > 0 && g.UnitFlag != unitNamed && g.UnitFlag < len(unitNames) {
		flagged = g.UnitFlag
	}
	unit := flagged
	switch {
	case flagged != 0:
		if named != 0 && named != flagged {
			g.warn("unit_conflict",
				"The unit flag of the file says %s and the unit name says %s; %[1]s was taken, because "+
					"the flag counts", unitNames[flagged].name, unitNames[named].name)
		}
	case g.UnitFlag == 0 && name == "":
		unit = unitInch
		g.warn("unit_default", "The file gives no unit of length; inches were taken, the default of IGES")
	case named == 0:
		unit = unitMillimeter
		if name != "" {
			g.warn("unit_assumed", "The unit of length %q of the file is not known; millimetres were taken", name)
		} else {
			g.warn("unit_assumed",
				"The unit flag %d of the file names no unit of length; millimetres were taken", g.UnitFlag)
		}
	default:
		unit = named
		if g.UnitFlag != unitNamed && named != unitInch {
			g.warn("unit_conflict",
				"The unit flag of the file is missing or unknown and the unit name says %s; %[1]s was "+
					"taken", unitNames[named].name)
		}
	}
	g.UnitMM = unitNames[unit].mm
}

// unitOf returns the flag of the unit with a name in capitals, or 0 for unknown names.
func unitOf(name string) int {
	for i, u := range unitNames {
		if u.name == name && name != "" {
			return i
		}
	}
	return otherNames[name]
}

// maxScale is the largest credible ratio between model and part, in either direction: a kilometer to a millimeter.
const maxScale = 1e6

// scale checks the model space scale.
func (g *Global) scale() {
	switch s := g.Scale; {
	case s == 1:
	case s >= 1/maxScale && s <= maxScale:
		g.warn("model_scale",
			"The coordinates of the file are at a scale of %g to the real part and were divided by it; "+
				"compare the size of the part, because some programs ignore this scale", s)
	default:
		g.Scale = 1
		g.warn("model_scale",
			"The model space scale %g of the file is not usable; its coordinates were taken as the real "+
				"size", s)
	}
}

func (g *Global) warn(code, format string, args ...any) {
	g.Guesses = append(g.Guesses, fault.Warnf(code, 1, format, args...))
}
