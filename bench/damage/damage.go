// Package damage breaks CAD files in small ways and checks the result. A file may be rejected or read with warnings. It
// must not crash the kernel, hang, exhaust the memory, expose internals of the program in messages, or produce a wrong
// part that is reported as right.
//
// Damage is grammatical or raw. Grammatical damage changes one flag, number, reference or record of a file that stays
// well-formed. Raw damage changes lines and bits without regard to their meaning. Each case depends only on the seed,
// the name of the file, the kind of damage and a number, so that its name is enough to repeat it. It runs the stages of
// an analysis in a child process with the limits of the service.
package damage

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/childproc"
)

// Options say which files are damaged, and how.
type Options struct {
	Dir     string   // names of files and cases are relative to it
	Files   []string // below Dir
	Seed    uint64
	Cases   func(bytes int) int // damaged copies of a file of a size
	Kinds   []string            // how the names of kinds begin; none = all
	Outside bool                // only records outside faces, edges and their references
	Only    []string            // names of cases, instead of all
	Keep    string              // folder for the damaged files; "" = nowhere
	Sandbox *childproc.Sandbox
	Tell    func(Result) // called for each case, in order
}

// Result is what became of one case.
type Result struct {
	Case   string `json:"case"`
	Kind   string `json:"kind"`
	Damage string `json:"damage"` // what was done, in words
	Class  Class  `json:"class"`
	// Outside reports that one record is broken which no face and no edge refers to, directly or indirectly.
	Outside bool   `json:"outside,omitempty"`
	Detail  string `json:"detail"` // why it is of that class
	Bytes   int64  `json:"peakBytes"`
	Millis  int64  `json:"ms"`
}

// hurt is a damaged file.
type hurt struct {
	data  []byte
	what  string          // was done, in words
	about func() []string // names of entities that a warning about it can give; nil: any
	// scale is the factor by which all lengths of the part have grown where the file now states another unit.
	scale float64
}

// Run damages the files one after the other.
func Run(ctx context.Context, o Options) error {
	if len(o.Only) > 0 {
		return o.named(ctx)
	}
	for _, name := range o.Files {
		f, err := o.open(ctx, name)
		if err != nil {
			return err
		}
		for i := range o.Cases(len(f.data)) {
			kind := o.choose(f, i)
			if kind == nil {
				continue
			}
			if err := o.one(ctx, f, kind, i); err != nil {
				return err
			}
		}
	}
	return nil
}

// named runs the cases that are asked for by name.
func (o *Options) named(ctx context.Context) error {
	for _, name := range o.Only {
		file, kind, i, err := parseName(name)
		if err != nil {
			return err
		}
		f, err := o.open(ctx, file)
		if err != nil {
			return err
		}
		k := find(kind)
		if k == nil || len(f.sites(k)) == 0 {
			return fmt.Errorf("case %s: the file offers no place for damage of the kind %q", name, kind)
		}
		if err := o.one(ctx, f, k, i); err != nil {
			return err
		}
	}
	return nil
}

func caseName(file, kind string, i int) string { return fmt.Sprintf("%s:%s:%d", file, kind, i) }

func parseName(name string) (file, kind string, i int, err error) {
	parts := strings.Split(name, ":")
	if len(parts) < 3 {
		return "", "", 0, fmt.Errorf("case %q is not FILE:KIND:NUMBER", name)
	}
	last := len(parts) - 1
	i, err = strconv.Atoi(parts[last])
	return strings.Join(parts[:last-1], ":"), parts[last-1], i, err
}

// source is a file that is damaged in many ways.
type source struct {
	name  string // relative, with slashes
	data  []byte
	text  structure
	whole outcome // of the undamaged file
	found map[string][]site

	isOutside bool // only places outside faces and edges are wanted
}

func (o *Options) open(ctx context.Context, name string) (*source, error) {
	data, err := os.ReadFile(filepath.Join(o.Dir, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	f := &source{name: name, data: data, text: parse(name, data), found: map[string][]site{}, isOutside: o.Outside}
	f.whole = try(ctx, o.Sandbox, path.Base(name), data)
	return f, ctx.Err()
}

// sites are the places that a kind of damage can strike.
func (f *source) sites(k *kind) []site {
	s, ok := f.found[k.name]
	if !ok {
		s = k.sites(f)
		if f.isOutside {
			s = slices.DeleteFunc(s, func(s site) bool { return !f.text.isOutside(s.record) })
		}
		f.found[k.name] = s
	}
	return s
}

// choose picks the kind of a case among those that are wanted and that the file has places for.
func (o *Options) choose(f *source, i int) *kind {
	var fit []*kind
	for k := range kinds {
		wanted := len(o.Kinds) == 0 || slices.ContainsFunc(o.Kinds, func(begin string) bool {
			return strings.HasPrefix(kinds[k].name, begin)
		})
		if wanted && len(f.sites(&kinds[k])) > 0 {
			fit = append(fit, &kinds[k])
		}
	}
	if len(fit) == 0 {
		return nil
	}
	return fit[dice(o.Seed, caseName(f.name, "", i)).IntN(len(fit))]
}

// dice are those of one case.
func dice(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// one creates a case, runs it and reports its result.
func (o *Options) one(ctx context.Context, f *source, k *kind, i int) error {
	name := caseName(f.name, k.name, i)
	rng := dice(o.Seed, name)
	sites := f.sites(k)
	at := sites[rng.IntN(len(sites))]
	h := k.strike(rng, f, at)
	if o.Keep != "" {
		base := strings.NewReplacer("/", "_", ":", "_", " ", "_").Replace(name)
		file := filepath.Join(o.Keep, base+path.Ext(f.name))
		if err := os.WriteFile(file, h.data, 0o644); err != nil {
			return err
		}
	}
	got := try(ctx, o.Sandbox, path.Base(f.name), h.data)
	if err := ctx.Err(); err != nil {
		return err
	}
	class, detail := judge(&f.whole, &got, &h)
	o.Tell(Result{Case: name, Kind: k.name, Damage: h.what, Class: class, Detail: detail,
		Outside: k.breaks() && f.text.isOutside(at.record),
		Bytes:   got.bytes, Millis: got.took.Milliseconds()})
	return nil
}

// Half says which half of all files one is in, a or b, by its name: what is mended by looking at one half can then be
// measured on the other.
func Half(name string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(path.Base(name))) // never fails
	if h.Sum32()>>8&1 == 0 {
		return "a"
	}
	return "b"
}
