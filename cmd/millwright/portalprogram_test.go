package main

import (
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// TestPortalProgramInABrowser plans the example through the pages, and compares what they show with the service and
// with the files of the command line.
func TestPortalProgramInABrowser(t *testing.T) {
	whole(t)
	t.Parallel()
	data, folder := t.TempDir(), t.TempDir()
	p := serve(t, data)
	c := p.client(newKey(t, data))
	id := submit(t, c, exampleName, examplePart)
	file := filepath.Join(t.TempDir(), exampleName)
	if err := os.WriteFile(file, examplePart, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, stderr, status := millwright(t, "program", file, "--out", folder, "--device", "cpu"); status != 0 {
		t.Fatalf("program: status %d: %s", status, stderr)
	}
	await(t, c, id, "ready")
	browsertest.RunProgram(t, browsertest.ProgramServer{
		Server: browsertest.Server{
			Origin: p.base,
			Link:   func() string { return portalLinkOf(t, data, "--team", "t", "--url", p.base) },
		},
		Part: id, Folder: folder, Axe: browsertest.Axe(t),
	})
}
