package httpapi

import "testing"

// TestUnknownParametersNameTheNearest looks at the sentence.
func TestUnknownParametersNameTheNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		known []string
		want  string
	}{
		{"featuredetails", []string{"jobId", "featureDetails"}, "; is featureDetails meant?"},
		{"pagesize", []string{"page", "pageSize"}, "; is pageSize meant?"},
		{"part", []string{"partId", "page"}, "; is partId meant?"},
		{"colour", []string{"page", "status"}, "; known: page, status."},
		{"x", nil, "; this operation has none."},
	} {
		if got := meant(c.name, c.known); got != c.want {
			t.Errorf("%s among %v: %q, want %q", c.name, c.known, got, c.want)
		}
	}
}
