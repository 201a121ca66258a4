package part21

import "testing"

// TestRefWithoutInstance calls every method with references that have no instance in the file.
func TestRefWithoutInstance(t *testing.T) {
	empty := readText(t, opening+closing)
	one := readText(t, opening+"#1=POINT('a',2.5);"+closing)
	foreign := refTo(5) // a row of some longer file
	for _, c := range []struct {
		name string
		f    *File
		r    Ref
	}{
		{"missing", one, Missing}, {"of another file", one, foreign}, {"lost", one, Ref{-7}},
		{"nothing in the file", empty, refTo(0)}, {"missing from an empty file", empty, Missing},
	} {
		a := c.f.Args(c.r)
		partial, is := c.f.Partial(c.r, wordPoint)
		want := int64(0)
		if c.r.IsLost() {
			want = 7
		}
		if c.f.ID(c.r) != want || c.f.Keyword(c.r) != NoKeyword || c.f.IsComplex(c.r) || c.f.Fault(c.r) != "" ||
			a.More() || partial.More() || is || c.f.Name(c.r) != nameless {
			t.Errorf("%s: answers like an instance: %q #%d", c.name, c.f.Name(c.r), c.f.ID(c.r))
		}
	}
	if r, ok := one.Find(2); ok || r != Missing {
		t.Errorf("Find(2) = %v, %v; want Missing", r, ok)
	}
}

func TestTable(t *testing.T) {
	f := readText(t, opening+"#1=POINT('a',2.5);#2=POINT('b',1.);"+closing)
	table := NewTable[int](f)
	first, _ := f.Find(1)
	second, _ := f.Find(2)
	for v, r := range []Ref{second, Missing, refTo(2), {-7}} {
		table.Set(r, v+7)
	}
	for _, c := range []struct {
		r    Ref
		want int
	}{{first, 0}, {second, 7}, {Missing, 0}, {refTo(2), 0}, {Ref{-7}, 0}} {
		if got := table.At(c.r); got != c.want {
			t.Errorf("At(%v) = %d, want %d", c.r, got, c.want)
		}
	}
	if first.Compare(second) >= 0 || Missing.Compare(first) >= 0 || second.Compare(second) != 0 {
		t.Error("references are not in file order, Missing first")
	}
}
