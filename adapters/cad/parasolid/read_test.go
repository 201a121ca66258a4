package parasolid_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/parasolid"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// ball is a solid sphere of radius 2 mm as text: body, two regions with a shell each, a face, its surface.
const ball = "T51 : TRANSMIT FILE created by modeller version 130024217 SCH_1300242_130060 " +
	"12 1 3 0 0 0 0 0 0 1e3 1e-8 0 0 0 1 0 1 0 2 0 0 0 4 0 0 " +
	"19 4 1 0 1 5 0 3 V19 5 2 0 1 0 4 2 S13 2 3 0 1 0 6 0 0 5 0 13 3 4 0 1 0 0 0 0 4 6 " +
	"14 6 5 0 ?0 0 0 2 7 +0 0 0 0 3 53 7 6 0 6 0 0 0 +0 0 0 .002 0 0 1 1 0 0 1 0 "

func TestReadBall(t *testing.T) {
	m, err := parasolid.Read(t.Context(), strings.NewReader(ball), int64(len(ball)))
	if err != nil {
		t.Fatal(err)
	}
	if found := brep.Check(m); len(found) > 0 || len(m.Solids) != 1 || len(m.Faces) != 1 {
		t.Fatalf("%d solids, %d faces, problems %+v", len(m.Solids), len(m.Faces), found)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if want := 4.0 / 3 * math.Pi * 8; math.Abs(p.Volume-want) > 1e-9 {
		t.Errorf("volume %g mm³, want %g", p.Volume, want)
	}
}

// TestReadCutOff cuts the text off at each position. Every truncated text must be rejected with an error.
func TestReadCutOff(t *testing.T) {
	for n := range len(ball) - 1 {
		_, err := parasolid.Read(t.Context(), strings.NewReader(ball[:n]), int64(n))
		if f := (*fault.Error)(nil); !errors.As(err, &f) || f.Code != fault.UnreadableFile {
			t.Fatalf("%d bytes of %d: %v", n, len(ball), err)
		}
	}
}
