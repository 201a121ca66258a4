package main

import (
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// TestKeyboardInABrowser visits the portal without a mouse.
func TestKeyboardInABrowser(t *testing.T) {
	whole(t)
	t.Parallel()
	folder := t.TempDir()
	p := serve(t, folder, "--device", "cpu")
	browsertest.RunKeyboard(t, browsertest.KeyboardServer{
		Server: browsertest.Server{
			Origin: p.base,
			Link:   func() string { return portalLinkOf(t, folder, "--team", "t", "--url", p.base) },
		},
		Part: browsertest.File{Name: exampleName, Data: examplePart},
	})
}
