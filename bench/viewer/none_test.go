//go:build !gpu

package viewer

import (
	"strings"
	"testing"
)

func TestWithoutTagsItSaysHowToBuildIt(t *testing.T) {
	_, shot := Shot(t.Context(), Options{}, nil)
	for _, err := range []error{shot, Window(t.Context(), Options{}, "")} {
		if err == nil || !strings.Contains(err.Error(), "-tags gpu,glfw") {
			t.Errorf("%v", err)
		}
	}
}
