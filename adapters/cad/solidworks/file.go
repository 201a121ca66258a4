package solidworks

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/cad/internal/compound"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
)

// container is named streams. A name that is not there reads as nothing.
type container interface {
	names() []string
	read(name string) ([]byte, error)
}

// file is an opened SolidWorks file.
type file struct {
	container
	document
	stored []shape // all streams with bodies, by configuration and rank
	budget *inflate.Budget
}

// open reads the names of the streams and the file's description of itself.
func open(ctx context.Context, src io.ReaderAt, size int64) (*file, error) {
	f := &file{budget: inflate.NewBudget(inflate.Most(size))}
	head := make([]byte, min(size, chunkProbe))
	err := readAt(src, head, 0)
	switch {
	case err != nil:
		return nil, err
	case bytes.HasPrefix(head, []byte(compound.Signature)):
		f.container, err = openCompound(src, size)
	case IsChunked(head):
		f.container, err = openChunks(ctx, src, size, head, f.budget)
	default:
		return nil, unreadable("The file is not a SolidWorks file.")
	}
	if err != nil {
		return nil, err
	}
	f.store()
	return f, f.readDocument()
}

// compoundFile is the container of SolidWorks up to 2014.
type compoundFile struct{ *compound.File }

func openCompound(src io.ReaderAt, size int64) (container, error) {
	f, err := compound.Open(src, size)
	return compoundFile{f}, damaged(err)
}

func (f compoundFile) names() []string { return f.Paths }

func (f compoundFile) read(name string) ([]byte, error) {
	data, err := f.Read(name)
	return data, damaged(err)
}

// damaged returns an error that describes damage of a compound file in words for a machinist.
func damaged(err error) error {
	if errors.Is(err, compound.ErrDamaged) {
		return unreadable("The file is damaged or cut off: its table of contents cannot be followed.")
	}
	return err
}

// packedSuffix marks streams of compound files that consist of one packed section.
const packedSuffix = "__ZLB"

// text returns the content of a stream by its name or by the name of its packed form.
func (f *file) text(name string) ([]byte, error) {
	data, err := f.read(name)
	if len(data) == 0 && err == nil {
		data, err = f.read(name + packedSuffix)
	}
	if err != nil {
		return nil, err
	}
	return plain(data, f.budget)
}

// kinds are the kinds of streams with bodies, in order of preference if several have faces: all bodies with their
// history, bodies of releases before 2003, imported bodies, bodies of releases before 2000.
var kinds = []string{"Partition", "Body", "FeatureBodies/LocalBodies", ""}

// shape is a stream with bodies.
type shape struct {
	name          string
	configuration int
	rank          int // 0 comes first
}

// bodyStream reads the name of a stream with bodies, such as Contents/Config-0-Partition__Zip: the number of their
// configuration, and their kind.
func bodyStream(name string) (number int, kind string, ok bool) {
	name, suffix, isSuffixed := strings.Cut(strings.TrimPrefix(name, "Contents/"), "__")
	isLetter := func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }
	if strings.TrimFunc(suffix, isLetter) != "" || isSuffixed && suffix == "" {
		return 0, "", false
	}
	of, isOne := strings.CutPrefix(name, "Config-")
	if !isOne {
		return 0, "", name == "Default"
	}
	digits, kind, _ := strings.Cut(of, "-")
	n, err := strconv.ParseUint(digits, 10, 31)
	return int(n), kind, err == nil && kind != "" && slices.Contains(kinds, kind)
}

// store finds the streams with bodies.
func (f *file) store() {
	for _, name := range f.names() {
		if number, kind, ok := bodyStream(name); ok {
			f.stored = append(f.stored, shape{name, number, slices.Index(kinds, kind)})
		}
	}
	slices.SortStableFunc(f.stored, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.configuration, b.configuration), cmp.Compare(a.rank, b.rank))
	})
}

// configurations returns the number of configurations with bodies.
func (f *file) configurations() (n int) {
	for i, s := range f.stored {
		if i == 0 || s.configuration != f.stored[i-1].configuration {
			n++
		}
	}
	return n
}

// shapes lists the streams with bodies of one configuration, the stream of the part first. The configuration is the one
// that was open when the file was saved, or else the first one.
func (f *file) shapes() []shape {
	of := func(number int) (out []shape) {
		for _, s := range f.stored {
			if s.configuration == number {
				out = append(out, s)
			}
		}
		return out
	}
	if number, err := strconv.Atoi(f.active); err == nil {
		if out := of(number); len(out) > 0 {
			return out
		}
	}
	if len(f.stored) == 0 {
		return nil
	}
	return of(f.stored[0].configuration)
}

// bodies returns the Parasolid streams of a stream with bodies.
func (f *file) bodies(s shape) ([][]byte, error) {
	data, err := f.read(s.name)
	if err != nil {
		return nil, err
	}
	return geometry(data, f.budget)
}

// isAssembly reports whether a file contains components instead of a part. It reads a statement of the file, or else
// the class of its root object.
func (f *file) isAssembly() (bool, error) {
	if kind, _, err := f.features(); err != nil || kind != "" {
		return kind == "ASSEMBLY", err
	}
	const probe = 64
	data, err := f.text("Contents/Config-0")
	return bytes.Contains(data[:min(len(data), probe)], []byte("moAssembly_c")), err
}
