package usertext_test

import (
	"testing"

	"millwright.dev/millwright/core/usertext"
)

func TestNearest(t *testing.T) {
	posts := []string{"fanuc", "grbl", "haas", "heidenhain", "linuxcnc", "siemens"}
	for name, want := range map[string]string{
		"linuxnc": "linuxcnc", "LinuxCNC": "linuxcnc", "Heidenhein": "heidenhain", "has": "haas", "mach3": "", "": "", "x": "",
	} {
		if got := usertext.Nearest(name, posts); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
	if got := usertext.Nearest("x", nil); got != "" {
		t.Errorf("nearest among none is %q", got)
	}
}
