package main

import (
	"io"
	"net/http"
	"testing"
)

func TestDescriptionIsPrintedAsServed(t *testing.T) {
	whole(t)
	t.Parallel()
	p := serve(t, t.TempDir())
	resp, err := http.Get(p.base + "/v1/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	served, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s, %v", resp.Status, err)
	}
	printed, stderr, status := millwright(t, "openapi", "--public-url", p.base+"/")
	if status != 0 || printed != string(served) {
		t.Errorf("status %d %q: printed %d bytes, want the %d served", status, stderr, len(printed), len(served))
	}
}
