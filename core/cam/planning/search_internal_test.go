package planning

import (
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
)

// prepared returns a planner of a part before its search; nil where nothing can be planned.
func prepared(t *testing.T, name string, change ...func(*Input)) *planner {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	run, err := recognize.Recognize(t.Context(), m, msh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Run: run, Sheets: sheets, Config: machining.BuiltInCutConfig(), Mill: compute.OnCPU(2)}
	for _, l := range machining.BuiltInToolLibraries() {
		if l.ID == in.Config.ToolLibraryIDs[0] {
			in.Tools = l.Tools
		}
	}
	for _, c := range change {
		c(&in)
	}
	p := &planner{in: in, g: run.Graph, plan: &Plan{}}
	for _, step := range []func() error{
		func() error { return p.measure(t.Context()) }, p.place, p.usable, func() error { return p.findTasks(t.Context()) },
	} {
		if step() != nil {
			return nil // nothing can be planned
		}
	}
	return p
}

// exhaustive tries every order of sides in every clamping up to a length, and skips nothing.
type exhaustive struct {
	*route
	orders, most int
}

func (e *exhaustive) follow(st *state, so []setup, w score) {
	if e.orders++; e.orders > e.most {
		return
	}
	if len(so) > 0 {
		e.judge(st, so, w)
	}
	for s := side(0); s < sides && len(so) < e.length; s++ {
		if st.before[s] || !e.p.fits[s] {
			continue
		}
		holds := slices.Concat(e.p.clampings(st, s), e.p.fixturesBy(st, s, e.p.in.Config.Workholding.Kind))
		for i := range holds {
			next := st.clone()
			step := e.p.work(next, s, &holds[i])
			all := append(so[:len(so):len(so)], step)
			e.follow(next, all, e.and(w, all))
		}
	}
}

// TestSearchFindsWhatExhaustiveSearchFinds: the search skips no order that is better.
func TestSearchFindsWhatExhaustiveSearchFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute")
	}
	const (
		most   = 6_000 // orders of a part
		enough = 2     // setups
		small  = 16    // tasks
		least  = 8     // parts
	)
	compared := 0
	for _, name := range featuretest.Names {
		p := prepared(t, name)
		if p == nil || len(p.tasks) > small {
			continue
		}
		r, err := p.bestRoute(t.Context())
		if err != nil || len(r.best) > enough {
			continue
		}
		e := exhaustive{route: &route{p: p, total: r.total, length: min(len(r.best)+1, enough)}, most: most}
		e.follow(p.begin(), nil, score{})
		if e.orders > most {
			continue
		}
		if compared++; r.score != e.score {
			t.Errorf("%s: the best order has the figures %v, that of %d orders %v", name, r.score, e.orders, e.score)
		}
	}
	if compared < least {
		t.Errorf("%d searches were compared, not %d", compared, least)
	}
}

// TestMoreToolsAndWiderVisesNeverCostMore: more tools do not make a part dearer, nor leave more unmade.
func TestMoreToolsAndWiderVisesNeverCostMore(t *testing.T) {
	if testing.Short() {
		t.Skip("a dozen searches")
	}
	for _, name := range []string{"pockets", "cross_holes"} {
		for label, less := range map[string]func(*Input){
			"fewer tools": func(in *Input) {
				var kept []machining.Tool
				for i, tool := range in.Tools {
					if i%3 != 0 {
						kept = append(kept, tool)
					}
				}
				in.Tools = kept
			},
			"a narrow vise": func(in *Input) {
				in.Config.Workholding.Opening, in.Config.Workholding.OuterOpening = 60, 60
			},
			"a weak vise": func(in *Input) { in.Config.Workholding.Force /= 3 },
		} {
			before, err := prepared(t, name, less).bestRoute(t.Context())
			if err != nil {
				continue
			}
			after, err := prepared(t, name).bestRoute(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			// Areas unmade are shares of what can be made, and so of no use between libraries.
			if after.score[unmade] == 0 && before.score[unmade] == 0 && after.score[effort] > before.score[effort] {
				t.Errorf("%s: %d cents with %s, %d with all", name, before.score[effort], label, after.score[effort])
			}
		}
	}
}
