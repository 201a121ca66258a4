// Package converter runs an operator's program that converts CAD files of other formats into readable ones. The program
// may be proprietary and has its own license; it is not part of this module.
//
// A JSON file configures the program (Config). It is run without a shell, on a copy of the file in a separate folder
// that is removed afterward. Its environment contains only the variables in the configuration. It is confined (package
// confine): it writes to that folder only; it reads that folder, programs and libraries of the system, and its own
// files; it reaches no network and signals no other processes. Processor time, memory and the size of its output are
// limited. Its child processes end with it.
package converter

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config is the configuration of the conversion program and its formats.
type Config struct {
	Name       string `json:"name"`       // name of the program in results
	Version    string `json:"version"`    // of the program
	Executable string `json:"executable"` // its absolute path

	// Formats are the formats that the program converts, by their names here: "catia", "catia_v4", "catia_v6", "creo",
	// "jt", "inventor", "compound_document", "iges_binary". A format that is readable without conversion, such as "nx",
	// may be listed too and is then converted.
	Formats map[string]Format `json:"formats"`

	TimeoutSeconds int `json:"timeoutSeconds"` // default 300
	MemoryMB       int `json:"memoryMB"`       // of each process; default 4096
	OutputMB       int `json:"outputMB"`       // of the output file; default 500
	// Isolation is "namespaces" by default: the program can open no sockets, so it reaches no network, and it can
	// signal only its own processes. If the kernel offers namespaces to the service, the program also gets its own
	// networks, processes and IPC. Without them, System V IPC and new sessions and process groups are refused. Before
	// Linux 6.12, signals to all processes except its first are refused too, so that it cannot end a process that it
	// started. "none" is for a program that gets its license from a server: it can reach the network and other
	// processes, but no other files. A kernel that cannot confine files (Landlock, Linux 5.13) runs a program only with
	// "none"; the program can then read and change all files that the service can.
	Isolation string `json:"isolation"`
	// Readable are absolute paths of files and folders that the program reads and executes, in addition to the folder
	// of its executable and to /usr, /bin and /lib: its installation, such as "/opt/convert", fonts, a license file.
	Readable    []string          `json:"readable"`
	Environment map[string]string `json:"environment"` // in addition to PATH, HOME, TMPDIR and LANG
}

// Format is the conversion of one format.
type Format struct {
	// Arguments of the program; {in} and {out} are replaced by the absolute paths of the file and of its output.
	Arguments []string `json:"arguments"`
	Suffix    string   `json:"suffix"` // of its output: ".stp", ".igs" or ".x_t"
	Exact     bool     `json:"exact"`  // the output has the exact shape of the file, not triangles or an approximation
}

// Values of Config.Isolation.
const (
	Namespaces   = "namespaces"
	NotIsolated  = "none"
	inPlace      = "{in}"
	outPlace     = "{out}"
	maxConfig    = 1 << 20 // bytes
	megabyte     = 1 << 20
	longestLimit = 24 * 3600 // seconds
)

var suffixes = []string{".stp", ".step", ".igs", ".iges", ".x_t", ".x_b"}

// Converter runs the program. It is safe for concurrent use.
type Converter struct {
	Description
	config Config
}

// Description describes a converter and its formats.
type Description struct {
	Program string          `json:"program"` // name and version
	Exact   map[string]bool `json:"exact"`   // by converted format: the output has the exact shape of the file
}

// Load reads a configuration file. The error reports all mistakes.
func Load(path string) (*Converter, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of the converter: %w", err)
	}
	if len(text) > maxConfig {
		return nil, fmt.Errorf("the configuration of the converter, %s, is too long", path)
	}
	var c Config
	in := json.NewDecoder(strings.NewReader(string(text)))
	in.DisallowUnknownFields()
	if err := in.Decode(&c); err != nil {
		return nil, fmt.Errorf("the configuration of the converter, %s: %w", path, err)
	}
	converter, err := New(c)
	if err != nil {
		return nil, fmt.Errorf("the configuration of the converter, %s: %w", path, err)
	}
	return converter, nil
}

// New checks a configuration and fills in its defaults.
func New(c Config) (*Converter, error) {
	fill := func(n *int, otherwise int) {
		if *n == 0 {
			*n = otherwise
		}
	}
	fill(&c.TimeoutSeconds, 300)
	fill(&c.MemoryMB, 4096)
	fill(&c.OutputMB, 500)
	if c.Isolation == "" {
		c.Isolation = Namespaces
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	d := Description{Program: c.Name + " " + c.Version, Exact: map[string]bool{}}
	for name, format := range c.Formats {
		d.Exact[name] = format.Exact
	}
	return &Converter{d, c}, nil
}

func (c *Config) validate() error {
	var errs []error
	wrong := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if c.Name == "" || c.Version == "" {
		wrong("name and version are required: results say what they were converted with")
	}
	if info, err := os.Stat(c.Executable); !filepath.IsAbs(c.Executable) {
		wrong("executable must be an absolute path, got %q", c.Executable)
	} else if err != nil {
		wrong("executable: %w", err)
	} else if info.IsDir() || info.Mode()&0o111 == 0 {
		wrong("executable: %s cannot be run", c.Executable)
	}
	for name, n := range map[string]int{
		"timeoutSeconds": c.TimeoutSeconds, "memoryMB": c.MemoryMB, "outputMB": c.OutputMB,
	} {
		if n < 1 || n > longestLimit {
			wrong("%s must lie between 1 and %d, got %d", name, longestLimit, n)
		}
	}
	for _, path := range c.Readable {
		if _, err := os.Stat(path); !filepath.IsAbs(path) {
			wrong("readable must hold absolute paths, got %q", path)
		} else if err != nil {
			wrong("readable: %w", err)
		}
	}
	if c.Isolation != Namespaces && c.Isolation != NotIsolated {
		wrong("isolation must be %q or %q, got %q", Namespaces, NotIsolated, c.Isolation)
	}
	if len(c.Formats) == 0 {
		wrong("formats must name at least one format")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Formats)) {
		f := c.Formats[name]
		text := strings.Join(f.Arguments, " ")
		if !strings.Contains(text, inPlace) || !strings.Contains(text, outPlace) {
			wrong("formats: the arguments of %s must hold %s and %s", name, inPlace, outPlace)
		}
		if !slices.Contains(suffixes, f.Suffix) {
			wrong("formats: the suffix of %s must be one of %s, got %q", name, strings.Join(suffixes, ", "), f.Suffix)
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// Converts reports whether the program is configured to convert a format.
func (d Description) Converts(format string) bool {
	_, ok := d.Exact[format]
	return ok
}

// IsExact reports whether the converted file of a format has the exact shape of the original.
func (d Description) IsExact(format string) bool { return d.Exact[format] }

// String is the program with its version.
func (d Description) String() string { return d.Program }

func (c *Converter) timeout() time.Duration {
	return time.Duration(c.config.TimeoutSeconds) * time.Second
}
