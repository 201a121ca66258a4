package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/adapters/confine/confinetest"
)

// converterIn writes a converter to a folder, which makes the bundled part of a Creo part, and returns its
// configuration.
func converterIn(t *testing.T, dir string) string {
	t.Helper()
	script, answer, config := filepath.Join(dir, "convert"), filepath.Join(dir, "part"), filepath.Join(t.TempDir(), "c.json")
	text, err := json.Marshal(map[string]any{
		"name": "Convert-O", "version": "1.2", "executable": script,
		"formats": map[string]any{"creo": map[string]any{"arguments": []string{"{in}", "{out}"}, "suffix": ".stp", "exact": true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string]string{
		script: "#!/bin/sh\ngrep -q 'PART' \"$1\" && exec cat " + answer + " >\"$2\"", answer: string(examplePart), config: string(text),
	} {
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return config
}

// TestConverted checks that the process that reads a file requests a converter, which runs in a separate process.
func TestConverted(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	config, dir := converterIn(t, t.TempDir()), t.TempDir()
	creo, broken := filepath.Join(dir, "bracket.prt"), filepath.Join(dir, "broken.prt")
	for path, text := range map[string]string{creo: "#UGC:2 PART", broken: "#UGC:2 ASSEMBLY"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out, _, status := millwright(t, "analyze", "--converter", config, creo)
	if status != 0 || !strings.Contains(out, "solids 1") {
		t.Errorf("a Creo part: status %d, %s", status, out)
	}
	out, _, status = millwright(t, "analyze", "--converter", config, "-o", "json", broken)
	if status != 1 || !strings.Contains(out, "converter_unavailable") || !strings.Contains(out, "could not convert the file") {
		t.Errorf("what the converter does not convert: status %d, %s", status, out)
	}
}

// TestConverterBesideTheData refuses a converter that could read the records of the service.
func TestConverterBesideTheData(t *testing.T) {
	dir := t.TempDir()
	config := converterIn(t, dir)
	_, errs, status := millwright(t, "serve", "--listen", "127.0.0.1:0", "--data", filepath.Join(dir, "var"), "--converter", config)
	if status != exitFailed || !strings.Contains(errs, "different folders") {
		t.Errorf("status %d, %s", status, errs)
	}
}

// TestUnconfinedServiceWarns has a kernel without Landlock: parts are read, and the log explains the consequence once.
func TestUnconfinedServiceWarns(t *testing.T) {
	whole(t)
	confinetest.WithoutLandlock(t, func() {
		data := t.TempDir()
		p := serve(t, data)
		c := p.client(newKey(t, data))
		id := submit(t, c, exampleName, examplePart)
		eventually(t, "the part is ready", func() bool { return get[partState](t, c, "/parts/"+id).Data.Status == "ready" })
		if n := strings.Count(p.log.String(), "without confinement"); n != 1 || !strings.Contains(p.log.String(), "no Landlock") {
			t.Errorf("the log warns %d times:\n%s", n, p.log)
		}
	})
}
