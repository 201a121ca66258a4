package deck

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
)

// FuzzParse reads any bytes. The result is a file with readable entities or a *fault.Error, and memory is bounded by
// the number of bytes.
func FuzzParse(f *testing.F) {
	own := &igestest.Deck{Global: "1H/" + "/1H#/2Hid#"}
	own.Add(116, 0, "1./2.D0/-3")
	for _, d := range []*igestest.Deck{sample(), own, {}} {
		f.Add(d.Fixed())
		f.Add(d.Compressed())
		f.Add(strings.ReplaceAll(d.Fixed(), "\n", ""))
	}
	f.Add("B\x00\x00\x00\x4B")
	f.Fuzz(func(t *testing.T, data string) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		file, err := Parse(t.Context(), strings.NewReader(data), int64(len(data)))
		runtime.ReadMemStats(&after)
		allowed := uint64(2*chunkSize + 64*len(data))
		if grown := after.TotalAlloc - before.TotalAlloc; grown > allowed {
			t.Fatalf("%d bytes allocated for a file of %d", grown, len(data))
		}
		var failure *fault.Error
		if err != nil {
			if !errors.As(err, &failure) || !strings.HasSuffix(failure.Reason, ".") {
				t.Fatalf("error %q is no failure with a sentence", err)
			}
			return
		}
		last := int32(0)
		for i := range file.Entities {
			e := &file.Entities[i]
			if found, ok := file.At(int(e.DE)); !ok || found != e || e.DE <= last {
				t.Fatalf("entity %d is D%d after D%d, found: %v", i, e.DE, last, ok)
			}
			last = e.DE
			walk(t, file, e)
		}
	})
}

// walk reads the parameters of e as each kind of value.
func walk(t *testing.T, f *File, e *Entity) {
	p := f.Params(e)
	left, limit := p.Left(), p.Remaining()
	if left > limit {
		t.Fatalf("%s: %d values in room for %d", Describe(e), left, limit)
	}
	for n := 0; p.More(); n++ {
		if n > limit {
			t.Fatalf("%s: no end of the record behind %d values", Describe(e), n)
		}
		text, real, whole, counted := p, p, p, p
		if text.Text(); text.Err() == nil && text.v.pos < p.v.pos {
			t.Fatalf("%s: a text moves the cursor back", Describe(e))
		}
		real.Real()
		whole.Int()
		if items := counted.Count(1); items > limit {
			t.Fatalf("%s: counts %d items in room for %d", Describe(e), items, limit)
		}
		if (real.Err() == nil) != (whole.Err() == nil) && whole.Err() == nil {
			t.Fatalf("%s: a whole number is no number: %v", Describe(e), real.Err())
		}
		p.Skip(1)
	}
}
