package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// millwright runs the program and returns its output and its exit status.
func millwright(t *testing.T, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(os.Args[0], args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func examplePath() string { return filepath.Join("example", exampleName) }

func TestAnalyzeGoesOnAfterABadFile(t *testing.T) {
	whole(t)
	bad := filepath.Join(t.TempDir(), "letter.step")
	if err := os.WriteFile(bad, []byte("Dear workshop,"), 0o600); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	stdout, _, status := millwright(t, "analyze", "-o", "json", "--jobs", "2", "--out", out,
		"missing.step", bad, examplePath())
	if status != 1 {
		t.Errorf("exit status %d, want 1", status)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one per file:\n%s", len(lines), stdout)
	}
	for i, want := range []string{"unreadable_file", "unreadable_file", ""} {
		var got struct {
			File   string
			Error  *struct{ Code, Reason string }
			Volume float64
			Bounds *struct{ Min, Max map[string]float64 }
			Holes  []struct{ Diameter float64 }
		}
		if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "" && (got.Error != nil || got.Volume <= 0 || got.Bounds == nil || len(got.Holes) == 0):
			t.Errorf("line %d: %s, want a result", i, lines[i])
		case want != "" && (got.Error == nil || got.Error.Code != want || got.Error.Reason == ""):
			t.Errorf("line %d: %s, want error %s", i, lines[i], want)
		}
	}
	for _, ext := range []string{".stl", ".glb", ".png", ".json"} {
		if info, err := os.Stat(filepath.Join(out, "bracket"+ext)); err != nil || info.Size() == 0 {
			t.Errorf("bracket%s was not written: %v", ext, err)
		}
	}
}

func TestAnalyzeTable(t *testing.T) {
	whole(t)
	stdout, stderr, status := millwright(t, "analyze", examplePath())
	if status != 0 || stderr != "" {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
	for _, want := range []string{
		exampleName, "solids 1", "watertight", "4 x counterbored hole diameter 9.000",
	} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the table lacks %q:\n%s", want, stdout)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	whole(t)
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"everything wrong at once",
			[]string{"analyze", "--angle", "0", "--jobs", "0", "--tolerance=-1", "x.step"},
			[]string{"--angle", "--jobs", "--tolerance"}},
		{"duration", []string{"analyze", "--timeout", "soon", "x.step"}, []string{"soon"}},
		{"outputs overwrite each other", []string{"analyze", "--out", t.TempDir(), "a/x.step", "b/x.stp"},
			[]string{"both write"}},
		{"lease", []string{"serve", "--lease", "1ms"}, []string{"--lease"}},
		{"lease and pace", []string{"serve", "--lease", "1ms", "--create-interval=-2s"},
			[]string{"--lease", "--create-interval"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, stderr, status := millwright(t, c.args...)
			if status != exitUsage {
				t.Errorf("status %d, want %d", status, exitUsage)
			}
			for _, want := range c.want {
				if !strings.Contains(stderr, want) {
					t.Errorf("stderr lacks %q: %s", want, stderr)
				}
			}
		})
	}
}

func TestBareNumbersAreSeconds(t *testing.T) {
	whole(t)
	stdout, _, status := millwright(t, "analyze", "--timeout", "0.000001", "-o", "json", examplePath())
	if status != 1 || !strings.Contains(stdout, `"timed_out"`) {
		t.Errorf("status %d, %s, want timed_out", status, stdout)
	}
}

func TestKeyLife(t *testing.T) {
	whole(t)
	data := t.TempDir()
	text := newKey(t, data)
	list, _, _ := millwright(t, "key", "list", "--data", data, "--team", "t", "-o", "json")
	var keys []struct{ ID, Prefix, Status, Key string }
	if err := json.Unmarshal([]byte(list), &keys); err != nil || len(keys) != 1 {
		t.Fatalf("list: %s (%v)", list, err)
	}
	if keys[0].Status != "active" || keys[0].Key != "" || !strings.HasPrefix(text, keys[0].Prefix) {
		t.Errorf("listed %+v of key %s", keys[0], text)
	}
	if _, stderr, status := millwright(t, "key", "revoke", "--data", data, keys[0].ID); status != 0 {
		t.Errorf("revoke: status %d %s", status, stderr)
	}
	list, _, _ = millwright(t, "key", "list", "--data", data, "--team", "t")
	if !strings.Contains(list, "revoked") {
		t.Errorf("list after revoking: %s", list)
	}
	if _, stderr, status := millwright(t, "key", "list", "--data", data, "--team", "nobody"); status != 1 ||
		!strings.Contains(stderr, "nobody") {
		t.Errorf("unknown team: status %d %s", status, stderr)
	}
}
