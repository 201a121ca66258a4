package inflate_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/containertest"
	"millwright.dev/millwright/adapters/cad/internal/inflate"
	"millwright.dev/millwright/core/fault"
)

func TestBudgetBoundsAWholeFile(t *testing.T) {
	content := []byte(strings.Repeat("a bomb ", 1000))
	b := inflate.NewBudget(int64(2*len(content) + 10))
	for range 2 {
		got, err := b.Zlib(containertest.Zlib(content), int64(len(content)))
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes: %v", len(got), err)
		}
	}
	_, _, memberErr := inflate.NewBudget(100).Member(containertest.Zlib(content))
	_, exactErr := b.Deflated(containertest.Deflate(content), int64(len(content)))
	for _, err := range []error{memberErr, exactErr} {
		var f *fault.Error
		if !errors.As(err, &f) || f.Code != fault.TooComplex {
			t.Errorf("over the budget: %v", err)
		}
	}
}

func TestDataOfAnotherSizeAreDamaged(t *testing.T) {
	content := []byte("some content")
	packed := containertest.Zlib(content)
	for name, c := range map[string]struct {
		data []byte
		size int
	}{
		"shorter than said": {packed, len(content) + 1},
		"longer than said":  {packed, len(content) - 1},
		"cut off":           {packed[:len(packed)-6], len(content)},
		"a wrong sum":       {append(bytes.Clone(packed[:len(packed)-1]), 0), len(content)},
		"no zlib data":      {content, len(content)},
		"nothing":           {nil, 0},
	} {
		if _, err := inflate.NewBudget(1<<20).Zlib(c.data, int64(c.size)); !errors.Is(err, inflate.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMemberReturnsItsLength(t *testing.T) {
	content := []byte(strings.Repeat("content ", 5000))
	packed := containertest.Zlib(content)
	got, used, err := inflate.NewBudget(1 << 20).Member(append(bytes.Clone(packed), "what follows"...))
	if err != nil || used != len(packed) || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %d of %d used: %v", len(got), used, len(packed), err)
	}
	if head := inflate.Head(packed, 9); string(head) != "content c" {
		t.Errorf("Head = %q", head)
	}
	if head := inflate.Head([]byte("x\x01garbage"), 9); len(head) != 0 {
		t.Errorf("the head of garbage is %q", head)
	}
}
