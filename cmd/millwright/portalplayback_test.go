package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// TestPortalPlaybackInABrowser plans the example by the service and plays its program.
func TestPortalPlaybackInABrowser(t *testing.T) {
	whole(t)
	t.Parallel()
	data := t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	id := submit(t, c, exampleName, examplePart)
	await(t, c, id, "ready")
	status, body := send(t, c, "/v1/parts/"+id+"/programs", "{}", "plan")
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != http.StatusAccepted {
		t.Fatalf("program: %d %s", status, body)
	}
	browsertest.RunPlayback(t, browsertest.PlaybackServer{
		Server: browsertest.Server{
			Origin: p.base,
			Link:   func() string { return portalLinkOf(t, data, "--team", "t", "--url", p.base) },
		},
		Part: id, Program: made.ID, Axe: browsertest.Axe(t),
	})
}
