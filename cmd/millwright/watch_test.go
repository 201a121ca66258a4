package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/telemetry"
)

// TestProfilesAreServedWhenAskedFor requests the operators' pages, which need no key.
func TestProfilesAreServedWhenAskedFor(t *testing.T) {
	w := &watch{metrics: telemetry.NewMetrics(nil, nil)}
	ready := func(context.Context) error { return nil }
	for _, c := range []struct {
		flags    processFlags
		profiles int
	}{
		{processFlags{Admin: "127.0.0.1:0"}, http.StatusNotFound},
		{processFlags{Admin: "127.0.0.1:0", Pprof: true}, http.StatusOK},
	} {
		address, stop, err := c.flags.serveAdmin(w, ready)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]int{
			"/healthz": http.StatusOK, "/readyz": http.StatusOK,
			"/debug/pprof/": c.profiles, "/debug/pprof/cmdline": c.profiles, "/debug/pprof/heap": c.profiles,
		} {
			if status, _ := fetch(t, "http://"+address+path); status != want {
				t.Errorf("--pprof=%v: %s answers %d, want %d", c.flags.Pprof, path, status, want)
			}
		}
		stop()
	}
}

// TestTheContainerKeepsItsAdminPort reads how the image and the cluster listen: the image for itself, the cluster for
// its probes and Prometheus.
func TestTheContainerKeepsItsAdminPort(t *testing.T) {
	for file, want := range map[string]string{
		"Containerfile":                 "MILLWRIGHT_ADMIN=127.0.0.1:9090",
		"kubernetes/kustomization.yaml": "MILLWRIGHT_ADMIN=0.0.0.0:9090",
	} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %s", file, want)
		}
	}
}
