package deck

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestLines cuts text of lines with any endings, read through a small buffer.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,100}`), 0, 30).Draw(t, "lines")
		ending := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "ending")
		chunk := rapid.Int64Range(3*cardWidth, 6*cardWidth).Draw(t, "chunk")
		ended := rapid.Bool().Draw(t, "ended")
		text := strings.Join(want, ending)
		if ended && len(want) > 0 {
			text += ending
		} else if n := len(want); n > 0 && want[n-1] == "" {
			want = want[:n-1] // the empty text after the last line end is not a line
		}
		l := newLines(strings.NewReader(text), int64(len(text)), chunk)
		var got []string
		for {
			line, ok, err := l.next()
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
			got = append(got, string(line))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q\nread as\n%q", want, got)
		}
	})
}

func TestLinesLongerThanTheBuffer(t *testing.T) {
	text := strings.Repeat("x", 1000) + "\nshort\n"
	l := newLines(strings.NewReader(text), int64(len(text)), 240)
	var lengths []int
	for {
		line, ok, err := l.next()
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		lengths = append(lengths, len(line))
	}
	if want := []int{240, 240, 240, 240, 40, 5}; !slices.Equal(lengths, want) {
		t.Errorf("lines of %v bytes, want %v", lengths, want)
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		field string
		want  int32
		ok    bool
	}{
		{"       0", 0, true},
		{"        ", 0, true},
		{"", 0, true},
		{"     -12", -12, true},
		{"+7      ", 7, true},
		{"00000042", 42, true},
		{"\x00\x00 5", 5, true},
		{"999999999", 999999999, true},
		{"9999999999", 0, false},
		{"      - ", 0, false},
		{"    1.  ", 0, false},
		{"   1 2  ", 0, false},
	} {
		if got, ok := number([]byte(c.field)); got != c.want || ok != c.ok {
			t.Errorf("number(%q) = %d, %v; want %d, %v", c.field, got, ok, c.want, c.ok)
		}
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		field string
		want  Status
	}{
		{"00000000", Status{}},
		{"01020503", Status{1, LogicallyDependent, UseParametric, 3}},
		{" 0 1 5 0", Status{0, PhysicallyDependent, UseParametric, 0}},
		{"   10100", Status{0, PhysicallyDependent, UseAnnotation, 0}},
		{"        ", Status{}},
	} {
		if got := status([]byte(c.field)); got != c.want {
			t.Errorf("status(%q) = %v, want %v", c.field, got, c.want)
		}
	}
	for s, want := range map[Subordinate]bool{Independent: false, PhysicallyDependent: true,
		LogicallyDependent: false, TwiceDependent: true} {
		if s.Physical() != want {
			t.Errorf("Physical of %d is %v", s, !want)
		}
	}
}
