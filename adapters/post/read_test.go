package post_test

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// control reads programs back. It follows only the manuals of the controls and shares no code with the writer.
type control struct {
	t       fataler
	milli   bool // dwells are in ms
	at      geom.Vec3
	known   [3]bool
	feed    float64
	mode    string
	cycle   map[string]float64 // of the modal cycle
	call    string             // the modal cycle, or the defined one of HEIDENHAIN
	args    []float64
	initial float64 // height from which the cycle began
	returns string
	center  geom.Vec2
	path    []motion.Step
	ends    []geom.Vec3 // after each line
	dwelt   float64
}

// fataler is a test, drawn or not.
type fataler interface {
	Fatalf(format string, args ...any)
}

var wordPattern = regexp.MustCompile(`([A-Z])([-+]?[0-9.]+)`)

func read(t fataler, dialect, text string) *control {
	c := &control{t: t, milli: dialect == "fanuc" || dialect == "haas", returns: "G98"}
	if dialect == "heidenhain" {
		text = strings.ReplaceAll(text, "~\n", "~ ")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		parts := 1 + strings.Count(line, "~ ")
		switch dialect {
		case "heidenhain":
			_, line, _ = strings.Cut(line, " ")
			if line, _, _ = strings.Cut(line, ";"); !strings.HasPrefix(line, "BLK") {
				c.conversational(line)
			}
		case "siemens":
			line, _, _ = strings.Cut(line, ";")
			c.siemens(line)
		default:
			line = regexp.MustCompile(`\(.*?\)`).ReplaceAllString(line, "")
			c.iso(line)
		}
		c.ends = append(c.ends, slices.Repeat([]geom.Vec3{c.at}, parts)...)
	}
	return c
}

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(err)
	}
	return v
}

// words splits a line into letters and numbers; codes are the G and M codes.
func words(line string) (values map[string]float64, codes []string) {
	values = map[string]float64{}
	for _, m := range wordPattern.FindAllStringSubmatch(line, -1) {
		if m[1] == "G" || m[1] == "M" {
			codes = append(codes, m[1]+m[2])
			continue
		}
		values[m[1]] = number(m[2])
	}
	return values, codes
}

func (c *control) iso(line string) {
	v, codes := words(line)
	if slices.Contains(codes, "G28") {
		c.known = [3]bool{}
		return
	}
	for _, g := range codes {
		switch g {
		case "G0", "G1", "G2", "G3", "G73", "G81", "G82", "G83", "G84", "G85":
			c.begin(g)
		case "G80":
			c.mode = ""
		case "G98", "G99":
			c.returns = g
		case "G4":
			if c.milli {
				v["P"] /= 1000
			}
			c.dwelt += v["P"]
			return
		case "M6", "M0", "G53":
			c.known = [3]bool{}
			return
		case "G43":
			if _, ok := v["Z"]; !ok {
				return
			}
		case "G64", "G91":
			return
		}
	}
	c.run(v)
}

// begin sets the modal code; a cycle remembers from which height it was first called.
func (c *control) begin(g string) {
	if cycles := len(g) == 3; cycles && len(c.mode) < 3 {
		c.initial = c.at.Z
		c.cycle = map[string]float64{}
	}
	c.mode = g
}

func (c *control) run(v map[string]float64) {
	if f, ok := v["F"]; ok {
		c.feed = f
	}
	to, known := c.at, c.known
	moved := false
	for i, axis := range []string{"X", "Y", "Z"} {
		if x, ok := v[axis]; ok {
			moved = true
			*[]*float64{&to.X, &to.Y, &to.Z}[i] = x
			known[i] = known[i] || len(c.mode) < 3
		}
	}
	switch {
	case !moved:
	case len(c.mode) == 3:
		c.canned(v, to)
	case c.mode == "G2" || c.mode == "G3":
		c.arc(to, geom.Vec2{X: c.at.X + v["I"], Y: c.at.Y + v["J"]}, c.mode == "G3")
	default:
		c.line(to, c.mode == "G0")
	}
	c.known = known
}

// line goes to a point once it is known where the tip is.
func (c *control) line(to geom.Vec3, fast bool) {
	if c.known == [3]bool{true, true, true} {
		c.step(motion.Segment{From: c.at, To: to}, fast)
	}
	c.at = to
}

func (c *control) step(s motion.Segment, fast bool) {
	if s.Length() == 0 {
		return
	}
	kind, feed := motion.Cut, c.feed
	if fast {
		kind, feed = motion.Rapid, 0
	}
	c.path = append(c.path, motion.Step{Segment: s, Kind: kind, Feed: feed})
}

func (c *control) arc(to geom.Vec3, center geom.Vec2, left bool) {
	a := math.Atan2(c.at.Y-center.Y, c.at.X-center.X)
	b := math.Atan2(to.Y-center.Y, to.X-center.X)
	turn := math.Mod(b-a, 2*math.Pi)
	if left && turn <= 1e-12 {
		turn += 2 * math.Pi
	}
	if !left && turn >= -1e-12 {
		turn -= 2 * math.Pi
	}
	c.step(motion.Segment{From: c.at, To: to, Center: center, Turn: turn}, false)
	c.at = to
}

// canned runs a cycle of RS274 at a point.
func (c *control) canned(v map[string]float64, to geom.Vec3) {
	for k, x := range v {
		c.cycle[k] = x
	}
	back := c.cycle["R"]
	if c.returns == "G98" {
		back = max(c.initial, back)
	}
	if c.milli {
		v["P"] /= 1000
	}
	c.dwelt += v["P"]
	c.hole(to.X, to.Y, c.cycle["R"], c.cycle["Z"], back, c.cycle["Q"], c.mode)
}

// hole drills: G83 comes out for each bite, G73 breaks the chip, G85 comes out at the feed.
func (c *control) hole(x, y, r, bottom, back, peck float64, how string) {
	p := func(z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	if c.at.Z < r {
		c.line(geom.Vec3{X: c.at.X, Y: c.at.Y, Z: r}, true)
	}
	c.line(p(c.at.Z), true)
	c.line(p(r), true)
	if how == "G83" || how == "G73" {
		for n := 1; r-float64(n)*peck > bottom+1e-9; n++ {
			z := r - float64(n)*peck
			c.line(p(z), false)
			if how == "G83" {
				c.line(p(r), true)
			}
			c.line(p(min(z+0.254, r)), true)
		}
	}
	c.line(p(bottom), false)
	if how == "G85" {
		c.line(p(r), false)
	}
	c.line(p(back), true)
}

func (c *control) siemens(line string) {
	switch {
	case strings.Contains(line, "SUPA") || line == "M6":
		c.known = [3]bool{}
	case strings.HasPrefix(line, "G4"):
		v, _ := words(line)
		c.dwelt += v["F"]
	case strings.HasPrefix(line, "MCALL"):
		c.call = ""
		if open := strings.IndexByte(line, '('); open > 0 {
			c.call = strings.TrimSpace(line[len("MCALL"):open])
			c.args = nil
			for a := range strings.SplitSeq(line[open+1:len(line)-1], ",") {
				x, _ := strconv.ParseFloat(a, 64)
				c.args = append(c.args, x)
			}
		}
	case c.call != "":
		v, _ := words(line)
		a := c.args
		switch c.call {
		case "CYCLE82":
			c.dwelt += a[5]
			c.hole(v["X"], v["Y"], a[1]+a[2], a[3], a[0], 0, "G81")
		case "CYCLE83":
			how := "G73"
			if a[11] == 1 {
				how = "G83"
			}
			c.hole(v["X"], v["Y"], a[1]+a[2], a[3], a[0], a[6], how)
		case "CYCLE85":
			feed := c.feed
			c.feed = a[6]
			c.hole(v["X"], v["Y"], a[1]+a[2], a[3], a[0], 0, "G85")
			c.feed = feed
		}
	default:
		c.iso(line)
	}
}

var parameter = regexp.MustCompile(`Q(\d+)=([-+]?[0-9.]+)`)

func (c *control) conversational(line string) {
	v, _ := words(line)
	switch {
	case strings.Contains(line, "M91") || strings.HasPrefix(line, "TOOL CALL") && strings.Contains(line, " Z "):
		c.known = [3]bool{}
	case strings.HasPrefix(line, "CYCL DEF 9.1 DWELL"):
		c.dwelt += number(line[len("CYCL DEF 9.1 DWELL "):])
	case strings.HasPrefix(line, "CYCL DEF 2"):
		c.call = line[len("CYCL DEF "):][:3]
		c.cycle = map[string]float64{}
		for _, m := range parameter.FindAllStringSubmatch(line, -1) {
			c.cycle[m[1]] = number(m[2])
		}
	case strings.HasPrefix(line, "CC"):
		c.center = geom.Vec2{X: v["X"], Y: v["Y"]}
	case strings.HasPrefix(line, "CP"):
		c.feed = v["F"]
		angle := number(regexp.MustCompile(`IPA([-+][0-9.]+)`).FindStringSubmatch(line)[1]) * math.Pi / 180
		rise := number(regexp.MustCompile(`IZ([-+][0-9.]+)`).FindStringSubmatch(line)[1])
		if (angle > 0) != strings.Contains(line, "DR+") {
			c.t.Fatalf("the angle and the sense of a helix contradict each other: %s", line)
		}
		s := motion.Segment{From: c.at, To: geom.Vec3{Z: c.at.Z + rise}, Center: c.center, Turn: angle}
		s.To = s.At(1)
		c.step(s, false)
		c.at = s.To
	case strings.HasPrefix(line, "C "):
		c.feed = v["F"]
		c.arc(geom.Vec3{X: v["X"], Y: v["Y"], Z: c.at.Z}, c.center, strings.Contains(line, "DR+"))
	case strings.HasPrefix(line, "L") && strings.HasSuffix(line, "M99"):
		q := c.cycle
		how := map[string]string{"200": "G83", "201": "G85"}[c.call]
		c.feed = q["206"]
		c.dwelt += q["211"]
		top := q["203"]
		c.hole(v["X"], v["Y"], top+q["200"], top+q["201"], top+q["204"], q["202"], how)
	case strings.HasPrefix(line, "L"):
		c.mode = "G1"
		if strings.Contains(line, "FMAX") {
			c.mode = "G0"
		}
		c.run(v)
	}
}

// whole joins consecutive rapids along Z, such as a return to the retract plane and a further rise.
func whole(path []motion.Step) []motion.Step {
	var all []motion.Step
	rise := func(s *motion.Step) float64 {
		if s.Kind != motion.Rapid || s.From.X != s.To.X || s.From.Y != s.To.Y {
			return 0
		}
		return s.To.Z - s.From.Z
	}
	for i := range path {
		if n := len(all); n > 0 && rise(&all[n-1])*rise(&path[i]) > 0 {
			all[n-1].To = path[i].To
			continue
		}
		all = append(all, path[i])
	}
	return all
}

// compare compares the motion of a control with the motion in the program.
func compare(t fataler, c *control, p *post.Program, text string) {
	var want []motion.Step
	dwelt := 0.0
	for i := range p.Operations {
		o := &p.Operations[i]
		o.Steps(func(s motion.Step) bool {
			dwelt += s.Seconds
			if s.Length() > 0 {
				want = append(want, s)
			}
			return true
		})
	}
	got, want := whole(c.path), whole(want)
	for i := range want { // a line of a hair takes the end of a helix to where the next arc begins
		if i < len(got) && want[i].Turn != 0 && got[i].Turn == 0 && got[i].Length() <= 2*motion.Resolution {
			got = slices.Delete(got, i, i+1)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("the control makes %d moves, want %d:\n%s", len(got), len(want), text)
	}
	for i, w := range want {
		g := got[i]
		middle, end := g.At(0.5).Dist(w.At(0.5)), g.To.Dist(w.To)
		const slack = 2 * motion.Resolution // the ends of an arc are not as far from its center as each other
		if middle > slack || end > slack {
			t.Fatalf("move %d goes from %v to %v (turn %g), want from %v to %v (turn %g):\n%s",
				i, g.From, g.To, g.Turn, w.From, w.To, w.Turn, text)
		}
		if (g.Kind == motion.Rapid) != (w.Kind == motion.Rapid) || math.Abs(g.Feed-w.Feed) > 1e-9 {
			t.Fatalf("move %d is %v at %g, want %v at %g:\n%s", i, g.Kind, g.Feed, w.Kind, w.Feed, text)
		}
	}
	if math.Abs(c.dwelt-dwelt) > 1e-9 {
		t.Fatalf("the control waits %g s, want %g:\n%s", c.dwelt, dwelt, text)
	}
}
