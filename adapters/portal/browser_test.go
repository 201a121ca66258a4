package portal_test

import (
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/core/service/account"
)

// TestPagesOfKeysInABrowser runs the suite of the pages on the real service.
func TestPagesOfKeysInABrowser(t *testing.T) {
	w := newLiveWorld(t)
	team, _, err := w.Accounts.EnsureUser(t.Context(), "workshop", "ann") // a team without keys
	if err != nil {
		t.Fatal(err)
	}
	server := w.pages(team.Name, "ann")
	server.EndSessions = func() {
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
	}
	browsertest.Run(t, server)
}
