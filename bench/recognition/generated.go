package recognition

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"millwright.dev/millwright/core/feature"
)

// Our own parts: the generator knows which faces each feature has and what a drawing would say of it.

// truth is the document that the generator writes for a part.
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
	Name      string         `json:"name"` // intended feature
	// Raw faces may be one feature or several, of this kind or one of the others.
	Raw bool `json:"raw"`
	// Also are kinds of additional features that may have its faces.
	Also []feature.Type `json:"also"`
	// Or are readings that are as right: each is a list of features.
	Or [][]reading `json:"or"`
}

// reading is a feature of another reading of one.
type reading struct {
	Kinds []feature.Type `json:"kinds"`
	Faces []int          `json:"faces"`
}

// GeneratedReport is the result on our own parts.
type GeneratedReport struct {
	Set    string   `json:"set"`
	Parts  int      `json:"parts"`
	Unread []string `json:"unread,omitempty"`
	Scores
	Faces Tally `json:"faces"`
	// Confusion counts faces by the kind of the truth and that found, "" where none has them.
	Confusion   map[feature.Type]map[feature.Type]int `json:"confusion"`
	Instances   Match                                 `json:"instances"`
	Families    map[string]*Match                     `json:"families"`
	Interaction map[int]*PerInt                       `json:"byInteracting"`
	Facts       map[string]*FactTally                 `json:"facts"` // by kind and fact
	AllFacts    Tally                                 `json:"allFacts"`
	Lines       []string                              `json:"lines,omitempty"` // each wrong feature
	WrongFacts  []string                              `json:"wrongFacts,omitempty"`
	Times       Times                                 `json:"times"`
}

func newGeneratedReport(set string) *GeneratedReport {
	return &GeneratedReport{Set: set, Scores: newScores(), Confusion: map[feature.Type]map[feature.Type]int{},
		Families:    map[string]*Match{},
		Interaction: map[int]*PerInt{}, Facts: map[string]*FactTally{}}
}

// runGenerated compares the parts in dir, each a STEP file with a truth file of the same name.
func runGenerated(ctx context.Context, set, dir string) (*GeneratedReport, error) {
	files, err := partsIn(dir)
	if err != nil {
		return nil, err
	}
	r := newGeneratedReport(set)
	for _, path := range files {
		var t truth
		if err := readJSON(beside(path), &t); err != nil {
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

// partsIn lists the parts in a folder, plain and zipped.
func partsIn(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.st[ep]*"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no parts in %q: make parts writes them, --dir names their folder", dir)
	}
	return files, nil
}

// beside returns the path of the truth file of a part.
func beside(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) + ".json" }

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
	j := judgment{truth: t, part: p, used: make([]bool, len(p.Found)), owner: make([]*truthFeature, p.Faces),
		right: make([]bool, p.Faces), isFound: map[*truthFeature]bool{}}
	meeting := 0
	for i := range t.Features {
		want := &t.Features[i]
		if len(want.Meets) > 0 {
			meeting++
		}
		j.own(want)
		if err := r.judge(&j, want); err != nil {
			return err
		}
	}
	r.extras(&j)
	kinds := p.kinds()
	for face, right := range j.right {
		r.Faces.count(right)
		if want := j.owner[face]; want != nil {
			r.confuse(want.Kind, kinds[face], right)
		}
	}
	r.Instances.add(j.all)
	at(r.Families, t.Family).add(j.all)
	byMeeting := at(r.Interaction, meeting)
	byMeeting.Parts++
	byMeeting.Instances.add(j.all)
	return nil
}

// confuse counts a face; one that is right counts as its own kind, in whichever reading.
func (r *GeneratedReport) confuse(want feature.Type, found []feature.Type, right bool) {
	if r.Confusion[want] == nil {
		r.Confusion[want] = map[feature.Type]int{}
	}
	switch {
	case right:
		r.Confusion[want][want]++
	case len(found) == 0:
		r.Confusion[want][""]++
	default:
		r.Confusion[want][found[0]]++
	}
}

// judgment is the state of the comparison of one part.
type judgment struct {
	truth   *truth
	part    *Part
	used    []bool          // found features that the truth has
	owner   []*truthFeature // by face; of several the last
	right   []bool          // faces whose kind is right
	isFound map[*truthFeature]bool
	all     Match
}

// own notes whose faces those of a feature are and whether their kind is right.
func (j *judgment) own(want *truthFeature) {
	kinds := map[int][]feature.Type{}
	for _, f := range want.Faces {
		kinds[f] = append(kinds[f], want.Kind)
		j.owner[f] = want
	}
	for _, list := range want.Or {
		for _, o := range list {
			for _, f := range o.Faces {
				kinds[f] = append(kinds[f], o.Kinds...)
			}
		}
	}
	for _, f := range j.part.Found {
		for _, face := range f.Faces {
			if slices.Contains(kinds[face], f.Kind) {
				j.right[face] = true
			}
		}
	}
}

// look returns the number of a feature of one of the kinds that has the faces, -1 where there is none.
func (j *judgment) look(kinds []feature.Type, faces []int) int {
	for i, f := range j.part.Found {
		if !j.used[i] && slices.Contains(kinds, f.Kind) && slices.Equal(f.Faces, faces) {
			return i
		}
	}
	return -1
}

// otherwise reports whether one of the other readings of a feature was found, all of it.
func (j *judgment) otherwise(want *truthFeature) bool {
	for _, list := range want.Or {
		var at []int
		for _, o := range list {
			if i := j.look(o.Kinds, o.Faces); i >= 0 {
				at = append(at, i)
			}
		}
		if len(at) < len(list) {
			continue
		}
		for _, i := range at {
			j.used[i] = true
		}
		return true
	}
	return false
}

// judge looks for a feature of the truth among those that were found.
func (r *GeneratedReport) judge(j *judgment, want *truthFeature) error {
	if want.Raw {
		return nil
	}
	if want.Name == "" {
		want.Name = string(want.Kind)
	}
	known, _ := want.Sheet["facts"].(map[string]any)
	touches := len(want.Meets) > 0
	i := j.look([]feature.Type{want.Kind}, want.Faces)
	switch {
	case i >= 0:
		j.used[i] = true
		facts, err := factsOf(j.part.Sheets[i])
		if err != nil {
			return fmt.Errorf("%s: %w", j.truth.Name, err)
		}
		r.sorted(want.Kind, want.Name, facts, known, touches, fmt.Sprintf("%s %v", j.truth.Name, want.Faces))
		if err := r.facts(j.truth.Name, want, j.part, i); err != nil {
			return err
		}
	case j.otherwise(want):
		r.Others++
	default:
		instead := j.part.instead(want.Faces)
		r.missed(want.Kind, want.Name, known, touches, strip(instead), fmt.Sprintf("%s %v", j.truth.Name, want.Faces))
		j.all.Missed++
		r.Lines = append(r.Lines, fmt.Sprintf("%s: missed %s %v (%s, %s), taken for %s", j.truth.Name, want.Kind,
			want.Faces, want.Name, touching(touches), strings.Join(instead, ", ")))
		return nil
	}
	j.isFound[want] = true
	j.all.Both++
	r.found(want.Kind, want.Name, touches)
	return nil
}

// extras counts the found features that are not in the truth.
func (r *GeneratedReport) extras(j *judgment) {
	for i, f := range j.part.Found {
		if j.used[i] || j.isRaw(&f) {
			continue
		}
		touches, isConsequence := false, false
		of := map[string]bool{}
		for _, face := range f.Faces {
			if o := j.owner[face]; o != nil {
				touches = touches || len(o.Meets) > 0
				isConsequence = isConsequence || !o.Raw && !j.isFound[o]
				of[o.Name] = true
			}
		}
		r.extra(f.Kind, touches)
		j.all.Extra++
		if !isConsequence {
			r.invented(f.Kind, strings.Join(sortedKeys(of), ", "), fmt.Sprintf("%s %v", j.truth.Name, f.Faces))
		}
		r.Lines = append(r.Lines, fmt.Sprintf("%s: extra %s %v (%s)", j.truth.Name, f.Kind, f.Faces, f.Rule))
	}
}

// isRaw reports whether all faces of a feature are raw, or may be of several, and may have its kind.
func (j *judgment) isRaw(f *Found) bool {
	return !slices.ContainsFunc(f.Faces, func(face int) bool {
		o := j.owner[face]
		if o != nil && slices.Contains(o.Also, f.Kind) {
			return false
		}
		return o == nil || !o.Raw || o.Kind != f.Kind && !slices.ContainsFunc(o.Or, func(list []reading) bool {
			return slices.ContainsFunc(list, func(r reading) bool { return slices.Contains(r.Kinds, f.Kind) })
		})
	})
}

// instead describes the features that have the faces of a missed feature, and the number of other faces that each of
// them has.
func (p *Part) instead(faces []int) []string {
	var out []string
	taken := map[int]bool{}
	for _, f := range p.Found {
		own := 0
		for _, face := range f.Faces {
			if slices.Contains(faces, face) {
				own++
				taken[face] = true
			}
		}
		switch {
		case own == len(f.Faces):
			out = append(out, fmt.Sprintf("%s of %d", f.Kind, own))
		case own > 0:
			out = append(out, fmt.Sprintf("%s of %d and %d more", f.Kind, own, len(f.Faces)-own))
		}
	}
	if len(taken) < len(faces) {
		out = append(out, fmt.Sprintf("nothing of %d", len(faces)-len(taken)))
	}
	slices.Sort(out)
	return out
}

// strip leaves the kinds of what instead says, and "+" where it has faces of others.
func strip(instead []string) string {
	n := map[string]int{}
	for _, s := range instead {
		kind, rest, _ := strings.Cut(s, " ")
		if strings.HasSuffix(rest, "more") {
			kind += "+"
		}
		n[kind]++
	}
	var out []string
	for _, k := range sortedKeys(n) {
		if n[k] > 1 {
			k = fmt.Sprintf("%d %s", n[k], k)
		}
		out = append(out, k)
	}
	return strings.Join(out, ", ")
}
