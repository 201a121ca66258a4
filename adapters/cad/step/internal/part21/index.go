package part21

import (
	"cmp"
	"slices"
)

// idIndex finds table rows by instance number: by a plain array if the numbers are dense enough, as in nearly all
// files, or else by binary search.
type idIndex struct {
	dense  []int32 // row + 1 by number; 0: no row
	sorted []numbered
}

type numbered struct {
	id  int64
	row int32
}

// build indexes the rows and flags repeated numbers; it returns the number of repetitions.
func (x *idIndex) build(table []instance) (duplicates int) {
	const density = 8 // array entries spent for each row
	highest := int64(0)
	for i := range table {
		highest = max(highest, table[i].id)
	}
	if highest <= int64(density*len(table)+1<<16) {
		x.dense = make([]int32, highest+1)
		for i := range table {
			at := &x.dense[table[i].id]
			if *at != 0 {
				table[*at-1].flags |= flagSuperseded
				duplicates++
			}
			*at = int32(i) + 1
		}
		return duplicates
	}
	x.sorted = make([]numbered, len(table))
	for i := range table {
		x.sorted[i] = numbered{table[i].id, int32(i)}
	}
	slices.SortFunc(x.sorted, func(a, b numbered) int {
		if a.id != b.id {
			return cmp.Compare(a.id, b.id)
		}
		return cmp.Compare(a.row, b.row)
	})
	kept := x.sorted[:0]
	for _, e := range x.sorted {
		if n := len(kept); n > 0 && kept[n-1].id == e.id {
			table[kept[n-1].row].flags |= flagSuperseded
			duplicates++
			kept[n-1] = e
			continue
		}
		kept = append(kept, e)
	}
	x.sorted = kept
	return duplicates
}

func (x *idIndex) find(id int64) (row int32, ok bool) {
	if x.sorted == nil {
		if uint64(id) >= uint64(len(x.dense)) || x.dense[id] == 0 {
			return 0, false
		}
		return x.dense[id] - 1, true
	}
	byID := func(e numbered, id int64) int { return cmp.Compare(e.id, id) }
	i, ok := slices.BinarySearchFunc(x.sorted, id, byID)
	if !ok {
		return 0, false
	}
	return x.sorted[i].row, true
}
