// Command plainwords checks the language and the form of sources and commits: archaic and translated phrases per
// 1,000 lines of comments, lines wider than 120 columns, exported names without a comment, subjects of commits. Exit
// status: 0 where all is within the limits, 1 where not, 2 where nothing could be checked.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const usage = `usage: plainwords [-md | -strings] [-sum] [-limit N] [FOLDER...]
       plainwords -limits TABLE [-sum] [FOLDER...]
       plainwords -subjects RANGE

Without a flag it prints the phrases in the comments of Go and shader files, then how many there are per 1,000 lines.
`

func main() {
	holds, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "plainwords:", err)
		os.Exit(2)
	}
	if !holds {
		os.Exit(1)
	}
}

// run reports whether all that the arguments ask for is within its limits.
func run(args []string) (bool, error) {
	flags := flag.NewFlagSet("plainwords", flag.ExitOnError)
	flags.Usage = func() { fmt.Fprint(flags.Output(), usage); flags.PrintDefaults() }
	md := flags.Bool("md", false, "check Markdown, without its code")
	literals := flags.Bool("strings", false, "check string literals of three words and more, without those of tests")
	sum := flags.Bool("sum", false, "print figures by folder in the place of phrases")
	most := flags.Float64("limit", 2, "phrases per 1,000 lines")
	table := flags.String("limits", "", "check all that has a column in this table of limits by folder")
	commits := flags.String("subjects", "", "check the subjects of this range of commits")
	flags.Parse(args) // exits on an error
	if *commits != "" {
		return subjects(*commits)
	}
	trees := flags.Args()
	if len(trees) == 0 {
		trees = []string{"."}
	}
	read, suffixes, unit := comments, sources, "comment lines"
	switch {
	case *md:
		read, suffixes, unit = markdown, []string{".md"}, "lines of prose"
	case *literals:
		read, suffixes, unit = stringLiterals, []string{".go"}, "sentences in strings"
	}
	files, err := find(trees, suffixes)
	if err != nil {
		return false, err
	}
	if *table != "" {
		return ratchet(*table, files, *sum)
	}
	return count(files, read, unit, *sum, *most)
}

// sources are the suffixes of files with comments.
var sources = []string{".go", ".comp", ".glsl", ".frag", ".vert"}

// skipped are folders in which nothing is checked: the sources of others, inputs of tests, outputs.
var skipped = []string{".git", ".tools", "vendor", "node_modules", "testdata", "var"}

// find returns the files with one of the suffixes, in order.
func find(trees, suffixes []string) ([]string, error) {
	var files []string
	for _, tree := range trees {
		err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != tree && slices.Contains(skipped, d.Name()):
				return filepath.SkipDir
			case d.Type().IsRegular() && slices.Contains(suffixes, filepath.Ext(path)):
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// reader returns the prose of a file.
type reader func(name string, text []byte) []block

func comments(name string, text []byte) []block {
	if s := parse(name, text); !s.generated {
		return s.prose()
	}
	return nil
}

func stringLiterals(name string, text []byte) []block {
	if s := parse(name, text); !s.generated && !strings.HasSuffix(name, "_test.go") {
		return s.sentences()
	}
	return nil
}

// count prints the phrases in files, or the figures of each folder, and reports whether there are at most so many per
// 1,000 lines.
func count(files []string, read reader, unit string, sum bool, most float64) (bool, error) {
	compiled := compile(rules)
	lines, found, kinds := map[string]int{}, map[string]int{}, map[kind]int{}
	allLines, allFound := 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return false, err
		}
		folder := filepath.Dir(name)
		for _, b := range read(name, text) {
			lines[folder] += len(b)
			allLines += len(b)
			for _, h := range b.hits(compiled) {
				found[folder]++
				kinds[h.kind]++
				allFound++
				if !sum {
					fmt.Println(h)
				}
			}
		}
	}
	density := func(n, lines int) float64 { return 1000 * float64(n) / float64(max(lines, 1)) }
	if sum {
		for _, folder := range slices.Sorted(maps.Keys(lines)) {
			fmt.Printf("%7d %6d %7.1f  %s\n", lines[folder], found[folder], density(found[folder], lines[folder]), folder)
		}
	}
	all := density(allFound, allLines)
	fmt.Printf("%d phrases in %d %s, %.2f per 1,000", allFound, allLines, unit, all)
	for _, k := range slices.SortedFunc(maps.Keys(kinds), func(a, b kind) int { return cmp.Compare(b, a) }) {
		fmt.Printf("; %s %.2f", k, density(kinds[k], allLines))
	}
	fmt.Printf("; limit %g\n", most)
	return all <= most, nil
}

func (h hit) String() string {
	return fmt.Sprintf("%s:%d: %s (%s): %s", h.file, h.number, strings.TrimRight(h.phrase, " .,;:)"), h.kind, h.text)
}
