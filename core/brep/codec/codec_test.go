package codec_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"millwright/adapters/cad"
	"millwright/bench/corpus"
	"millwright/core/brep"
	"millwright/core/brep/codec"
	"millwright/core/geom/pack"
)

func read(t testing.TB, path string) *brep.Model {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(context.Background(), bytes.NewReader(data), int64(len(data)), filepath.Base(path))
	if err != nil {
		t.Skipf("%s: %v", path, err)
	}
	return m
}

// checkRoundTrip stores a model, restores it and compares.
func checkRoundTrip(t *testing.T, m *brep.Model) *brep.Model {
	t.Helper()
	data := codec.Encode(m)
	if again := codec.Encode(m); !bytes.Equal(data, again) {
		t.Fatal("two encodings of one model differ")
	}
	got, err := codec.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(m, got) {
		t.Error(d)
	}
	if again := codec.Encode(got); !bytes.Equal(data, again) {
		t.Errorf("the encoding of the restored model differs: %d bytes, was %d", len(again), len(data))
	}
	return got
}

func TestRealPartsComeBack(t *testing.T) {
	dir := corpus.Dir(t)
	parts := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".stp", ".step", ".STEP", ".igs", ".STP":
		default:
			return err
		}
		if info, e := d.Info(); e == nil && testing.Short() && info.Size() > 100_000 {
			return err
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			checkRoundTrip(t, read(t, path))
			parts++
		})
		return err
	})
	if err != nil || parts < 100 {
		t.Errorf("%d parts, %v", parts, err)
	}
}

func TestVersionsAreTold(t *testing.T) {
	w := pack.NewWriter(codec.Format, codec.Version+1)
	if _, err := codec.Decode(w.Bytes()); !errors.Is(err, pack.ErrVersion) {
		t.Errorf("a later version gives %v", err)
	}
	if _, err := codec.Decode([]byte("ISO-10303-21;")); err == nil || errors.Is(err, pack.ErrVersion) {
		t.Errorf("another format gives %v", err)
	}
}
