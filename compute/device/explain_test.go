package device_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/compute/device"
)

func TestExplainQuotesTheLine(t *testing.T) {
	source := strings.Join([]string{
		"#version 430",          // 1
		"//@ main.comp 1",       // 2
		"",                      // 3 = main.comp:1
		"//@ prelude.glsl 1",    // 4
		"uint broken() { ret }", // 5 = prelude.glsl:1
		"//@ main.comp 3",       // 6
		"void main() {",         // 7 = main.comp:3
		"\tfloat x = y;",        // 8 = main.comp:4
	}, "\n")
	for _, c := range []struct {
		name, log string
		want      []string
	}{
		{"Mesa", "0:8(12): error: `y' undeclared", []string{"main.comp:4: error: `y' undeclared", "float x = y;"}},
		{"NVIDIA", "0(8) : error C1503: undefined variable \"y\"", []string{
			"main.comp:4: error C1503: undefined variable \"y\"", "float x = y;",
		}},
		{"ANGLE", "ERROR: 0:5: 'ret' : syntax error",
			[]string{"prelude.glsl:1: 'ret' : syntax error", "uint broken() { ret }"}},
		{"several", "0:5(1): error: one\n0:7(2): warning: two",
			[]string{"prelude.glsl:1: error: one", "main.comp:3: warning: two"}},
		{"no line", "link failed", []string{"link failed"}},
		{"a line past the end", "0:99(1): error: far", []string{"0:99(1): error: far"}},
		{"the version", "0:1(1): error: 430 is not supported", []string{"main.comp:1: error: 430", "#version 430"}},
	} {
		got := device.Explain("main.comp", source, c.log)
		for _, w := range append(c.want, "shader main.comp does not compile") {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", c.name, w, got)
			}
		}
	}
}
