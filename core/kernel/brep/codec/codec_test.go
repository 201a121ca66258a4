package codec_test

import (
	"errors"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/geom/pack"
)

func TestDecodeReportsVersion(t *testing.T) {
	w := pack.NewWriter(codec.Format, codec.Version+1)
	if _, err := codec.Decode(w.Bytes()); !errors.Is(err, pack.ErrVersion) {
		t.Errorf("a later version gives %v", err)
	}
	if _, err := codec.Decode([]byte("ISO-10303-21;")); err == nil || errors.Is(err, pack.ErrVersion) {
		t.Errorf("another format gives %v", err)
	}
}
