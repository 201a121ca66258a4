package millwright_test

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeShowsAnExample checks that the Go lines of README.md are lines of example_test.go, in the same order.
// README may spell the file out and add a comment.
func TestReadmeShowsAnExample(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "```go\n")
	block, _, ok := strings.Cut(block, "```")
	if !ok {
		t.Fatal("README.md has no Go block")
	}
	_, rest, _ := strings.Cut(string(source), "func ExamplePart_Program() {\n")
	for line := range strings.Lines(block) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " // ")
		line = strings.Replace(strings.TrimSpace(line), `"`+file+`"`, "file", 1)
		var found bool
		if _, rest, found = strings.Cut(rest, line+"\n"); !found {
			t.Errorf("README.md has %q, which is not the next line of the example", line)
		}
	}
}
