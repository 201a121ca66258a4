package converter_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/core/fault"
)

// program writes a script that acts as a converter; its arguments are -i IN -o OUT.
func program(t *testing.T, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "convert")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func config(t *testing.T, script string) converter.Config {
	return converter.Config{
		Name: "Convert-O", Version: "1.2", Executable: program(t, script), Isolation: converter.NotIsolated,
		Formats: map[string]converter.Format{"creo": {
			Arguments: []string{"-i", "{in}", "-o", "{out}"}, Suffix: ".stp", Exact: true,
		}},
	}
}

func convert(t *testing.T, c converter.Config, content string) (string, error) {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("SECRET", "of the service")
	conv, err := converter.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	err = conv.Convert(t.Context(), t.TempDir(), strings.NewReader(content), "creo", ".prt", &got)
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return got.String(), err
}

func TestConvert(t *testing.T) {
	c := config(t, `case "$2$4" in /*in.prt/*out.stp) ;; *) exit 9 ;; esac
[ ! -w "$2" ] || [ "$(id -u)" = 0 ] || exit 8
[ -z "$SECRET" ] && [ "$LICENCE" = 27000@server ] && [ "$PWD" = "$HOME" ] || exit 7
{ echo converted:; cat "$2"; } >"$4"`)
	c.Environment = map[string]string{"LICENCE": "27000@server"}
	if got, err := convert(t, c, "a part"); err != nil || got != "converted:\na part" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestIsolated checks that the program sees no network, if the machine allows namespaces.
func TestIsolated(t *testing.T) {
	if err := errors.Join(confine.Check(), exec.Command("unshare", "--user", "--net", "true").Run()); err != nil {
		t.Skip(err)
	}
	c := config(t, `cat /proc/net/dev >"$4"`)
	c.Isolation = converter.Namespaces
	got, err := convert(t, c, "a part")
	if err != nil || strings.Count(got, ":") != 1 || !strings.Contains(got, "lo:") {
		t.Errorf("network of the converter: %q, %v", got, err)
	}
}

func TestConvertFails(t *testing.T) {
	for _, c := range []struct {
		name, script string
		change       func(*converter.Config)
		code         fault.Code
		reason       string
	}{
		{"an error", "echo no licence left >&2; exit 3", nil, fault.ConverterUnavailable,
			`Convert-O 1.2 could not convert the file (exit status 3); it said "no licence left".`},
		{"much to say", "i=0; while [ $i -lt 3000 ]; do echo $i.. >&2; i=$((i+1)); done; exit 1", nil,
			fault.ConverterUnavailable, "2999.."},
		{"an error without a word", "exit 1", nil, fault.ConverterUnavailable, "said nothing"},
		{"no file", "exit 0", nil, fault.ConverterUnavailable, "wrote no file"},
		{"an empty file", `: >"$4"`, nil, fault.ConverterUnavailable, "empty file"},
		{"a link", `ln -s /etc/hostname "$4"`, nil, fault.ConverterUnavailable, "wrote no file"},
		{"a pipe", `mkfifo "$4"`, nil, fault.ConverterUnavailable, "wrote no file"},
		{"no end", "sleep 60", func(c *converter.Config) { c.TimeoutSeconds = 1 }, fault.TimedOut, "still working"},
		{"too large a file", `exec head -c 2000000 /dev/zero >"$4"`, func(c *converter.Config) { c.OutputMB = 1 },
			fault.TooComplex, "more than 1 MB"},
	} {
		conf := config(t, c.script)
		if c.change != nil {
			c.change(&conf)
		}
		got, err := convert(t, conf, "a part")
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != c.code || !strings.Contains(f.Reason, c.reason) || len(f.Reason) > 5000 {
			t.Errorf("%s: %q, %v, want %s about %q", c.name, got, err, c.code, c.reason)
		}
	}
}

func TestConvertStopsWithItsContext(t *testing.T) {
	conv, err := converter.New(config(t, "sleep 60"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := conv.Convert(ctx, t.TempDir(), strings.NewReader("x"), "creo", ".prt",
		io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestLoad(t *testing.T) {
	good := config(t, "")
	text, err := json.Marshal(good)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "converter.json")
	load := func(text string) (*converter.Converter, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return converter.Load(path)
	}
	c, err := load(string(text))
	if err != nil || !c.Converts("creo") || c.Converts("jt") || !c.IsExact("creo") || c.String() != "Convert-O 1.2" {
		t.Fatalf("%v, %v", c, err)
	}
	// One error reports all mistakes.
	_, err = load(`{"executable":"convert","timeoutSeconds":-1,"isolation":"some","readable":["fonts","/no/such/folder"],
		"formats":{"jt":{"arguments":["{in}"],"suffix":".stl"}}}`)
	for _, what := range []string{"name and version", "absolute", "timeoutSeconds", "isolation", "{out}", ".stl",
		`"fonts"`, "/no/such"} {
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("nothing about %s in %v", what, err)
		}
	}
	for name, text := range map[string]string{
		"an unknown field": `{"exe":"/bin/sh"}`, "no JSON": "exe=/bin/sh",
		"a folder": strings.Replace(string(text), good.Executable, "/tmp", 1),
	} {
		if _, err := load(text); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
