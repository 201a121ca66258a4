package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestMain lets the test binary stand in for the program that measures one file.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "measure" {
		main()
		return
	}
	os.Exit(m.Run())
}

// output runs a command line and returns its output.
func output(t *testing.T, args ...string) string {
	t.Helper()
	c := cli
	parser, err := kong.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := parser.Parse(args)
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	done := make(chan string)
	go func() {
		text, _ := io.ReadAll(r)
		done <- string(text)
	}()
	err = ctx.Run()
	os.Stdout = stdout
	_ = w.Close()
	text := <-done
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return text
}

// folder returns a folder with a real part, a file that is not a part, and figures for both.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	part, err := os.ReadFile("../cmd/millwright/example/bracket.step")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("parts/bracket.step", part)
	write("parts/broken.stp", []byte("no CAD file"))
	write("parts/readme.txt", []byte("left out"))
	write("truth.jsonl", []byte(`{"file":"parts/bracket.step","solids":1,"faces":74,"volume_solids":250735.744,`+
		`"area":48044.7313,"mesh_bbox":[-10,0,0,130,80,92],"lin_defl":0.1}`+"\n"))
	return dir
}

func TestCorpusPrintsARowPerFileAndASummary(t *testing.T) {
	text := output(t, "corpus", filepath.Join(folder(t), "parts"))
	for _, want := range []string{
		"parts/bracket.step", "parts/broken.stp", "not read: unreadable_file",
		"read: 1 of 2 (50.00 %)", "all 1 of 1 (100.00 %)", "watertight 1 of 1 (100.00 %)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "readme") {
		t.Errorf("a text file was read:\n%s", text)
	}
}

func TestCorpusAsJSON(t *testing.T) {
	text := output(t, "corpus", "--json", folder(t))
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want two files and a summary:\n%s", len(lines), text)
	}
	var part row
	if err := json.NewDecoder(bytes.NewReader([]byte(lines[0]))).Decode(&part); err != nil {
		t.Fatal(err)
	}
	if part.File != "parts/bracket.step" || part.Faces != 74 || !part.Watertight || part.PeakBytes == 0 ||
		part.Same == nil || !part.Same.all() {
		t.Errorf("the part is %s", lines[0])
	}
	var end struct{ Summary *summary }
	if err := json.Unmarshal([]byte(lines[2]), &end); err != nil || end.Summary == nil || end.Summary.All != 1 {
		t.Errorf("the summary is %s (%v)", lines[2], err)
	}
}
