package main

import (
	"strings"
	"testing"
)

func TestOpenBackendRefusesUploadLimitBelowOneMegabyte(t *testing.T) {
	for _, limit := range []int64{0, -3} {
		b, err := openBackend(t.Context(), dataFlags{Data: t.TempDir(), MaxUpload: limit})
		if err == nil {
			b.close()
		}
		if err == nil || !strings.Contains(err.Error(), "--max-upload") {
			t.Errorf("--max-upload %d: got error %v, want one that names the flag", limit, err)
		}
	}
}
