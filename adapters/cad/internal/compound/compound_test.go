package compound_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/compound"
	"millwright.dev/millwright/adapters/cad/internal/containertest"
)

func open(data []byte) (*compound.File, error) {
	return compound.Open(bytes.NewReader(data), int64(len(data)))
}

func TestReadStreamsOfAllSizes(t *testing.T) {
	content := func(n int) []byte {
		out := make([]byte, n)
		for i := range out {
			out[i] = byte(i*7 + i>>8)
		}
		return out
	}
	var streams []containertest.Stream
	// Sizes in small and in large sectors, at their boundaries, and so large that the table exceeds the list in the
	// header.
	for i, n := range []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 100_000, 8 << 20} {
		streams = append(streams,
			containertest.Stream{Name: fmt.Sprintf("folder %d/deeper/s%d", i%3, n), Content: content(n)})
	}
	streams = append(streams, containertest.Stream{Name: "at the root", Content: []byte("x")})
	f, err := open(containertest.Compound(streams...))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Paths) != len(streams) {
		t.Errorf("%d paths for %d streams: %q", len(f.Paths), len(streams), f.Paths)
	}
	for _, s := range streams {
		got, err := f.Read(s.Name)
		if err != nil || !bytes.Equal(got, s.Content) {
			t.Errorf("%s: %d bytes of %d: %v", s.Name, len(got), len(s.Content), err)
		}
	}
	if got, err := f.Read("elsewhere"); got != nil || err != nil {
		t.Errorf("a stream that is not there: %d bytes, %v", len(got), err)
	}
	if !f.Has("folder 1/") || f.Has("folder 4/") {
		t.Errorf("Has finds the wrong paths")
	}
}

// TestReadRefuses breaks a file whose table is the last sector; entry n of the table is at word n of this sector.
func TestReadRefuses(t *testing.T) {
	good := containertest.Compound(
		containertest.Stream{Name: "large", Content: make([]byte, 5000)}, // sectors 0 to 9
		containertest.Stream{Name: "small", Content: make([]byte, 100)},
	)
	table := len(good) - 512
	set := func(at int, value uint32) []byte {
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint32(data[at:], value)
		return data
	}
	directory := int(binary.LittleEndian.Uint32(good[48:]))
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"nothing", nil},
		{"the header alone", good[:512]},
		{"another signature", append([]byte("x"), good[1:]...)},
		{"a sector size that is none", set(30, 63)},
		{"cut off before its directory", good[:2000]},
		{"a chain that leaves the file", set(table+4*3, 50_000)},
		{"a chain that ends early", set(table+4*3, 0xFFFFFFFE)},
		{"a directory in a circle", set(table+4*directory, uint32(directory))},
		{"a directory behind the end", set(48, 1000)},
		{"a table behind the end", set(76, 1000)},
		{"a stream longer than the file",
			bytes.Replace(good, []byte("\x88\x13\x00\x00"), []byte("\x00\x00\x88\x13"), 1)},
	} {
		f, err := open(c.data)
		if err == nil {
			_, err = f.Read("large")
		}
		if !errors.Is(err, compound.ErrDamaged) {
			t.Errorf("%s: %v, want one of damage", c.name, err)
		}
	}
}

func TestCyclicSmallStreamIsDamaged(t *testing.T) {
	data := containertest.Compound(containertest.Stream{Name: "a", Content: make([]byte, 70)})
	sector := func(at int) int { return 512 * (1 + int(binary.LittleEndian.Uint32(data[at:]))) }
	entry := sector(48) + 128
	binary.LittleEndian.PutUint32(data[sector(60):], 0) // its first sector follows itself
	binary.LittleEndian.PutUint32(data[entry+120:], 4000)
	f, err := open(data)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := f.Read("a"); !errors.Is(err, compound.ErrDamaged) {
		t.Errorf("%d bytes, %v, want an error of damage", len(got), err)
	}
}

func TestCyclicTreeEnds(t *testing.T) {
	data := containertest.Compound(containertest.Stream{Name: "a/b"}, containertest.Stream{Name: "a/c"})
	directory := 512 * (1 + int(binary.LittleEndian.Uint32(data[48:])))
	for entry := range 4 {
		for _, field := range []int{68, 72, 76} {
			for target := range uint32(4) {
				broken := bytes.Clone(data)
				binary.LittleEndian.PutUint32(broken[directory+128*entry+field:], target)
				f, err := open(broken)
				if err != nil {
					t.Fatal(err)
				}
				if slices.Sort(f.Paths); len(slices.Compact(f.Paths)) > 3 ||
					strings.Count(strings.Join(f.Paths, ""), "/") > 4 {
					t.Errorf("entry %d: %q", entry, f.Paths)
				}
			}
		}
	}
}

// FuzzOpen reads all streams of any bytes.
func FuzzOpen(f *testing.F) {
	f.Add(containertest.Compound(containertest.Stream{Name: "a/b", Content: make([]byte, 70)}))
	f.Add(containertest.Compound(containertest.Stream{Name: "a", Content: make([]byte, 5000)}))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := open(data)
		if err != nil {
			if !errors.Is(err, compound.ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		for _, p := range file.Paths {
			got, err := file.Read(p)
			if err != nil && !errors.Is(err, compound.ErrDamaged) || len(got) > len(data) {
				t.Fatalf("%q: %d bytes: %v", p, len(got), err)
			}
		}
	})
}
