package recognition

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/feature"
)

// instance is a feature of the truth.
type instance struct {
	class int
	faces []int // ascending
}

// labeled is a part with a class per face, and its features where the set knows them.
type labeled struct {
	file        string
	class       []int // by face
	instances   []instance
	interacting int // features of the part that meet others
}

// faceSet is a set with a class per face.
type faceSet struct {
	name    string
	classes []Class
	pattern string // of its files below the set's folder
	load    func(path string, p *Part) (*labeled, error)
	// interactionText defines interacting in this set.
	interactionText string
}

var faceSets = []faceSet{
	{"mfcad", mfcadClasses, "*.step", loadMFCAD, "features in the file's name, all cut from one block"},
	{"mftrcad", mftrcadClasses, "steps/*.step", loadMFTRCAD,
		"features that the relations name as intersecting, superposed or in transition"},
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// loadMFCAD reads the label file of a part. A face is named by its label's index.
func loadMFCAD(path string, p *Part) (*labeled, error) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	var labels []int
	if err := readJSON(stem+".labels.json", &labels); err != nil {
		return nil, err
	}
	if len(labels) != p.Faces {
		return nil, fmt.Errorf("%s: %d faces, %d labels", path, p.Faces, len(labels))
	}
	l := &labeled{file: path, class: make([]int, p.Faces)}
	for i, name := range p.Names {
		id, err := strconv.Atoi(name)
		if err != nil || id < 0 || id >= len(labels) {
			return nil, fmt.Errorf("%s: face %d is named %q, not by its label", path, i, name)
		}
		l.class[i] = labels[id]
	}
	drawn := make([]int, len(mfcadClasses)) // features of each class
	for n := range strings.SplitSeq(filepath.Base(stem), "-") {
		if id, err := strconv.Atoi(n); err == nil && id < len(mfcadClasses)-1 {
			l.interacting++
			drawn[id]++
		}
	}
	l.group(p, drawn)
	return l, nil
}

// group makes features of the faces of each class. The file's name gives the number of features: with one, they are all
// faces; otherwise the groups of faces that share edges, if the number agrees. If not, the owner of a face is unknown,
// and the class is not judged in that part.
func (l *labeled) group(p *Part, drawn []int) {
	for class, n := range drawn {
		var groups [][]int
		for f, c := range l.class {
			if c != class {
				continue
			}
			one := []int{f}
			groups = slices.DeleteFunc(groups, func(g []int) bool {
				joins := n == 1 || slices.ContainsFunc(g, func(o int) bool { return p.adjoin(f, o) })
				if joins {
					one = append(one, g...)
				}
				return joins
			})
			groups = append(groups, ascending(one))
		}
		if len(groups) != n {
			continue
		}
		for _, g := range groups {
			l.instances = append(l.instances, instance{class, g})
		}
	}
}

// mftrcadLabels is a file of MFTRCAD labels. Seg has one list of faces per operation of the generator;
// those that left no face, and the raw body, are empty.
type mftrcadLabels struct {
	Cls map[string]int `json:"cls"`
	Seg [][]int        `json:"seg"`
}

func loadMFTRCAD(path string, p *Part) (*labeled, error) {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	stem = filepath.Join(filepath.Dir(filepath.Dir(path)), "labels", stem)
	var labels mftrcadLabels
	if err := readJSON(stem+".json", &labels); err != nil {
		return nil, err
	}
	var rel struct {
		Relation []relation `json:"relation"`
	}
	if err := readJSON(stem+"_rel.json", &rel); err != nil {
		return nil, err
	}
	if len(labels.Cls) != p.Faces {
		return nil, fmt.Errorf("%s: %d faces, %d labels", path, p.Faces, len(labels.Cls))
	}
	l := &labeled{file: path, class: make([]int, p.Faces)}
	for i := range l.class {
		c, ok := labels.Cls[strconv.Itoa(i)]
		if !ok || c < 0 || c >= flatClass {
			return nil, fmt.Errorf("%s: no known label for face %d", path, i)
		}
		l.class[i] = c
	}
	for _, faces := range labels.Seg {
		if len(faces) == 0 {
			continue
		}
		faces = ascending(slices.Clone(faces))
		if faces[0] < 0 || faces[len(faces)-1] >= p.Faces {
			return nil, fmt.Errorf("%s: segment %v names a face that is not there", path, faces)
		}
		l.instances = append(l.instances, instance{l.class[faces[0]], faces})
	}
	l.nameFlats()
	l.nameInnerChamfers(p)
	l.addGrooveFloors(p)
	meets := map[int]bool{}
	for _, r := range rel.Relation {
		switch r.name {
		case "intersecting", "superpose_on", "transition":
			for _, i := range r.of {
				meets[i] = true
			}
		}
	}
	l.interacting = len(meets)
	return l, nil
}

// nameFlats assigns a separate class to the single remaining plane of an open cut, and to faces with the label of a cut
// that no segment lists: a later operation separated them.
func (l *labeled) nameFlats() {
	size := make([]int, len(l.class)) // of the segment of each face
	for _, in := range l.instances {
		for _, f := range in.faces {
			size[f] = len(in.faces)
		}
	}
	for f, c := range l.class {
		if mftrcadClasses[c].Open && size[f] < 2 {
			l.class[f] = flatClass
		}
	}
	for i, in := range l.instances {
		l.instances[i].class = l.class[in.faces[0]]
	}
}

// nameInnerChamfers assigns a separate class to the chamfers of concave edges.
func (l *labeled) nameInnerChamfers(p *Part) {
	for f, c := range l.class {
		if c == chamferClass && p.isInner(f) {
			l.class[f] = innerClass
		}
	}
	for i, in := range l.instances {
		l.instances[i].class = l.class[in.faces[0]]
	}
}

// addGrooveFloors adds to a ring-shaped groove its floor, which the set labels as stock: the stock that
// shares an edge with every wall of the groove.
func (l *labeled) addGrooveFloors(p *Part) {
	for i := range l.instances {
		in := &l.instances[i]
		if in.class != oringClass {
			continue
		}
		walls := in.faces
		for f, c := range l.class {
			if c == stockClass && !slices.ContainsFunc(walls, func(w int) bool { return !p.adjoin(f, w) }) {
				l.class[f] = oringClass
				in.faces = append(in.faces, f)
			}
		}
		in.faces = ascending(in.faces)
	}
}

// relation is written as ["intersecting", [6, 5]].
type relation struct {
	name string
	of   []int
}

func (r *relation) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&r.name, &r.of})
}

// ascending sorts and drops repetitions.
func ascending(x []int) []int {
	slices.Sort(x)
	return slices.Compact(x)
}

// run recognizes every part of the set below dir and scores it.
func (s *faceSet) run(ctx context.Context, dir string) (*FaceReport, error) {
	files, err := filepath.Glob(filepath.Join(dir, s.pattern))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no files match %s in %s", s.pattern, dir)
	}
	r := newFaceReport(s)
	for _, path := range files {
		p, err := Read(ctx, path, true)
		if err != nil {
			r.Unread = append(r.Unread, err.Error())
			continue
		}
		l, err := s.load(path, p)
		if err != nil {
			return nil, err
		}
		if err := r.add(l, p); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// judge returns the kind under which a face counts: an accepted one if there is one, "" without features.
func judge(c Class, found []feature.Type) (kind feature.Type, right bool) {
	for _, k := range found {
		if c.accepts(k) {
			return k, true
		}
	}
	if len(found) > 0 {
		return found[0], false
	}
	return "", false
}
