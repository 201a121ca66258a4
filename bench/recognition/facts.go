package recognition

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"millwright.dev/millwright/core/kernel/geom"
)

// Within which a fact of a recipe must be met.
const (
	sameLength = 1e-3 // mm; areas and volumes within as much of their edge
	sameAngle  = 0.01 // degrees
)

// FactTally counts how often a fact was right.
type FactTally struct {
	Tally
	Worst   float64 `json:"worst"`             // mm, mm², mm³ or degrees, of the wrong ones that are numbers
	Example string  `json:"example,omitempty"` // of a wrong one, the worst
}

// facts compares the datasheet of found feature i with what the recipe knows.
func (r *GeneratedReport) facts(part string, want *truthFeature, p *Part, i int) error {
	f := &p.Result.Features[i]
	where := fmt.Sprintf("%s %s %v", part, want.Kind, want.Faces)
	if want.Sense != "any" {
		d := geom.Vec3{X: want.Direction[0], Y: want.Direction[1], Z: want.Direction[2]}
		off := d.Angle(f.Direction)
		if want.Sense == "either" {
			off = min(off, math.Pi-off)
		}
		off = geom.Degrees(off)
		r.fact(string(want.Kind)+" direction", off <= sameAngle, off, where, f.Direction, d)
	}
	text, err := json.Marshal(p.Sheets[i])
	if err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("%s: %w", where, err)
	}
	r.compare(string(want.Kind), "", where, got, want.Sheet)
	return nil
}

// compare walks over what is known. A list must have the same length.
func (r *GeneratedReport) compare(kind, path, where string, got, want any) {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			r.fact(kind+" "+path, false, math.NaN(), where, got, want)
			return
		}
		for _, name := range sortedKeys(w) {
			below := name
			if path != "" && path != "facts" {
				below = path + "." + name
			}
			r.compare(kind, below, where, g[name], w[name])
		}
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			r.fact(kind+" "+path, false, math.NaN(), where, got, want)
			return
		}
		for i := range w {
			r.compare(kind, path, where, g[i], w[i])
		}
	case float64:
		g, ok := got.(float64)
		off := math.NaN()
		if ok {
			off = math.Abs(g - w)
		}
		r.fact(kind+" "+path, ok && off <= allowed(path, w), off, where, got, want)
	default:
		r.fact(kind+" "+path, got == want, math.NaN(), where, got, want)
	}
}

// allowed is the deviation within which a fact is right: mm, degrees, and for areas and volumes what
// a length that is off by as much changes on a square or a cube.
func allowed(path string, want float64) float64 {
	name := path[strings.LastIndex(path, ".")+1:]
	switch {
	case strings.HasSuffix(name, "Deg"):
		return sameAngle
	case strings.HasSuffix(strings.ToLower(name), "area"):
		return sameLength * max(1, 4*math.Sqrt(math.Abs(want)))
	case name == "volume":
		return sameLength * max(1, 6*math.Pow(math.Abs(want), 2.0/3))
	}
	return sameLength
}

func (r *GeneratedReport) fact(name string, right bool, off float64, where string, got, want any) {
	t := at(r.Facts, name)
	t.count(right)
	r.AllFacts.count(right)
	if right {
		return
	}
	line := fmt.Sprintf("%s: %s is %v, want %v", where, name, plain(got), plain(want))
	r.WrongFacts = append(r.WrongFacts, line)
	if t.Example == "" || off > t.Worst {
		t.Example = line
	}
	if off > t.Worst {
		t.Worst = off
	}
}

// plain writes a value of a JSON document as it stands there.
func plain(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}
