package portal_test

import (
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/verify"
)

// TestProgramPagesInABrowser shows programs whose proof failed, whose cut config changed, and of an earlier release.
func TestProgramPagesInABrowser(t *testing.T) {
	w := newLiveWorld(t)
	p := w.readyPart(w.Acme)
	config, err := w.Catalog.CreateCutConfig(t.Context(), w.Acme, machining.ReadPatch([]byte(`{"name":"Mill 1"}`)))
	w.must(err)
	old := w.program(w.Acme, p, "", false)
	changed := w.program(w.Acme, p, config.ID, true)
	_, err = w.Catalog.UpdateCutConfig(t.Context(), w.Acme, config.ID,
		machining.ReadPatch([]byte(`{"hourlyRateCents":1}`)), nil)
	w.must(err)
	failed := w.program(w.Acme, p, "", true, verify.Finding{
		Kind: verify.Gouge, Operation: "1.1", Move: 0, Depth: 0.3, Regions: []int{1},
	})
	browsertest.RunProgramStates(t, browsertest.ProgramStates{
		Server: w.pages("acme", "ann"), Part: p.ID, Failed: failed.ID, Changed: changed.ID, Old: old.ID,
		Axe: browsertest.Axe(t),
	})
}
