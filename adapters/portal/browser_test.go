package portal_test

import (
	"testing"
	"time"

	"millwright.dev/millwright/adapters/portal"
	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/core/service/account"
)

// TestPagesOfKeysInABrowser runs the suite of the pages on the real service.
func TestPagesOfKeysInABrowser(t *testing.T) {
	w := newWorldOf(t, "", portal.Static{Index: portal.Index(), Hash: portal.Hash(), Files: portal.Assets()})
	w.Clock.Advance(time.Since(w.Clock.Now()))                            // the browser has the time of the machine
	team, _, err := w.Accounts.EnsureUser(t.Context(), "workshop", "ann") // a team without keys
	if err != nil {
		t.Fatal(err)
	}
	browsertest.Run(t, browsertest.Server{
		Origin: w.server.URL,
		Link:   func() string { return w.server.URL + "/portal/welcome#token=" + w.link(team.Name, "ann") },
		EndSessions: func() {
			keys, err := w.Accounts.TeamKeys(t.Context(), team.ID)
			if err != nil {
				t.Error(err)
			}
			for _, k := range keys {
				if k.Kind != account.KeyPortal {
					continue
				}
				if _, err := w.Accounts.RevokeKey(t.Context(), k.ID); err != nil {
					t.Error(err)
				}
			}
		},
	})
}
