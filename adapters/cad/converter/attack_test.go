package converter_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/adapters/cad/converter"
	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/adapters/confine/confinetest"
	"millwright.dev/millwright/core/fault"
)

// The test binary has two roles: it runs the tests, and it is a converter that attacks the target in this variable.
const targetVar = "CONVERTER_TEST_TARGET"

func TestMain(m *testing.M) {
	text := os.Getenv(targetVar)
	if text == "" {
		confinetest.Arm()
		os.Exit(m.Run())
	}
	var target confinetest.Target
	if err := json.Unmarshal([]byte(text), &target); err != nil {
		panic(err)
	}
	done := "done: " + strings.Join(target.Attack(os.Getenv("HOME")), ", ")
	if err := os.WriteFile(os.Args[len(os.Args)-1], []byte(done), 0o600); err != nil {
		panic(err)
	}
	os.Exit(0)
}

// isolations lists, for each value, the attacks that may succeed; the kernel decides.
var isolations = map[string][]string{
	converter.Namespaces: nil,
	converter.NotIsolated: {
		"connect over TCP", "connect to a socket", "connect to a name", "send datagrams", "send from a pair",
		"signal the parent", "signal by another call", "signal in a program",
	},
}

// TestHostileConverter has a converter attack the process that started it.
func TestHostileConverter(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	confinetest.AsBoth(t, func(t *testing.T) {
		for isolation, allowed := range isolations {
			target := confinetest.NewTarget(t)
			text, err := json.Marshal(target)
			if err != nil {
				t.Fatal(err)
			}
			c := config(t, "")
			c.Executable, c.Isolation = "/proc/self/exe", isolation
			c.Environment = map[string]string{targetVar: string(text)}
			got, err := convert(t, c, "a part")
			done, _ := strings.CutPrefix(got, "done: ")
			for _, name := range strings.Split(done, ", ") {
				if name != "" && !slices.Contains(allowed, name) {
					t.Errorf("isolation %q: a hostile converter could %s", isolation, name)
				}
			}
			if err != nil || !strings.HasPrefix(got, "done: ") {
				t.Errorf("isolation %q: %q, %v", isolation, got, err)
			}
			target.Check(t)
		}
	})
}

// TestUnconfined checks that a kernel without confinement is refused, unless the configuration allows it.
func TestUnconfined(t *testing.T) {
	confinetest.WithoutLandlock(t, func() {
		c := config(t, `cat "$2" >"$4"`)
		if got, err := convert(t, c, "a part"); err != nil || got != "a part" {
			t.Errorf("isolation %q: %q, %v", c.Isolation, got, err)
		}
		c.Isolation = converter.Namespaces
		_, err := convert(t, c, "a part")
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.ConverterUnavailable || !strings.Contains(f.Reason, "no Landlock") ||
			!strings.Contains(f.Reason, `"isolation": "none"`) {
			t.Errorf("isolation %q: %v, want a refusal that says why", c.Isolation, err)
		}
	})
}

// TestWithoutNamespaces checks that the program runs without namespaces only where the machine has none, and not after
// another failure to start.
func TestWithoutNamespaces(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	c := config(t, `cat "$2" >"$4"`)
	c.Isolation = converter.Namespaces
	for how, runs := range map[syscall.Errno]bool{
		unix.EPERM: true, unix.EACCES: true, unix.ENOSPC: true, unix.EINVAL: true, unix.ENOMEM: false,
		unix.EAGAIN: false,
	} {
		confinetest.WithoutNamespaces(t, how, func() {
			if got, err := convert(t, c, "a part"); runs && (err != nil || got != "a part") ||
				!runs && (err == nil || !strings.Contains(err.Error(), "cannot be started")) {
				t.Errorf("%v: %q, %v; want it run: %t", how, got, err, runs)
			}
		})
	}
}

// TestReadable has a converter read a file of its installation that is outside the folder of its executable.
func TestReadable(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "licence")
	if err := os.WriteFile(file, []byte("valid"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := config(t, "cat "+file+` >"$4"`)
	c.Isolation = converter.Namespaces
	if got, err := convert(t, c, "a part"); err == nil {
		t.Errorf("a file that the configuration does not name was read: %q", got)
	}
	for _, path := range []string{file, filepath.Dir(file)} {
		c.Readable = []string{path}
		if got, err := convert(t, c, "a part"); err != nil || got != "valid" {
			t.Errorf("readable %s: %q, %v", path, got, err)
		}
	}
}

// TestApart finds files of the service in the folders of the converter.
func TestApart(t *testing.T) {
	c := config(t, "")
	service, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Dir(c.Executable), link); err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(service, "secrets", "database")
	for _, row := range []struct {
		name     string
		readable []string
		private  string
		isApart  bool
	}{
		{"elsewhere", nil, secret, true},
		{"a folder with the same beginning", []string{service}, service + "2", true},
		{"in a readable folder", []string{service}, secret, false},
		{"a readable folder", []string{service}, service, false},
		{"around a readable folder", []string{service}, filepath.Dir(service), false},
		{"beside the executable", nil, filepath.Join(filepath.Dir(c.Executable), "var"), false},
		{"beside it by another name", nil, link, false},
	} {
		c.Readable = row.readable
		conv, err := converter.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := conv.Apart(row.private); (err == nil) != row.isApart {
			t.Errorf("%s: %v; want apart: %t", row.name, err, row.isApart)
		}
	}
}

// TestEndsWhatItStarted has a converter leave processes behind that keep its standard error open. One of them tries to
// leave the process group.
func TestEndsWhatItStarted(t *testing.T) {
	for isolation := range isolations {
		c := config(t, `sleep 1000 & setsid sleep 1000 & sleep 0.2; echo done >"$4"`)
		c.Isolation = isolation
		if got, err := convert(t, c, "a part"); err != nil || got != "done\n" {
			t.Errorf("isolation %q: %q, %v", isolation, got, err)
		}
	}
}

// TestSuffixStaysInTheFolder checks that suffixes that would move the copy of the file elsewhere are refused.
func TestSuffixStaysInTheFolder(t *testing.T) {
	conv, err := converter.New(config(t, `cat "$2" >"$4"`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	err = conv.Convert(t.Context(), filepath.Join(dir, "own"), strings.NewReader("x"), "creo", "/../../outside",
		&strings.Builder{})
	if _, e := os.Stat(filepath.Join(dir, "outside")); err == nil || e == nil {
		t.Errorf("error %v; the file outside: %v", err, e)
	}
}
