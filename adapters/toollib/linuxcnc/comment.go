package linuxcnc

import (
	"regexp"
	"strconv"
	"strings"

	"millwright/adapters/toollib/internal/draft"
	"millwright/core/machining"
)

// remark is what a comment says of a tool; zero fields say that it does not. Lengths are mm.
type remark struct {
	kind   machining.Kind
	probe  bool
	flutes int
	angle  float64 // degrees
	corner float64
	pitch  float64
	left   bool // cuts left-hand threads
}

// names are words for kinds in the order of looking: a centre drill is no drill, a thread mill no mill.
var names = []struct {
	kind  machining.Kind
	words []string
}{
	{machining.CenterDrill, []string{"center drill", "centre drill", "centerdrill", "centredrill"}},
	{machining.SpotDrill, []string{"spot drill", "spotdrill", "spotting", "nc drill"}},
	{machining.Countersink, []string{"countersink", "counter sink", "csink"}},
	{machining.ThreadMill, []string{"thread mill", "threadmill", "threadmilling"}},
	{machining.FaceMill, []string{"face mill", "facemill", "shell mill", "fly cutter", "flycutter", "facing"}},
	{machining.DovetailMill, []string{"dovetail"}},
	{machining.SlotMill, []string{"t-slot", "tslot", "t slot", "woodruff", "slitting", "saw", "keyseat", "side cutter"}},
	{machining.Lollipop, []string{"lollipop", "undercut"}},
	{machining.ChamferMill, []string{"chamfer", "v-bit", "vbit", "v bit", "engrav"}},
	{machining.Reamer, []string{"reamer", "ream"}},
	{machining.BallEndMill, []string{"ball"}},
	{machining.BullNoseEndMill, []string{"bull", "corner radius"}},
	{machining.Drill, []string{"tap drill", "tapping drill", "tap-drill", "drill for"}}, // they make the hole of a thread
	{machining.TapRightHand, []string{"tap"}},
	{machining.Drill, []string{"drill", "jobber"}},
	{machining.FlatEndMill, []string{"end mill", "endmill", "flat", "rougher", "roughing", "slot drill"}},
}

var (
	flutes    = regexp.MustCompile(`\b([1-9][0-9]?)\s*-?(?:fl|flt|flute|flutes|f)\b`)
	angle     = regexp.MustCompile(`\b([0-9]{2,3}(?:\.[0-9]+)?)\s*(?:°|deg)`)
	corner    = regexp.MustCompile(`\br\s*([0-9]*\.?[0-9]+)(?:\s*(mm\b|in\b|")|\b)`)
	metric    = regexp.MustCompile(`\bm[0-9.]+\s*x\s*([0-9]*\.?[0-9]+)\b`)
	unified   = regexp.MustCompile(`\b(?:#?[0-9]+|[0-9]+/[0-9]+)-([0-9]{1,2})(?:\s*(?:unc|unf|tpi|tap))`)
	perInch   = regexp.MustCompile(`\b(?:#?[0-9]+|[0-9]+/[0-9]+)-([0-9]{1,2})\b`) // of a tool for threads
	wordStart = regexp.MustCompile(`[a-z]`)
)

// describe reads a comment of a table whose lengths become mm by a factor.
func describe(comment string, scale float64) remark {
	s := strings.ToLower(comment)
	var r remark
	r.probe = has(s, "probe") || has(s, "edge finder") || has(s, "edgefinder")
	r.left = has(s, "left hand") || has(s, "left-hand") || has(s, "lh tap")
	for _, n := range names {
		for _, w := range n.words {
			if r.kind == "" && has(s, w) {
				r.kind = n.kind
			}
		}
	}
	r.flutes = int(first(flutes, s))
	r.angle = first(angle, s)
	if r.kind == machining.BullNoseEndMill || r.kind == machining.FlatEndMill {
		r.corner = first(corner, s) * cornerScale(s, scale)
	}
	r.pitch = first(metric, s)
	threads := first(unified, s)
	if threads == 0 && r.kind.Threading() {
		threads = first(perInch, s)
	}
	if r.pitch == 0 && threads > 0 {
		r.pitch = draft.Inch / threads
	}
	return r
}

// cornerScale makes the corner radius of a comment mm: by its own unit, else by that of the table.
func cornerScale(s string, table float64) float64 {
	if m := corner.FindStringSubmatch(s); m != nil {
		switch m[2] {
		case "mm":
			return 1
		case "in", `"`:
			return draft.Inch
		}
	}
	return table
}

// has reports whether a text holds a word that no letter precedes: "tap" is not in "staple".
func has(s, word string) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], word)
		if i < 0 {
			return false
		}
		if at := from + i; at == 0 || !wordStart.MatchString(s[at-1:at]) {
			return true
		}
		from += i + len(word)
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
