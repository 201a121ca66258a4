package recognize

import (
	"slices"

	"millwright.dev/millwright/core/feature/graph"
)

// Lists of patches.

// contains reports whether p is in a list in ascending order.
func contains(list []int32, p int32) bool {
	_, ok := slices.BinarySearch(list, p)
	return ok
}

// without returns the members of a list that do not satisfy is.
func without(list []int32, is func(int32) bool) []int32 {
	return slices.DeleteFunc(slices.Clone(list), is)
}

// only returns the members of a list that satisfy is.
func only(list []int32, is func(int32) bool) []int32 {
	return without(list, func(p int32) bool { return !is(p) })
}

// ascending sorts p and removes duplicates.
func ascending(p []int32) []int32 {
	slices.Sort(p)
	return slices.Compact(p)
}

// all reports whether every member of a list satisfies is.
func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !is(x) })
}

// groupsOf returns the groups of a set of indices into a list, with the members of the list.
func groupsOf(set graph.UnionFind, list []int32) [][]int32 {
	groups := set.Groups(func(int32) bool { return true })
	for _, group := range groups {
		for i, k := range group {
			group[i] = list[k]
		}
	}
	return groups
}
