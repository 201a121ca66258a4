package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"unicode/utf8"
)

// longestSubject is the number of characters that tools show of a subject.
const longestSubject = 72

// subjectForm is "package: what changes": folders or files, parted by a comma and a space, then a text that does not
// begin with a capitalized word and does not end with a full stop.
var subjectForm = regexp.MustCompile(`^[\w./*-]+(, [\w./*-]+)*: ([^A-Z\s]|[A-Z][^a-z]).*[^.\s]$`)

// subjects checks the subjects of the commits in a range of the repository in the current folder, without merges. It
// prints the faults and reports whether there are none.
func subjects(commits string) (bool, error) {
	out, err := exec.Command("git", "log", "--no-merges", "--format=%h\t%s", commits, "--").Output()
	if err != nil {
		return false, fmt.Errorf("git log %s: %w", commits, err)
	}
	compiled := compile(rules)
	good := true
	for l := range strings.Lines(string(out)) {
		id, subject, _ := strings.Cut(strings.TrimSpace(l), "\t")
		for _, wrong := range faults(subject, compiled) {
			fmt.Printf("%s: %s: %s\n", id, wrong, subject)
			good = false
		}
	}
	return good, nil
}

// faults returns the violations of the rules by a subject.
func faults(subject string, rules []matcher) []string {
	var all []string
	if n := utf8.RuneCountInString(subject); n > longestSubject {
		all = append(all, fmt.Sprintf("%d characters of at most %d", n, longestSubject))
	}
	if !subjectForm.MatchString(subject) {
		all = append(all, `not "package: what changes"`)
	}
	for _, h := range (block{{text: subject}}).hits(rules) {
		all = append(all, fmt.Sprintf("%q (%s)", h.phrase, h.kind))
	}
	return all
}
