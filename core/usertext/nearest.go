package usertext

import "strings"

// Nearest returns the known name with the fewest differing letters from name, or "" if every known name differs too
// much.
func Nearest(name string, known []string) string {
	nearest, least := "", 0
	for _, k := range known {
		if 2*max(len(name)-len(k), len(k)-len(name)) > len(k) {
			continue // so many letters must be added or left out at least
		}
		if d := distance(name, k); 2*d <= len(k) && (nearest == "" || d < least) {
			nearest, least = k, d
		}
	}
	return nearest
}

// distance returns the number of letters to change, add or leave out to turn one name into the other, regardless of
// case (V. I. Levenshtein, 1966).
func distance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
