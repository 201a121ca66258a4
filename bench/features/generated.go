package features

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"millwright/core/feature"
	"millwright/core/geom"
)

// Our own parts: the generator knows which faces each feature has and what a drawing would say of it.

// Within which a fact of a recipe must be met.
const (
	sameLength = 1e-3 // mm; areas and volumes within as much of their edge
	sameAngle  = 0.01 // degrees
)

// truth is the document that the generator writes beside a part.
type truth struct {
	Name     string         `json:"name"`
	Family   string         `json:"family"`
	Faces    int            `json:"faces"`
	Volume   float64        `json:"volume"`
	Features []truthFeature `json:"features"`
}

// truthFeature is one feature. Sheet holds the part of its datasheet that the recipe knows.
type truthFeature struct {
	Kind      feature.Type   `json:"kind"`
	Faces     []int          `json:"faces"`
	Direction [3]float64     `json:"direction"`
	Sense     string         `json:"sense"` // one: this direction, either: or its opposite, any
	Meets     []int          `json:"meets"`
	Sheet     map[string]any `json:"sheet"`
}

// FactTally counts how often a fact was right.
type FactTally struct {
	Tally
	Worst   float64 `json:"worst"`             // mm, mm², mm³ or degrees, of the wrong ones that are numbers
	Example string  `json:"example,omitempty"` // of a wrong one, the worst
}

// GeneratedReport is the result on our own parts.
type GeneratedReport struct {
	Set         string                  `json:"set"`
	Parts       int                     `json:"parts"`
	Unread      []string                `json:"unread,omitempty"`
	Kinds       map[feature.Type]*Match `json:"kinds"`
	Instances   Match                   `json:"instances"`
	Families    map[string]*Match       `json:"families"`
	Interaction map[int]*PerInt         `json:"byInteracting"`
	Facts       map[string]*FactTally   `json:"facts"` // by kind and fact
	AllFacts    Tally                   `json:"allFacts"`
	Wrong       []string                `json:"wrong,omitempty"`
	WrongFacts  []string                `json:"wrongFacts,omitempty"`
	Times       Times                   `json:"times"`
}

func newGeneratedReport() *GeneratedReport {
	return &GeneratedReport{Set: "generated", Kinds: map[feature.Type]*Match{}, Families: map[string]*Match{},
		Interaction: map[int]*PerInt{}, Facts: map[string]*FactTally{}}
}

// runGenerated compares the parts in dir, each a STEP file with its truth beside it.
func runGenerated(ctx context.Context, dir string) (*GeneratedReport, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.step"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no parts in %q: make parts writes them, --dir names their folder", dir)
	}
	r := newGeneratedReport()
	for _, path := range files {
		var t truth
		if err := readJSON(strings.TrimSuffix(path, ".step")+".json", &t); err != nil {
			return nil, err
		}
		p, err := Read(ctx, path, true)
		if err == nil && p.Faces != t.Faces {
			err = fmt.Errorf("%s: %d faces, want %d", path, p.Faces, t.Faces)
		}
		if err != nil {
			r.Unread = append(r.Unread, err.Error())
			continue
		}
		if err := r.add(&t, p); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func at[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// add compares a part with its truth.
func (r *GeneratedReport) add(t *truth, p *Part) error {
	r.Parts++
	r.Times.add(p.Times)
	used := make([]bool, len(p.Found))
	var all Match
	meeting := 0
	for _, want := range t.Features {
		if len(want.Meets) > 0 {
			meeting++
		}
		i := slices.IndexFunc(p.Found, func(f Found) bool {
			return f.Kind == want.Kind && slices.Equal(f.Faces, want.Faces)
		})
		if i < 0 || used[i] {
			at(r.Kinds, want.Kind).Missed++
			all.Missed++
			r.Wrong = append(r.Wrong, fmt.Sprintf("%s: missed %s %v%s", t.Name, want.Kind, want.Faces,
				instead(p, want.Faces)))
			continue
		}
		used[i] = true
		at(r.Kinds, want.Kind).Both++
		all.Both++
		if err := r.facts(t.Name, &want, p, i); err != nil {
			return err
		}
	}
	for i, f := range p.Found {
		if !used[i] {
			at(r.Kinds, f.Kind).Extra++
			all.Extra++
			r.Wrong = append(r.Wrong, fmt.Sprintf("%s: extra %s %v (%s)", t.Name, f.Kind, f.Faces, f.Rule))
		}
	}
	r.Instances.add(all)
	at(r.Families, t.Family).add(all)
	byMeeting := at(r.Interaction, meeting)
	byMeeting.Parts++
	byMeeting.Instances.add(all)
	return nil
}

// instead says what the faces of a missed feature were taken for.
func instead(p *Part, faces []int) string {
	var out []string
	kindsOf := p.kinds()
	n := map[string]int{}
	for _, f := range faces {
		name := kindName("")
		if len(kindsOf[f]) > 0 {
			name = kindName(kindsOf[f][0])
		}
		n[name]++
	}
	for _, k := range sortedKeys(n) {
		out = append(out, fmt.Sprintf("%d %s", n[k], k))
	}
	return ", taken for " + strings.Join(out, ", ")
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

// Print writes the report as text; details list each wrong feature and fact.
func (r *GeneratedReport) Print(w io.Writer, details bool) {
	m, facts := r.Instances, r.AllFacts
	_, _ = fmt.Fprintf(w, "%s: %d parts, features with exact faces and kind: F1 %s "+
		"(%d found, %d missed, %d extra), facts right %s (%d of %d)\n", r.Set, r.Parts, percent(m.F1()), m.Both,
		m.Missed, m.Extra, percent(facts.Share()), facts.Right, facts.Of)
	printTimes(w, r.Times, r.Parts)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "kind\tfound\tmissed\textra")
	for _, k := range sortedKeys(r.Kinds) {
		m := r.Kinds[k]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", k, m.Both, m.Missed, m.Extra)
	}
	_ = t.Flush()
	for _, f := range sortedKeys(r.Families) {
		_, _ = fmt.Fprintf(w, "family %s: F1 %s\n", f, percent(r.Families[f].F1()))
	}
	_, _ = fmt.Fprintln(w, "by number of interacting features:")
	for _, n := range sortedKeys(r.Interaction) {
		i := r.Interaction[n]
		_, _ = fmt.Fprintf(w, "  %d: %d parts, F1 %s\n", n, i.Parts, percent(i.Instances.F1()))
	}
	_, _ = fmt.Fprintln(t, "fact\tright\twrong\tworst")
	for _, name := range sortedKeys(r.Facts) {
		f := r.Facts[name]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d", name, f.Right, f.Of-f.Right)
		if f.Right < f.Of {
			_, _ = fmt.Fprintf(t, "\t%.3g\t%s", f.Worst, f.Example)
		}
		_, _ = fmt.Fprintln(t)
	}
	_ = t.Flush()
	printLines(w, "not read", r.Unread)
	if details {
		printLines(w, "wrong", r.Wrong)
		printLines(w, "wrong facts", r.WrongFacts)
	}
}
