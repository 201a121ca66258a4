package recall

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestQuestionsDiffer(t *testing.T) {
	seen := map[Question]string{}
	for _, parts := range [][]string{
		{}, {""}, {"", ""}, {"a"}, {"a", ""}, {"", "a"}, {"ab"}, {"a", "b"}, {"a", "b", ""}, {"b", "a"},
	} {
		q := Ask(parts...)
		if other, there := seen[q]; there {
			t.Errorf("%q and %s ask the same", parts, other)
		}
		if q != Ask(parts...) {
			t.Errorf("%q asks another thing the second time", parts)
		}
		seen[q] = fmt.Sprintf("%q", parts)
	}
}

func TestAnswerHolds(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		name    string
		version string
		until   time.Time
		want    bool
	}{
		{"the same version", "1", time.Time{}, true},
		{"another version", "2", time.Time{}, false},
		{"before its end", "1", now.Add(1), true},
		{"at its end", "1", now, false},
		{"after its end", "1", now.Add(-1), false},
		{"another version, before its end", "2", now.Add(1), false},
	} {
		if got := (&Answer{Version: c.version, Until: c.until}).Holds("1", now); got != c.want {
			t.Errorf("%s: holds = %v", c.name, got)
		}
	}
}

// bytes is what the memory takes, added up.
func (m *Memory) bytes() (young, old int) {
	for _, a := range m.young {
		young += answerWeight + len(a.Body)
	}
	for _, a := range m.old {
		old += answerWeight + len(a.Body)
	}
	return young, old
}

func TestMemoryGivesWhatWasPutLastAndKeepsItsSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New(64 * answerWeight)
		last := map[Question]*Answer{}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			q := Ask(string(rune('a' + rapid.IntRange(0, 60).Draw(t, "question"))))
			if rapid.Bool().Draw(t, "get") {
				if a := m.Get(q); a != nil && a != last[q] {
					t.Fatalf("an answer is given that was put before the last one")
				}
				continue
			}
			a := &Answer{Body: make([]byte, rapid.IntRange(0, 3*answerWeight).Draw(t, "length"))}
			m.Put(q, a)
			if len(a.Body) > m.Largest() {
				continue
			}
			last[q] = a
			if m.Get(q) != a {
				t.Fatal("the answer that was just put is not there")
			}
			young, old := m.bytes()
			if young != m.weight || young > m.size || old > m.size {
				t.Fatalf("%d and %d bytes, counted as %d, of %d each", young, old, m.weight, m.size)
			}
		}
	})
}

func TestMemoryKeepsWhatIsAskedFor(t *testing.T) {
	m := New(64 * answerWeight)
	wanted, unwanted := Ask("wanted"), Ask("unwanted")
	m.Put(wanted, &Answer{})
	m.Put(unwanted, &Answer{})
	for i := range 500 {
		m.Put(Ask(fmt.Sprint(i)), &Answer{})
		if m.Get(wanted) == nil {
			t.Fatalf("an answer that is asked for all the time is forgotten after %d others", i+1)
		}
	}
	if m.Get(unwanted) != nil {
		t.Error("an answer that nobody asked for is still there after 500 others")
	}
	m.Put(Ask("long"), &Answer{Body: make([]byte, m.Largest()+1)})
	if m.Get(Ask("long")) != nil {
		t.Error("an answer is kept that is longer than the longest")
	}
	if none := new(Memory); none.Get(wanted) != nil {
		t.Error("an empty memory has an answer")
	}
}

func TestMemoryAtOnce(t *testing.T) {
	m := New(16 * answerWeight)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := range 1000 {
				q := Ask(fmt.Sprint(i % 40))
				if a := m.Get(q); a != nil && a.Version != fmt.Sprint(i%40) {
					t.Errorf("question %d has the answer of %s", i%40, a.Version)
				}
				m.Put(q, &Answer{Version: fmt.Sprint(i % 40)})
			}
		})
	}
	all.Wait()
}
