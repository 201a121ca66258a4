package damage

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

// tokenSort is the role of a token for damage.
type tokenSort int

const (
	flag      tokenSort = iota + 1 // a logical value
	real                           // a number with a point
	reference                      // the number of another entity
	prefix                         // of a unit of length
)

// token is a piece of an entity that can be damaged by itself.
type token struct {
	site
	sort   tokenSort
	entity string // type of the entity, or of the part of it, that it is in
}

// record is one entity of a file.
type record struct {
	id         int64
	entity     string // type; the first one where there are several
	start, end int    // bytes
	refs       []int64
}

// structure is the known grammar of a file.
type structure struct {
	records []record
	tokens  []token
	byID    map[int64]int
	byType  map[string][]int // records
	largest int64
	cards   bool // IGES: lines of fixed width
	users   [][]int
	inside  []bool // by record: faces or edges, and the records that they refer to
}

// parse finds the entities of a file. It need not be right about every file: what it does not see is not damaged.
func parse(name string, data []byte) structure {
	s := structure{byID: map[int64]int{}, byType: map[string][]int{}}
	switch strings.ToLower(path.Ext(name)) {
	case ".igs", ".iges":
		s.cards = true
		parseIGES(&s, data)
	default:
		parseSTEP(&s, data)
	}
	for i, r := range s.records {
		s.byID[r.id] = i
		s.byType[r.entity] = append(s.byType[r.entity], i)
		s.largest = max(s.largest, r.id)
	}
	return s
}

func (s *structure) label(i int) string {
	if i < 0 {
		return "the file"
	}
	return fmt.Sprintf("#%d %s", s.records[i].id, s.records[i].entity)
}

// target returns the record that a reference names, -1 if there is no such record.
func (s *structure) target(text []byte) int {
	id, err := strconv.ParseInt(strings.TrimLeft(string(text), "#-+ "), 10, 64)
	if i, ok := s.byID[id]; ok && err == nil {
		return i
	}
	return -1
}

func (s *structure) typeOf(i int) string {
	if i < 0 {
		return ""
	}
	return s.records[i].entity
}

func (s *structure) refer(i int) string {
	if s.cards {
		return strconv.FormatInt(s.records[i].id, 10)
	}
	return fmt.Sprintf("#%d", s.records[i].id)
}

// faces are the types at which the way up to the face of an entity ends.
var faces = []string{"ADVANCED_FACE", "FACE_SURFACE", "ORIENTED_FACE", "144", "143", "510"}

// edges are the types of edges, of facets, and of surfaces of cards, which are faces where nothing bounds them.
var edges = []string{
	"EDGE_CURVE", "ORIENTED_EDGE", "SUBEDGE", "POLY_LOOP", "TRIANGULATED_FACE", "COMPLEX_TRIANGULATED_FACE",
	"504", "108", "114", "118", "120", "122", "128", "140", "190", "192", "194", "196", "198",
}

// isOutside reports whether a record is neither a face or edge nor a record that one refers to.
func (s *structure) isOutside(record int) bool {
	if record < 0 {
		return false
	}
	if s.inside == nil {
		s.inside = make([]bool, len(s.records))
		var todo []int
		for i, r := range s.records {
			if slices.Contains(faces, r.entity) || slices.Contains(edges, r.entity) {
				s.inside[i] = true
				todo = append(todo, i)
			}
		}
		s.descend(todo, s.inside)
	}
	return !s.inside[record]
}

// descend marks the records that the given records refer to, directly or indirectly.
func (s *structure) descend(todo []int, seen []bool) {
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, ref := range s.records[at].refs {
			if to, ok := s.byID[ref]; ok && !seen[to] {
				seen[to] = true
				todo = append(todo, to)
			}
		}
	}
}

// about returns the ids that a warning about a record can name: the record, the faces that refer to it with all records
// in between, and the records that these faces refer to.
func (s *structure) about(record int) []string {
	if record < 0 {
		return nil
	}
	s.invert()
	seen := make([]bool, len(s.records))
	seen[record] = true
	for todo := []int{record}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if slices.Contains(faces, s.records[at].entity) {
			continue
		}
		for _, user := range s.users[at] {
			if !seen[user] {
				seen[user] = true
				todo = append(todo, user)
			}
		}
	}
	under := make([]bool, len(s.records))
	var above []int
	for i, isAbove := range seen {
		if isAbove && slices.Contains(faces, s.records[i].entity) {
			above = append(above, i)
		}
	}
	s.descend(above, under)
	var out []string
	for i := range s.records {
		if seen[i] || under[i] {
			out = append(out, strconv.FormatInt(s.records[i].id, 10))
		}
	}
	return out
}

// invert finds who refers to each record.
func (s *structure) invert() {
	if s.users != nil {
		return
	}
	s.users = make([][]int, len(s.records))
	for i, r := range s.records {
		for _, ref := range r.refs {
			if to, ok := s.byID[ref]; ok {
				s.users[to] = append(s.users[to], i)
			}
		}
	}
}
