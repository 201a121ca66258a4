package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// allowed are the SPDX names of the licenses that bundled packages may have.
var allowed = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC"}

// bundled is a package of which code is in the bundle.
type bundled struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	License string `json:"license"`
	text    string // of its license
}

// packages returns the packages of the inputs that the bundler read, sorted by name.
func packages(folder, metafile string) ([]bundled, error) {
	var meta struct {
		Inputs map[string]struct{} `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, fmt.Errorf("read the list of inputs: %w", err)
	}
	found := map[string]bundled{}
	for input := range meta.Inputs {
		at := packageFolder(input)
		if _, known := found[at]; at == "" || known {
			continue
		}
		p, err := readPackage(filepath.Join(folder, filepath.FromSlash(at)))
		if err != nil {
			return nil, err
		}
		found[at] = p
	}
	return slices.SortedFunc(maps.Values(found), func(a, b bundled) int {
		return strings.Compare(a.Name+" "+a.Version, b.Name+" "+b.Version)
	}), nil
}

// packageFolder returns the folder of the package that an input belongs to, "" for a source of ours.
func packageFolder(input string) string {
	const modules = "node_modules/"
	i := strings.LastIndex(input, modules)
	if i < 0 {
		return ""
	}
	names := strings.Split(input[i+len(modules):], "/")
	depth := 1
	if strings.HasPrefix(names[0], "@") {
		depth = 2
	}
	return input[:i+len(modules)] + strings.Join(names[:min(depth, len(names))], "/")
}

func readPackage(folder string) (bundled, error) {
	data, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return bundled{}, err
	}
	var p bundled
	if err := json.Unmarshal(data, &p); err != nil {
		return bundled{}, fmt.Errorf("%s: %w", folder, err)
	}
	texts, err := filepath.Glob(filepath.Join(folder, "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"))
	if err != nil || len(texts) == 0 {
		return bundled{}, fmt.Errorf("package %s has no text of its license", p.Name)
	}
	text, err := os.ReadFile(texts[0])
	p.text = strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
	return p, err
}

// checkLicenses returns an error that names all packages with another license than the allowed ones.
func checkLicenses(found []bundled) error {
	var wrong []string
	for _, p := range found {
		if !slices.Contains(allowed, p.License) {
			wrong = append(wrong, fmt.Sprintf("%s %s has license %q", p.Name, p.Version, p.License))
		}
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s; use packages with one of %v", strings.Join(wrong, ", "), allowed)
	}
	return nil
}

// licenseText is the file that accompanies the bundle.
func licenseText(found []bundled) []byte {
	var b bytes.Buffer
	b.WriteString("The pages of millwright contain code of these packages.\n")
	for _, p := range found {
		rule := strings.Repeat("-", 80)
		fmt.Fprintf(&b, "\n%s\n%s %s, license %s\n\n%s\n", rule, p.Name, p.Version, p.License, p.text)
	}
	return b.Bytes()
}
