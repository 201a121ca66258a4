package openapi

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// tags is the groups of operations in the order of the documentation, with the first segments of their paths.
var tags = []struct {
	name, about string
	segments    []string
}{
	{"Service", "Discovery and health.", []string{"health", "openapi.json", "docs", "problems"}},
	{"Keys", "API keys.", []string{"keys"}},
	{"Parts", "Upload and analysis of parts, and the results.", []string{"parts"}},
	{"Features", "Datasheets of the features of a part, and design findings.", nil},
	{"Programs", "Programs of a part.", nil},
	{"Plans", "Machining plans.", []string{"plans"}},
	{"Jobs", "Background work.", []string{"jobs"}},
	{"Projects", "Groups of parts.", []string{"projects"}},
	{"Cut configs", "Machine, material, stock and tools to plan with.", []string{"cut-configs"}},
	{"Tool libraries", "Cutting tools, read from the files of CAM programs.", []string{"tool-libraries"}},
	{"Holders", "Tool holders.", []string{"holders"}},
}

// collections is the sub-collections of parts that have their own groups.
var collections = map[string]string{
	"/features": "Features", "/findings": "Features", "/programs": "Programs", "/plans": "Plans", "/toolpaths": "Plans",
}

// tagOf returns the group of a path, "" for an unknown one.
func tagOf(path string) string {
	path = strings.TrimPrefix(path, "/v1")
	for segment, tag := range collections {
		if strings.HasPrefix(path, "/parts/") && strings.Contains(path, segment) {
			return tag
		}
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, t := range tags {
		for _, s := range t.segments {
			if s == first {
				return t.name
			}
		}
	}
	return ""
}

func tagsUsed(used map[string]bool) []*huma.Tag {
	var out []*huma.Tag
	for _, t := range tags {
		if used[t.name] {
			out = append(out, &huma.Tag{Name: t.name, Description: t.about})
		}
	}
	return out
}
