package visibility

import "testing"

// setVectors says whether vectors are used until the test ends.
func setVectors(t *testing.T, on bool) {
	before := vectors
	vectors = on
	t.Cleanup(func() { vectors = before })
}
