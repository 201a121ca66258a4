package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/portal/browsertest"
	"millwright.dev/millwright/bench/corpus"
)

// ctc02 is a NIST test case with 637 faces.
const ctc02 = "step/nist_ap242/nist_ctc_02_asme1_ap242-e2.stp"

// TestPartInABrowser runs the suite of the pages of parts on a service with a worker.
func TestPartInABrowser(t *testing.T) {
	whole(t)
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), ctc02))
	if err != nil {
		t.Skipf("NOT CHECKED: %v", err)
	}
	onEachStore(t, func(t *testing.T) {
		const pace = 2 * time.Second
		const broken = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=PLANE("
		folder := t.TempDir()
		p := serve(t, folder, "--create-interval", pace.String(), "--device", "cpu")
		browsertest.RunPart(t, browsertest.PartServer{
			Server: browsertest.Server{
				Origin: p.base,
				Link:   func() string { return portalLinkOf(t, folder, "--team", "t", "--url", p.base) },
			},
			Part:   browsertest.File{Name: "ctc_02.stp", Data: data},
			Broken: browsertest.File{Name: "broken.step", Data: []byte(broken)},
			Pace:   pace,
			Few:    os.Getenv("MILLWRIGHT_DATABASE") != "", // the pages are the same
		})
	})
}
