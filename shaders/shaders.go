// Package shaders holds the compute shaders, one file per primitive, and puts their sources together.
//
// A shader is GLSL 4.30. It starts with #version 430 and may take in other files of this folder by
// #include "NAME" on a line of its own; each file is taken in once. prelude.glsl is what all need: it numbers
// invocations and work groups over the slices that package device divides a job into.
package shaders

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

//go:embed *.comp *.glsl
var files embed.FS

// marker starts a line that gives the file and line number of the next line.
const marker = "//@ "

var include = regexp.MustCompile(`^\s*#include\s+"([^"]+)"\s*$`)

// Source returns the text of a shader with its includes; each define, "NAME" or "NAME value", becomes a macro
// in front of it.
func Source(name string, defines []string) (string, error) { return Expand(files, name, defines) }

// Names lists the shaders.
func Names() []string {
	names, err := fs.Glob(files, "*.comp")
	if err != nil {
		panic(err) // the pattern is sound
	}
	return names
}

// Expand is Source over the files of another place.
func Expand(from fs.FS, name string, defines []string) (string, error) {
	var b strings.Builder
	b.WriteString("#version 430\n")
	for _, d := range defines {
		fmt.Fprintf(&b, "#define %s\n", d)
	}
	if err := expand(&b, from, name, map[string]bool{}); err != nil {
		return "", err
	}
	return b.String(), nil
}

func expand(b *strings.Builder, from fs.FS, name string, seen map[string]bool) error {
	seen[name] = true
	text, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "%s%s 1\n", marker, name)
	for i, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		if strings.HasPrefix(line, "#version") {
			line = ""
		}
		other := include.FindStringSubmatch(line)
		if other == nil {
			b.WriteString(line + "\n")
			continue
		}
		if !seen[other[1]] {
			if err := expand(b, from, other[1], seen); err != nil {
				return fmt.Errorf("%s:%d: %w", name, i+1, err)
			}
		}
		fmt.Fprintf(b, "%s%s %d\n", marker, name, i+2)
	}
	return nil
}
