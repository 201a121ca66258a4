package visibility

import "testing"

func setVectors(t *testing.T, on bool) {
	before := vectors
	vectors = on
	t.Cleanup(func() { vectors = before })
}
