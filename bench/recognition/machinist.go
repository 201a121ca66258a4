package recognition

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/process"
	"millwright.dev/millwright/core/kernel/geom"
)

// Real parts that people labeled feature by feature. Their files are in the corpus, in packages of Debian and in public
// repositories. Their labels are in testdata/machinist, whose README defines features and describes how the labels were
// made. Generated sheet metal parts are labeled in the same form, next to their files.

// Machinist is the name of the set.
const Machinist = "machinist"

// draws are the draws of the machinist's parts, a letter each.
const draws = "abcdefghijklmnopq"

// MachinistParts says which parts are scored and where things lie.
type MachinistParts struct {
	Set          string // "": Machinist
	Labels       string // folder with a file per part
	Corpus       string // folder that "corpus:" stands for
	Packages     string // folder that holds usr/share of Debian's packages: "/" where they are installed
	Repositories string // folder that "github:" stands for, with OWNER/NAME@COMMIT/PATH
	Draws        string // their letters, or "" for all
}

// claim is one feature as a machinist names it.
type claim struct {
	Kind       feature.Type   `json:"kind"`
	Faces      []int          `json:"faces"`      // ascending
	Directions []string       `json:"directions"` // any of them is right; none: every one is
	May        []int          `json:"may"`        // faces that may be of it too
	Sizes      map[string]any `json:"sizes"`      // by path in the facts of the datasheet
	Or         [][]claim      `json:"or"`         // what another machinist says instead
	Optional   bool           `json:"optional"`   // counts neither when it is found nor when it is not
}

// blankOf is the sheet that a part is cut and bent from.
type blankOf struct {
	Thickness float64 `json:"thickness"` // mm
	Bends     int     `json:"bends"`
	Flats     int     `json:"flats"`
}

// labeledPart is the file of one part. Its other fields are for people.
type labeledPart struct {
	name string
	// "corpus:", "kicad:", "freecad:" or "github:OWNER/NAME@COMMIT:", then the path there; none: beside the label
	File     string         `json:"file"`
	Sheet    *blankOf       `json:"sheet"`
	Draw     string         `json:"draw"` // its letter; none: of another set
	Faces    int            `json:"faces"`
	Process  []process.Kind `json:"process"` // any of them is right
	Free     []int          `json:"free"`    // faces on which nothing is judged
	Features []claim        `json:"features"`
}

var processes = []process.Kind{process.Milled, process.Turned, process.MillTurn, process.Sheet, process.Cast,
	process.Freeform}

// readLabels reads the labels of the parts of some draws, or of all, in order of their names.
func readLabels(dir, of string) ([]labeledPart, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no labels in %q", dir)
	}
	var parts []labeledPart
	for _, file := range files {
		l := labeledPart{name: strings.TrimSuffix(filepath.Base(file), ".json")}
		if err := readJSON(file, &l); err != nil {
			return nil, err
		}
		if err := l.validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if of != "" && (l.Draw == "" || !strings.Contains(of, l.Draw)) {
			continue
		}
		parts = append(parts, l)
	}
	return parts, nil
}

// validate reports everything that is wrong with the labels of a part: faces that are not there or that no
// line names, unknown kinds and directions.
func (l *labeledPart) validate() error {
	var all []error
	named := make([]bool, l.Faces)
	name := func(faces []int) {
		for _, f := range faces {
			if f < 0 || f >= l.Faces {
				all = append(all, fmt.Errorf("there is no face %d", f))
				continue
			}
			named[f] = true
		}
	}
	name(l.Free)
	var visit func(c *claim)
	visit = func(c *claim) {
		name(c.Faces)
		name(c.May)
		if len(c.Faces) == 0 || !slices.IsSorted(c.Faces) {
			all = append(all, fmt.Errorf("%s has faces %v", c.Kind, c.Faces))
		}
		if c.Kind == "" || !slices.Contains(columns, c.Kind) {
			all = append(all, fmt.Errorf("there is no kind %q", c.Kind))
		}
		for _, d := range c.Directions {
			if _, err := parseDirection(d); err != nil {
				all = append(all, err)
			}
		}
		for i := range c.Or {
			for j := range c.Or[i] {
				visit(&c.Or[i][j])
			}
		}
	}
	for i := range l.Features {
		visit(&l.Features[i])
	}
	if len(l.Draw) > 1 || !strings.Contains(draws, l.Draw) {
		all = append(all, fmt.Errorf("there is no draw %q", l.Draw))
	}
	if len(l.Process) == 0 {
		all = append(all, errors.New("no process"))
	}
	for _, k := range l.Process {
		if !slices.Contains(processes, k) {
			all = append(all, fmt.Errorf("there is no process %q", k))
		}
	}
	for f, ok := range named {
		if !ok {
			all = append(all, fmt.Errorf("no line names face %d", f))
		}
	}
	return errors.Join(all...)
}

// parseDirection reads "+x" or "(0.5,0,0.866)" as a unit vector.
func parseDirection(text string) (geom.Vec3, error) {
	axes := map[string]geom.Vec3{"x": {X: 1}, "y": {Y: 1}, "z": {Z: 1}}
	if len(text) == 2 {
		if axis, ok := axes[text[1:]]; ok && text[0] == '+' {
			return axis, nil
		} else if ok && text[0] == '-' {
			return axis.Neg(), nil
		}
	}
	var d geom.Vec3
	if n, err := fmt.Sscanf(text, "(%g,%g,%g)", &d.X, &d.Y, &d.Z); err != nil || n != 3 || d.Norm() == 0 {
		return geom.Vec3{}, fmt.Errorf("%q is not a direction", text)
	}
	return d.Unit(), nil
}

// path returns where the part's file lies.
func (m *MachinistParts) path(l *labeledPart) (string, error) {
	if l.File == "" {
		beside, err := filepath.Glob(filepath.Join(m.Labels, l.name+".st[ep]*"))
		if err != nil || len(beside) != 1 {
			return "", fmt.Errorf("%s has %d CAD files for its label, want 1", l.name, len(beside))
		}
		return beside[0], nil
	}
	root, below, _ := strings.Cut(l.File, ":")
	switch root {
	case "corpus":
		return filepath.Join(m.Corpus, filepath.FromSlash(below)), nil
	case "kicad", "freecad":
		return filepath.Join(m.Packages, "usr", "share", root, filepath.FromSlash(below)), nil
	case "github":
		commit, file, _ := strings.Cut(below, ":")
		return filepath.Join(m.Repositories, filepath.FromSlash(commit), filepath.FromSlash(file)), nil
	}
	return "", fmt.Errorf("%s lies in %q, which is no known place", l.name, root)
}

// RunMachinist recognizes the labeled parts and compares. Parts whose files are not there are named.
func RunMachinist(ctx context.Context, m MachinistParts) (*MachinistReport, error) {
	if strings.Trim(m.Draws, draws) != "" {
		return nil, fmt.Errorf("there is no draw %q: they are the letters of %s", m.Draws, draws)
	}
	labels, err := readLabels(m.Labels, m.Draws)
	if err != nil {
		return nil, err
	}
	r := &MachinistReport{Set: cmp.Or(m.Set, Machinist), Draws: m.Draws, Kinds: map[feature.Type]*Match{}}
	for i := range labels {
		l := &labels[i]
		path, err := m.path(l)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			r.Absent = append(r.Absent, l.name+": "+path)
			continue
		}
		p, err := Read(ctx, path, true)
		if err == nil && p.Faces != l.Faces {
			err = fmt.Errorf("%s: %d faces, want %d", path, p.Faces, l.Faces)
		}
		if err != nil {
			r.Unread = append(r.Unread, err.Error())
			continue
		}
		r.made(l, process.Classify(p.graph, p.Result.Features))
		if err := r.add(l, p); err != nil {
			return nil, err
		}
	}
	if r.Parts == 0 {
		return nil, fmt.Errorf("none of the labelled parts is there: %q", r.Absent)
	}
	return r, nil
}

// MachinistReport is the result on parts that people labeled.
type MachinistReport struct {
	Set    string   `json:"set"`
	Draws  string   `json:"draws,omitempty"`
	Parts  int      `json:"parts"`
	Absent []string `json:"absent,omitempty"`
	Unread []string `json:"unread,omitempty"`
	// Kinds counts features for which more than half of the faces, of both together, are the same.
	Kinds map[feature.Type]*Match `json:"kinds"`
	// Of these: exactly the same faces, a direction that is accepted, all sizes right.
	Exact      Tally    `json:"exact"`
	Directions Tally    `json:"directions"`
	Sizes      Tally    `json:"sizes"`
	Faces      Tally    `json:"faces"` // labeled faces that lie in the feature of their label
	Process    Tally    `json:"process"`
	Blanks     Tally    `json:"blanks"` // of sheet: thickness, number of bends and of flats
	Wrong      []string `json:"wrong,omitempty"`
	Times      Times    `json:"times"`
}

// Print writes the report as text; details list each difference.
func (r *MachinistReport) Print(w io.Writer, details bool) {
	var all Match
	for _, m := range r.Kinds {
		all.add(*m)
	}
	of := ""
	if r.Set == Machinist {
		of = ", draw " + cmp.Or(r.Draws, "all")
	}
	_, _ = fmt.Fprintf(w, "%s%s: %d parts, features: recall %s, precision %s (%d found, %d missed, %d extra)\n",
		r.Set, of, r.Parts, percent(all.recall()), percent(all.precision()), all.Both, all.Missed, all.Extra)
	_, _ = fmt.Fprintf(w, "of the features found: exact faces %s, direction %s, sizes %s\n", percent(r.Exact.Share()),
		percent(r.Directions.Share()), percent(r.Sizes.Share()))
	_, _ = fmt.Fprintf(w, "faces in their feature %s; process right %d of %d", percent(r.Faces.Share()),
		r.Process.Right, r.Process.Of)
	if r.Blanks.Of > 0 {
		_, _ = fmt.Fprintf(w, ", thickness, bends and flats %d of %d", r.Blanks.Right, r.Blanks.Of)
	}
	_, _ = fmt.Fprintln(w)
	printTimes(w, r.Times, r.Parts)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "kind\tlabelled\trecall\tprecision\tfound\tmissed\textra")
	for _, k := range sortedKeys(r.Kinds) {
		m := r.Kinds[k]
		_, _ = fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%d\t%d\t%d\n", k, m.Both+m.Missed, percent(m.recall()),
			percent(m.precision()), m.Both, m.Missed, m.Extra)
	}
	_ = t.Flush()
	printLines(w, "not there, so not judged", r.Absent)
	printLines(w, "not read", r.Unread)
	if details {
		printLines(w, "differences", r.Wrong)
	}
}

func (m Match) precision() float64 { return Tally{Right: m.Both, Of: m.Both + m.Extra}.Share() }
