package recognition

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"millwright.dev/millwright/core/feature"
)

// CountReport is the result on real parts whose features were counted by people.
type CountReport struct {
	Set    string            `json:"set"`
	Parts  int               `json:"parts"`
	Unread []string          `json:"unread,omitempty"`
	Named  Tally             `json:"named"` // counts of kinds that people list for a part
	All    Tally             `json:"all"`   // with the kinds they do not list, which count as 0
	Groups map[string]*Tally `json:"groups"`
	Misses []string          `json:"misses,omitempty"`
	Times  Times             `json:"times"`
}

// counted is what people found in a part.
type counted struct {
	sure  int         // features of a group
	maybe []uncertain // counted with them or not
}

// uncertain is an entry that counts completely or not at all, or with any number.
type uncertain struct {
	n   int
	any bool
}

// allows reports whether n agrees, with any of the uncertain entries counted or not.
func (c counted) allows(n int) bool {
	sums := map[int]bool{c.sure: true}
	for _, m := range c.maybe {
		more := map[int]bool{}
		for sum := range sums {
			for k := range m.n + 1 {
				if k == 0 || k == m.n || m.any {
					more[sum+k] = true
				}
			}
		}
		sums = more
	}
	return sums[n]
}

func (c counted) String() string {
	s := fmt.Sprint(c.sure)
	for _, m := range c.maybe {
		if m.any {
			s += fmt.Sprintf(" (or up to %d more)", m.n)
		} else {
			s += fmt.Sprintf(" (or %d more)", m.n)
		}
	}
	return s
}

// readCounts returns people's counts by group; a group they do not name is absent.
func readCounts(path string) (map[string]*counted, error) {
	var truth struct {
		Features []struct {
			Name     string `json:"feature_name"`
			Quantity int    `json:"quantity"`
		} `json:"identified_features"`
	}
	if err := readJSON(path, &truth); err != nil {
		return nil, err
	}
	out := map[string]*counted{}
	for _, f := range truth.Features {
		isKnown := false
		for _, c := range countClasses {
			if !strings.HasPrefix(f.Name, c.Prefix) {
				continue
			}
			isKnown = true
			if c.Group == "" {
				continue
			}
			if out[c.Group] == nil {
				out[c.Group] = &counted{}
			}
			if c.Maybe {
				out[c.Group].maybe = append(out[c.Group].maybe, uncertain{f.Quantity, c.Shared})
			} else {
				out[c.Group].sure += f.Quantity
			}
		}
		if !isKnown {
			return nil, fmt.Errorf("%s: unknown name %q", path, f.Name)
		}
	}
	return out, nil
}

// runCounts recognizes every part below dir and compares the counts.
func runCounts(ctx context.Context, dir string) (*CountReport, error) {
	files, err := filepath.Glob(filepath.Join(dir, "Test_Cases_STEP_Files", "*"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no parts in %s", dir)
	}
	r := &CountReport{Set: "vlm", Groups: map[string]*Tally{}}
	for _, path := range files {
		p, err := Read(ctx, path, false)
		if err != nil {
			r.Unread = append(r.Unread, err.Error())
			continue
		}
		name := filepath.Base(path)
		stem := strings.TrimSuffix(name, filepath.Ext(name))
		want, err := readCounts(filepath.Join(dir, "Test_Cases_STEP_Ground_Truth", stem+".json"))
		if err != nil {
			return nil, err
		}
		r.add(name, p, want)
	}
	return r, nil
}

// add compares the counts of a part. A hole or a pocket across a void counts as one here; people may count the
// remaining piece on each side.
func (r *CountReport) add(name string, p *Part, want map[string]*counted) {
	r.Parts++
	r.Times.add(p.Times)
	for _, g := range countGroups {
		got, pieces := 0, 0
		for _, f := range p.Found {
			if slices.Contains(g.Kinds, f.Kind) {
				got++
				pieces += f.Pieces
			}
		}
		w, named := want[g.Name]
		if !named {
			w = &counted{}
		}
		right := w.allows(got) || w.allows(pieces)
		r.All.count(right)
		if r.Groups[g.Name] == nil {
			r.Groups[g.Name] = &Tally{}
		}
		if named {
			r.Named.count(right)
			r.Groups[g.Name].count(right)
		}
		switch {
		case !right && named:
			r.Misses = append(r.Misses, fmt.Sprintf("%s: %d %s, counted by people: %s (found %s)", name, got,
				g.Name, w, summary(p)))
		case !right:
			r.Misses = append(r.Misses, fmt.Sprintf("%s: %d %s, not listed by people", name, got, g.Name))
		}
	}
}

// summary counts the features by kind, as "Hole 2 Face 6".
func summary(p *Part) string {
	n := map[feature.Type]int{}
	for _, f := range p.Found {
		n[f.Kind]++
	}
	var out []string
	for _, k := range columns {
		if n[k] > 0 {
			out = append(out, fmt.Sprintf("%s %d", k, n[k]))
		}
	}
	return strings.Join(out, " ")
}
