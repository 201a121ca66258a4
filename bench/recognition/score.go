package recognition

import (
	"fmt"
	"path/filepath"
	"slices"

	"millwright.dev/millwright/core/feature"
)

// Tally counts the right results among all.
type Tally struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// Share is the part that was right, 0 to 1; 1 of nothing.
func (t Tally) Share() float64 {
	if t.Of == 0 {
		return 1
	}
	return float64(t.Right) / float64(t.Of)
}

func (t *Tally) count(right bool) {
	if t.Of++; right {
		t.Right++
	}
}

func (t *Tally) add(o Tally) { t.Right, t.Of = t.Right+o.Right, t.Of+o.Of }

// Match counts features: found with exactly the faces and the kind of the truth, missed, and extra.
type Match struct {
	Both   int `json:"found"`
	Missed int `json:"missed"`
	Extra  int `json:"extra"`
}

// F1 is the harmonic mean of recall and precision.
func (m Match) F1() float64 {
	if m.Both+m.Missed+m.Extra == 0 {
		return 1
	}
	return 2 * float64(m.Both) / float64(2*m.Both+m.Missed+m.Extra)
}

// wanted returns the number of features, and recall the share of them that was found, 0 to 1; 1 without features.
func (m Match) wanted() int { return m.Both + m.Missed }

func (m Match) recall() float64 { return Tally{Right: m.Both, Of: m.wanted()}.Share() }

func (m *Match) add(o Match) {
	m.Both, m.Missed, m.Extra = m.Both+o.Both, m.Missed+o.Missed, m.Extra+o.Extra
}

// FaceReport is the result on a set with a class per face.
type FaceReport struct {
	Set         string          `json:"set"`
	Parts       int             `json:"parts"`
	Unread      []string        `json:"unread,omitempty"`
	Faces       Tally           `json:"faces"`
	Confusion   [][]int         `json:"confusion"` // class × columns
	Columns     []feature.Type  `json:"columns"`   // "" = no feature
	Classes     []string        `json:"classes"`
	Instances   *Match          `json:"instances,omitempty"`
	Scores      *Scores         `json:"scores,omitempty"` // of the instances
	Interaction map[int]*PerInt `json:"byInteracting"`
	Wrong       []string        `json:"wrong,omitempty"` // a line each
	Times       Times           `json:"times"`           // sum over the parts
	set         *faceSet
}

// PerInt are the results of the parts with a number of interacting features.
type PerInt struct {
	Parts     int   `json:"parts"`
	Faces     Tally `json:"faces"`
	Instances Match `json:"instances"`
}

// columns are all kinds and none.
var columns = kinds(feature.Hole, feature.Pocket, feature.Boss, feature.Wall, feature.Face, feature.Three,
	feature.Chamfer, feature.Profile, feature.Dovetail, feature.Tslot, "")

func newFaceReport(s *faceSet) *FaceReport {
	r := &FaceReport{Set: s.name, Columns: columns, Interaction: map[int]*PerInt{}, set: s}
	for _, c := range s.classes {
		r.Classes = append(r.Classes, c.Name)
		r.Confusion = append(r.Confusion, make([]int, len(columns)))
	}
	return r
}

// add scores a part.
func (r *FaceReport) add(l *labeled, p *Part) error {
	r.Parts++
	r.Times.add(p.Times)
	at := r.Interaction[l.interacting]
	if at == nil {
		at = &PerInt{}
		r.Interaction[l.interacting] = at
	}
	at.Parts++
	var faces Tally
	name := filepath.Base(l.file)
	wrong := map[string][]int{}
	for i, found := range p.kinds() {
		class := r.set.classes[l.class[i]]
		kind, right := judge(class, found)
		faces.count(right)
		r.Confusion[l.class[i]][slices.Index(columns, kind)]++
		if !right {
			what := class.Name + " taken for " + kindName(kind)
			wrong[what] = append(wrong[what], i)
		}
	}
	for _, what := range sortedKeys(wrong) {
		r.Wrong = append(r.Wrong, fmt.Sprintf("%s: %s: faces %v", name, what, wrong[what]))
	}
	r.Faces.add(faces)
	at.Faces.add(faces)
	if l.instances != nil {
		m, lines, err := r.set.match(l, p, r.scores())
		if err != nil {
			return err
		}
		at.Instances.add(m)
		if r.Instances == nil {
			r.Instances = &Match{}
		}
		r.Instances.add(m)
		for _, line := range lines {
			r.Wrong = append(r.Wrong, name+": "+line)
		}
	}
	return nil
}

// scores are those of the instances; nil until there is one.
func (r *FaceReport) scores() *Scores {
	if r.Scores == nil {
		s := newScores()
		r.Scores = &s
	}
	return r.Scores
}

func kindName(k feature.Type) string {
	if k == "" {
		return "nothing"
	}
	return string(k)
}

// match compares features by their exact faces and kind. Two groups of faces are left out on both sides. Faces of loose
// classes belong to a neighbor in the product. Faces with the label of a feature that no segment lists were cut off
// from it by a later operation, so the segment is incomplete. A feature that has only such faces is not judged. One
// that has only raw faces is extra if its kind is not one for raw faces.
func (s *faceSet) match(l *labeled, p *Part, to *Scores) (m Match, lines []string, err error) {
	listed := make([]bool, p.Faces)
	for _, in := range l.instances {
		for _, f := range in.faces {
			listed[f] = true
		}
	}
	skip := func(f int) bool {
		c := s.classes[l.class[f]]
		return c.Loose || (!c.Raw || c.Open) && !listed[f]
	}
	used := make([]bool, len(p.Found))
	found := make([][]int, len(p.Found))
	for i, f := range p.Found {
		found[i] = slices.DeleteFunc(slices.Clone(f.Faces), skip)
	}
	touching := make([]bool, p.Faces)
	name := filepath.Base(l.file)
	for _, in := range l.instances {
		want := slices.DeleteFunc(slices.Clone(in.faces), skip)
		if len(want) == 0 {
			continue
		}
		c := s.classes[in.class]
		touches := s.touches(l, p, in)
		known := c.facts(!touches && p.runsRound(in.faces, c.Whole))
		for _, f := range in.faces {
			touching[f] = touches
		}
		where := fmt.Sprintf("%s %v", name, in.faces)
		i := slices.IndexFunc(found, func(faces []int) bool { return slices.Equal(faces, want) })
		for ; i >= 0 && i < len(found); i++ {
			if !used[i] && c.accepts(p.Found[i].Kind) && slices.Equal(found[i], want) {
				break
			}
		}
		if i < 0 || i == len(found) {
			m.Missed++
			to.missed(c.Kinds[0], c.Name, known, touches, strip(p.instead(in.faces)), where)
			lines = append(lines, fmt.Sprintf("missed %s %v", c.Name, in.faces))
			continue
		}
		used[i] = true
		m.Both++
		to.found(p.Found[i].Kind, c.Name, touches)
		if i < len(p.Sheets) && p.Found[i].Kind == c.Kinds[0] {
			facts, err := factsOf(p.Sheets[i])
			if err != nil {
				return m, nil, fmt.Errorf("%s: %w", where, err)
			}
			to.sorted(p.Found[i].Kind, c.Name, facts, known, touches, where)
		}
	}
	for i, f := range p.Found {
		if used[i] || len(found[i]) == 0 || s.isRaw(l, f.Kind, found[i]) {
			continue
		}
		m.Extra++
		to.extra(f.Kind, slices.ContainsFunc(f.Faces, func(face int) bool { return touching[face] }))
		lines = append(lines, fmt.Sprintf("extra %s %v", f.Kind, f.Faces))
	}
	return m, lines, nil
}

// touches reports whether an instance shares an edge with a face of another feature, raw ones aside.
func (s *faceSet) touches(l *labeled, p *Part, in instance) bool {
	isOther := func(f int) bool {
		c := s.classes[l.class[f]]
		return !c.Raw && !c.Loose && !slices.Contains(in.faces, f)
	}
	return slices.ContainsFunc(p.Edges, func(e [2]int) bool {
		return slices.Contains(in.faces, e[0]) && isOther(e[1]) || slices.Contains(in.faces, e[1]) && isOther(e[0])
	})
}

// runsRound reports whether there are n faces, each with edges to two others of them; of no number any may be.
func (p *Part) runsRound(faces []int, n int) bool {
	return n == 0 || len(faces) == n && !slices.ContainsFunc(faces, func(f int) bool {
		beside := 0
		for _, o := range faces {
			if p.adjoin(f, o) {
				beside++
			}
		}
		return beside < 2
	})
}

// isRaw reports whether all faces are raw and the kind is one for each of them.
func (s *faceSet) isRaw(l *labeled, kind feature.Type, faces []int) bool {
	return !slices.ContainsFunc(faces, func(f int) bool {
		c := s.classes[l.class[f]]
		return !c.Raw || !c.accepts(kind)
	})
}
