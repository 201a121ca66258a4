package recognition

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"millwright.dev/millwright/core/feature"
)

// Split counts features that share no edge with another one and those that do.
type Split struct {
	Alone    Match `json:"alone"`
	Touching Match `json:"touching"`
}

func (s *Split) of(touches bool) *Match {
	if touches {
		return &s.Touching
	}
	return &s.Alone
}

func (s *Split) all() Match {
	m := s.Alone
	m.add(s.Touching)
	return m
}

// Mistake is one way in which features were taken for something else.
type Mistake struct {
	Count    int      `json:"count"`
	Examples []string `json:"examples"` // parts and faces
}

// mostExamples are enough to begin with.
const mostExamples = 4

// Scores group features by kind, by the classification in their datasheet, and by the intended feature.
type Scores struct {
	Kinds  map[feature.Type]*Split   `json:"kinds"`
	Sorts  map[string]*Split         `json:"sorts"`   // by kind and words of the datasheet
	Sort   Split                     `json:"sort"`    // features that have the words of the truth too
	Meant  map[string]*Split         `json:"meant"`   // by the name of the truth: found and missed
	Found  map[string]map[string]int `json:"foundAs"` // features by name and all words of the found features
	Wrong  map[string]*Mistake       `json:"wrong"`   // features by name and what their faces were taken for
	Words  map[string]*Mistake       `json:"words"`   // sorts that differ in a word
	Others int                       `json:"others"`  // features found in another reading that is as right
}

func newScores() Scores {
	return Scores{Kinds: map[feature.Type]*Split{}, Sorts: map[string]*Split{}, Meant: map[string]*Split{},
		Found: map[string]map[string]int{},
		Wrong: map[string]*Mistake{}, Words: map[string]*Mistake{}}
}

// wordsOf are the facts that make sub-kinds, by kind.
var wordsOf = map[feature.Type][]string{
	feature.Hole:     {"isThrough", "bottom", "counterbore", "countersink"},
	feature.Pocket:   {"isOpen", "isThrough", "shape"},
	feature.Boss:     {"shape"},
	feature.Wall:     {"isClosed"},
	feature.Profile:  {"isOuter"},
	feature.Tslot:    {"openEnds"},
	feature.Dovetail: {"openEnds"},
}

// word says a fact as part of the name of a sort; a countersink has but "countersink" and "plain".
func word(name string, value any) string {
	switch v := value.(type) {
	case nil:
		return "no " + name
	case map[string]any:
		return name
	case bool:
		words := map[string][2]string{"isThrough": {"blind", "through"}, "isOpen": {"closed", "open"},
			"isClosed": {"ends", "closed"}, "isOuter": {"inner", "outer"}}[name]
		if v {
			return words[1]
		}
		return words[0]
	case float64:
		return fmt.Sprintf("%v %s", v, name)
	}
	return fmt.Sprint(value)
}

// sortOf names the sort of a feature by those facts that want has too.
func sortOf(kind feature.Type, facts, want map[string]any) string {
	words := []string{string(kind)}
	for _, name := range wordsOf[kind] {
		if _, known := want[name]; !known {
			continue
		}
		if w := word(name, facts[name]); !strings.HasPrefix(w, "no ") {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// factsOf are those of a datasheet as they are written.
func factsOf(sheet any) (map[string]any, error) {
	text, err := json.Marshal(sheet)
	if err != nil {
		return nil, err
	}
	var out struct {
		Facts map[string]any `json:"facts"`
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, err
	}
	return out.Facts, nil
}

// found counts a feature of the truth that was found.
func (s *Scores) found(kind feature.Type, meant string, touches bool) {
	at(s.Kinds, kind).of(touches).Both++
	at(s.Meant, meant).of(touches).Both++
}

// sorted compares the words of a feature that was found with those that the truth knows.
func (s *Scores) sorted(kind feature.Type, meant string, got, want map[string]any, touches bool, where string) {
	if s.Found[meant] == nil {
		s.Found[meant] = map[string]int{}
	}
	s.Found[meant][sortOf(kind, got, got)]++
	w, g := sortOf(kind, want, want), sortOf(kind, got, want)
	if w == g {
		at(s.Sorts, w).of(touches).Both++
		s.Sort.of(touches).Both++
		return
	}
	at(s.Sorts, w).of(touches).Missed++
	at(s.Sorts, g).of(touches).Extra++
	s.Sort.of(touches).Missed++
	s.Sort.of(touches).Extra++
	line := meant + " " + strings.TrimPrefix(w, string(kind)+" ") + " is " + strings.TrimPrefix(g, string(kind)+" ")
	s.Words[line] = s.Words[line].with(where)
}

// missed counts a feature of the truth that was not found, taken for other things.
func (s *Scores) missed(kind feature.Type, meant string, facts map[string]any, touches bool, instead, where string) {
	at(s.Kinds, kind).of(touches).Missed++
	at(s.Meant, meant).of(touches).Missed++
	at(s.Sorts, sortOf(kind, facts, facts)).of(touches).Missed++
	s.Sort.of(touches).Missed++
	line := fmt.Sprintf("%s (%s) taken for %s", meant, touching(touches), instead)
	s.Wrong[line] = s.Wrong[line].with(where)
}

// extra counts a feature that the truth does not have.
func (s *Scores) extra(kind feature.Type, touches bool) {
	at(s.Kinds, kind).of(touches).Extra++
	s.Sort.of(touches).Extra++
}

// invented notes a feature that the truth does not have and whose faces are those of features that were found.
func (s *Scores) invented(kind feature.Type, of, where string) {
	line := fmt.Sprintf("extra %s of faces of %s", kind, of)
	s.Wrong[line] = s.Wrong[line].with(where)
}

func (m *Mistake) with(where string) *Mistake {
	if m == nil {
		m = &Mistake{}
	}
	if m.Count++; len(m.Examples) < mostExamples {
		m.Examples = append(m.Examples, where)
	}
	return m
}

func touching(t bool) string {
	if t {
		return "touching"
	}
	return "alone"
}

func (s *Scores) print(w io.Writer) {
	all := s.Sort.all()
	_, _ = fmt.Fprintf(w, "with the words of the datasheet too: F1 %s, alone %s, touching %s; in another reading %d\n",
		percent(all.F1()), percent(s.Sort.Alone.F1()), percent(s.Sort.Touching.F1()), s.Others)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	printSplits(t, "kind", s.Kinds)
	printSplits(t, "sort", s.Sorts)
	_, _ = fmt.Fprintln(t, "meant\tfound\tmissed\trecall\t\talone\ttouching")
	for _, k := range byCost(s.Meant) {
		m := s.Meant[k].all()
		_, _ = fmt.Fprintf(t, "%s\t%d\t%d\t%s\t\t%d of %d\t%d of %d\n", k, m.Both, m.Missed, percent(m.recall()),
			s.Meant[k].Alone.Both, s.Meant[k].Alone.wanted(), s.Meant[k].Touching.Both, s.Meant[k].Touching.wanted())
	}
	_ = t.Flush()
	_, _ = fmt.Fprintln(w, "found, and what their datasheets say:")
	for _, name := range sortedKeys(s.Found) {
		var as []string
		for _, sort := range sortedKeys(s.Found[name]) {
			as = append(as, fmt.Sprintf("%d %s", s.Found[name][sort], sort))
		}
		_, _ = fmt.Fprintf(w, "  %s: %s\n", name, strings.Join(as, ", "))
	}
	printMistakes(w, "taken for something else, by number", s.Wrong)
	printMistakes(w, "right faces and kind, wrong words", s.Words)
}

func printSplits[K cmp.Ordered](t *tabwriter.Writer, title string, of map[K]*Split) {
	_, _ = fmt.Fprintf(t, "%s\tfound\tmissed\textra\tF1\t\talone\tF1\t\ttouching\tF1\n", title)
	for _, k := range sortedKeys(of) {
		s, m := of[k], of[k].all()
		_, _ = fmt.Fprintf(t, "%v\t%d\t%d\t%d\t%s\t\t%d\t%s\t\t%d\t%s\n", k, m.Both, m.Missed, m.Extra,
			percent(m.F1()), s.Alone.wanted(), percent(s.Alone.F1()), s.Touching.wanted(), percent(s.Touching.F1()))
	}
}

// byCost sorts names by how much is missed.
func byCost(of map[string]*Split) []string {
	keys := sortedKeys(of)
	slices.SortStableFunc(keys, func(a, b string) int { return of[b].all().Missed - of[a].all().Missed })
	return keys
}

func printMistakes(w io.Writer, title string, of map[string]*Mistake) {
	if len(of) == 0 {
		return
	}
	_, _ = fmt.Fprintf(w, "%s:\n", title)
	lines := slices.Collect(maps.Keys(of))
	slices.SortFunc(lines, func(a, b string) int { return cmp.Or(of[b].Count-of[a].Count, cmp.Compare(a, b)) })
	for _, l := range lines {
		_, _ = fmt.Fprintf(w, "  %d  %s: %s\n", of[l].Count, l, strings.Join(of[l].Examples, "; "))
	}
}
