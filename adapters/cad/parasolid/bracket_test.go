package parasolid_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xttest"
)

var update = flag.Bool("update", false, "write the bracket of NX anew")

// TestBracketOfNX checks that the bracket in an NX container, which planning tests use, contains the bracket in the
// text file, written as a packed binary stream.
func TestBracketOfNX(t *testing.T) {
	const text, packed = "../../../bench/damage/testdata/bracket.x_t", "../../../bench/corpus/plan/testdata/bracket.prt"
	data, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	m := read(t, data)
	body := encoded(m, xttest.Options{}, xttest.Form{Encoding: xttest.Neutral, Schema: 30000, Embedded: true})
	want := containertest.Directories(containertest.Stream{Name: "UG_PART/UG_PART", Content: containertest.Zlib(body)})
	if *update {
		if err := os.WriteFile(packed, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(packed); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes, error %v, want %d: go test -run BracketOfNX -update writes it", len(got), err, len(want))
	}
}
