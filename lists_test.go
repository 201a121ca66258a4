package millwright_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/adapters/post"
	"millwright.dev/millwright/core/service/part"
)

// TestReadmeNamesAllPosts compares the sentence about posts in README.md with the dialects.
func TestReadmeNamesAllPosts(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, d := range post.Dialects {
		titles = append(titles, d.Title)
	}
	last := len(titles) - 1
	want := "- Posts for " + strings.Join(titles[:last], ", ") + " and " + titles[last] + ".\n"
	if !strings.Contains(string(readme), want) {
		t.Errorf("README.md lacks the line %q", want)
	}
}

// TestServiceAcceptsTheFilesThatAreRead compares the names of files that the service accepts with those of the reader.
func TestServiceAcceptsTheFilesThatAreRead(t *testing.T) {
	accepted := slices.Sorted(slices.Values(part.Extensions))
	if read := cad.Extensions(); !slices.Equal(read, accepted) {
		t.Errorf("the service accepts %q, the reader knows %q", accepted, read)
	}
}
