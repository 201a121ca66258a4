package device

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Marker starts a comment line that gives the file and line number of the next line: "//@ visibility.comp 12". Sources
// assembled from several files have a marker at each seam.
const Marker = "//@ "

// position matches the line reference of a driver: "0:12(5): error: …" (Mesa) and "0(12) : error C1008: …" (NVIDIA).
var position = regexp.MustCompile(`^\s*(?:ERROR:\s*)?\d+[:(](\d+)[):(]?(?:\d+\))?\s*:?\s*`)

// Explain makes the log of a shader compiler readable: every complaint names file and line and quotes it.
func Explain(name, source, log string) string {
	lines := strings.Split(source, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "shader %s does not compile", name)
	for _, complaint := range strings.Split(strings.TrimSpace(log), "\n") {
		at := position.FindStringSubmatch(complaint)
		if at == nil {
			fmt.Fprintf(&b, "\n  %s", complaint)
			continue
		}
		n, _ := strconv.Atoi(at[1])
		if n < 1 || n > len(lines) {
			fmt.Fprintf(&b, "\n  %s", complaint)
			continue
		}
		file, line := origin(name, lines, n)
		fmt.Fprintf(&b, "\n  %s:%d: %s\n    %s", file, line, complaint[len(at[0]):], strings.TrimSpace(lines[n-1]))
	}
	return b.String()
}

// origin returns the file and line that line n of the source came from.
func origin(name string, lines []string, n int) (file string, line int) {
	for i := n - 1; i >= 0; i-- {
		rest, ok := strings.CutPrefix(lines[i], Marker)
		if !ok {
			continue
		}
		if file, number, ok := strings.Cut(rest, " "); ok {
			if first, err := strconv.Atoi(number); err == nil {
				return file, first + n - 2 - i
			}
		}
	}
	return name, n
}
