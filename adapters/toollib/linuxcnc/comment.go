package linuxcnc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
)

// remark is the description of a tool in a comment. Zero fields are missing. Lengths are mm.
type remark struct {
	kind     machining.ToolKind
	material machining.ToolMaterial
	unfit    string // reason why the tool is unusable, a sentence
	flutes   int
	angle    float64 // degrees
	corner   float64
	pitch    float64
}

// unfits are words for unusable tools with the reason, in search order.
var unfits = []struct {
	why   string
	words []string
}{
	{"It is a probe, which cuts nothing.", []string{"probe", "edge finder", "edgefinder"}},
	{"It is not a cutting tool.", []string{
		"laser", "crosshair", "camera", "dummy", "empty", "tool setter", "toolsetter", "wiggler", "drag knife",
		"pen holder",
	}},
	{"It is a left-hand tap, which is not supported.", []string{"left hand tap", "left-hand tap", "lh tap", "tap lh"}},
	{"It turns left, which is not supported.", []string{"left hand", "left-hand", "reverse rotation", "left rotation"}},
	{"It is not set along the spindle, which is not supported.", []string{"horizontal", "angle head", "right angle"}},
	{"Tapered tools are not supported.", []string{"taper", "npt", "bspt"}},
	{"Tools that round edges are not supported.", []string{"corner round", "rounding over", "roundover", "round over"}},
}

// toolMaterials are words for tool materials, in search order.
var toolMaterials = []struct {
	material machining.ToolMaterial
	words    []string
}{
	{machining.HSSCobalt, []string{"hssco", "hss-co", "hsse", "hss-e", "cobalt", "m42"}},
	{machining.HSS, []string{"hss", "high speed steel", "high-speed steel"}},
	{machining.Carbide, []string{"carbide", "vhm", "hartmetall"}},
}

// names are words for tool kinds in search order: a center drill is not a drill, a thread mill not a mill.
var names = []struct {
	kind  machining.ToolKind
	words []string
}{
	{machining.CenterDrill, []string{"center drill", "centre drill", "centerdrill", "centredrill"}},
	{machining.SpotDrill, []string{"spot drill", "spotdrill", "spotting", "nc drill"}},
	{machining.Countersink, []string{"countersink", "counter sink", "csink"}},
	{machining.ThreadMill, []string{"thread mill", "threadmill", "threadmilling"}},
	{machining.FaceMill, []string{"face mill", "facemill", "shell mill", "fly cutter", "flycutter", "facing"}},
	{machining.DovetailMill, []string{"dovetail"}},
	{machining.SlotMill,
		[]string{"t-slot", "tslot", "t slot", "woodruff", "slitting", "saw", "keyseat", "side cutter"}},
	{machining.Lollipop, []string{"lollipop", "undercut"}},
	{machining.ChamferMill, []string{"chamfer", "v-bit", "vbit", "v bit", "engrav"}},
	{machining.Reamer, []string{"reamer", "ream"}},
	{machining.BallEndMill, []string{"ball"}},
	{machining.BullNoseEndMill, []string{"bull", "corner radius"}},
	// they make the hole of a thread
	{machining.Drill, []string{"tap drill", "tapping drill", "tap-drill", "drill for"}},
	{machining.TapRightHand, []string{"tap", "tapping"}},
	{machining.Drill, []string{"drill", "jobber"}},
	{machining.FlatEndMill, []string{"end mill", "endmill", "em", "flat", "rougher", "roughing", "slot drill"}},
}

var (
	flutes    = regexp.MustCompile(`\b([1-9][0-9]?)\s*-?(?:fl|flt|flute|flutes|f)\b`)
	angle     = regexp.MustCompile(`\b([0-9]{2,3}(?:\.[0-9]+)?)\s*(?:°|deg)`)
	corner    = regexp.MustCompile(`\br\s*([0-9]*\.?[0-9]+)(?:\s*(mm\b|in\b|")|\b)`)
	cornerR   = regexp.MustCompile(`(?:^|\s)([0-9]*\.[0-9]+)\s*(mm|in|")?\s*r(?:ad|adius)?\b`)
	metric    = regexp.MustCompile(`\bm[0-9.]+\s*x\s*([0-9]*\.?[0-9]+)\b`)
	unified   = regexp.MustCompile(`\b(?:#?[0-9]+|[0-9]+/[0-9]+)-([0-9]{1,2})(?:\s*(?:unc|unf|tpi|tap))`)
	perInch   = regexp.MustCompile(`\b(?:#?[0-9]+|[0-9]+/[0-9]+)-([0-9]{1,2})\b`) // of a tool for threads
	wordStart = regexp.MustCompile(`[a-z]`)

	// size is a number or fraction with a unit, or a fraction of an inch without one, at the start of a word.
	size = regexp.MustCompile(`(?:^|[\s(/])(?:([0-9]+)[ -])?([0-9]*\.?[0-9]+)(?:/([0-9]+))?\s*(mm\b|in\b|inch\b|"|)(-?)`)
)

// sizesIn returns the lengths (mm) that a comment states with a unit, or as fractions of an inch. Thread sizes such as
// 1/4-20 do not count.
func sizesIn(comment string) []float64 {
	var out []float64
	for _, m := range size.FindAllStringSubmatch(strings.ToLower(comment), -1) {
		whole, _ := strconv.ParseFloat(m[1], 64) // "" is 0; the pattern allows digits only
		v, err := strconv.ParseFloat(m[2], 64)
		if m[3] != "" {
			var below float64
			if below, err = strconv.ParseFloat(m[3], 64); below == 0 {
				continue
			}
			v /= below
		} else if m[4] == "" || m[1] != "" {
			continue
		}
		if m[4] != "mm" {
			v = (whole + v) * toolbuilder.Inch
		}
		if err == nil && v > 0 && m[5] == "" {
			out = append(out, v)
		}
	}
	return out
}

// describe reads a comment of a table whose lengths become mm by a factor.
func describe(comment string, scale float64) remark {
	s := strings.ToLower(comment)
	var r remark
	hasAny := func(words []string) bool { return slices.ContainsFunc(words, func(w string) bool { return has(s, w) }) }
	for _, n := range names {
		if r.kind == "" && hasAny(n.words) {
			r.kind = n.kind
		}
	}
	for _, m := range toolMaterials {
		if r.material == "" && hasAny(m.words) {
			r.material = m.material
		}
	}
	for _, u := range unfits {
		if r.unfit == "" && hasAny(u.words) {
			r.unfit = u.why
		}
	}
	r.flutes = int(first(flutes, s))
	r.angle = first(angle, s)
	if r.kind == machining.BullNoseEndMill || r.kind == machining.FlatEndMill {
		r.corner = cornerIn(s, scale)
	}
	r.pitch = first(metric, s)
	threads := first(unified, s)
	if threads == 0 && r.kind.Threading() {
		threads = first(perInch, s)
	}
	if r.pitch == 0 && threads > 0 {
		r.pitch = toolbuilder.Inch / threads
	}
	return r
}

// cornerIn returns the corner radius in a comment, mm, by its own unit or the unit of the table; 0 if it states no
// radius.
func cornerIn(s string, table float64) float64 {
	for _, pattern := range []*regexp.Regexp{corner, cornerR} {
		if m := pattern.FindStringSubmatch(s); m != nil {
			switch m[2] {
			case "mm":
				table = 1
			case "in", `"`:
				table = toolbuilder.Inch
			}
			return first(pattern, s) * table
		}
	}
	return 0
}

// has reports whether a text contains a word that no letter precedes: "tap" is not in "staple". No letter may follow a
// short word either: "em" is not in "emery".
func has(s, word string) bool {
	const short = 3
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		at, end := from+i, from+i+len(word)
		if (at == 0 || !wordStart.MatchString(s[at-1:at])) &&
			(len(word) > short || end == len(s) || !wordStart.MatchString(s[end:end+1])) {
			return true
		}
		from = end
	}
}

func first(pattern *regexp.Regexp, s string) float64 {
	m := pattern.FindStringSubmatch(s)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0
	}
	return v
}
