package main

import (
	"strings"
	"testing"
)

// examples has two sentences for each rule, by its phrase: one that it finds, and one in plain English that it
// leaves alone.
var examples = map[string][2]string{
	"of which":       {"it keeps rows, of which one is open", "two files, each of which has a header"},
	"but for":        {"all cells are set but for the last", "the result is exact, but for long arcs the error grows"},
	"as far as":      {"the tool moves as far as a wall", "it merges cells as far as possible"},
	"besides":        {"it needs a clock besides", "it also needs a clock"},
	"anew":           {"the tree is built anew", "the tree is rebuilt"},
	"afresh":         {"the tree is built afresh", "the tree is rebuilt"},
	"whoever":        {"whoever calls it closes the file", "the caller closes the file"},
	"whatever":       {"whatever the caller passes is kept", "the order changes for whatever reason"},
	"askew":          {"the axes are askew", "the axes are oblique"},
	"lest":           {"it waits lest both write", "it waits so that only one writes"},
	"* meanwhile":    {"the file may change meanwhile", "the file may change during the call"},
	"forthwith":      {"it returns forthwith", "it returns at once"},
	"alike":          {"both are handled alike", "both are handled the same way"},
	"many a":         {"many a file lacks it", "many files lack it"},
	"none but":       {"none but the owner may write", "only the owner may write"},
	"such a one":     {"such a one is skipped", "such an edge is skipped"},
	"nothing but":    {"it holds nothing but keys", "it holds only keys"},
	"all the same $": {"it is kept all the same.", "the keys are all the same size"},
	"whence|thence|hither|thither|whither|yonder|nigh|asunder|amid|amidst|ere|oft|shy_of": {
		"the face whence it came", "the face from which it came",
	},
	"thereof|therein|therewith|thereupon|thereto|wherein|whereof|whereupon|wherewith": {
		"a loop and the edges thereof", "a loop and its edges",
	},
	"albeit|aught|naught|aforesaid": {"fast, albeit inexact", "fast, although inexact"},

	"that|those of what": {"the radius is that of what it cuts", "the radius is that of the cut"},
	"of it what":         {"it keeps of it what is valid", "it keeps the valid part of it"},
	"what of a|an|the|it|its|them|these|those|one|all": {"what of the wall is left", "the rest of the wall"},
	"what is|are|was none|no|of|told|said|asked|made|left|cut|meant|held|given": {
		"it skips what is no face", "the flags determine what is made",
	},
	"^ what lies|stands|goes|comes|meets|ends|turns|runs|looks|rises|falls|holds|joins|touches|borders": {
		"What lies outside is dropped.", "Faces outside are dropped; ask what lies there.",
	},
	"^ what has|needs|bends|makes|a|an|one": {"What a face leaves is merged.", "What a mess?"},
	"is|are what a|an|the|it|its|they|all|is|are|of|one": {
		"the depth is what the tool removes", "this is what the tool removes",
	},
	"return|returns|says|tells|holds|lists|gives|shows|names|reads|draws|takes|leaves|counts " +
		"what|how_far|how_many|how_much|how_long": {
		"Count returns how many faces there are", "Count returns the number of faces",
	},
	"is how|where|by_how|by_what|for_what|to_what|from_what|with_what|on_what": {
		"the gap is how the shells differ", "this is how the shells differ",
	},
	"by|with|to|for|from|on|of what is|are|has|was|it|they|lies|stands|a|an": {
		"it is bounded by what is cut", "it varies depending on what is cut",
	},
	"go|goes|going on":                  {"the chain goes on at its end", "the chain can go on forever"},
	"go|goes|run|runs|walk|walks round": {"the loop runs round the hole", "the loop encloses the round hole"},
	"stand|stands at|up|out|beside|before|behind|over|round|upright|on|for_itself": {
		"a wall stands at its edge", "the test stand is named",
	},
	"is|are of a|an|its|one|another|the|their":    {"the edge is of a face", "the edge is of the same length"},
	"are|is told|known|held apart|from|by|of|for": {"two holes are told apart", "edges are known by their ids"},
	"told|telling|tell|tells apart|from":          {"a flag tells apart the two", "a flag separates the two"},
	"beside it|its|a|an|another":                  {"the hole beside it", "the adjacent hole"},
	"laid|lies|lie|lay out|flat|apart":            {"the sheet lies flat", "the sheet is flat"},
	"come|comes of|to it|its|nothing|what|be":     {"what comes of it", "it comes to be sorted"},
	"does without": {"the reader does without it", "the reader does not need it"},

	"is|are|be|was|were none": {"the result is none", "there is none in the file"},
	"is|are no *":             {"a sheet is no solid", "a cast is no longer needed"},
	"for none":                {"it is zero for none", "it is zero without tools"},
	"of its|their own and|or|that|which|where|in|on|for|to|from|by|with|each|is|are|has|$": {
		"each face has a color of its own.", "each has its own color",
	},
	"its|their like": {"a hole by its like", "a hole by a similar one"},
	"as wide|high|deep|large|far|narrow|thick|many|often as its|their|others|another|what": {
		"a slot as deep as its width", "a slot as deep as the part",
	},
}

func TestRulesFindTheirPhraseOnly(t *testing.T) {
	for _, m := range compile(rules) {
		e, ok := examples[m.phrase]
		if !ok {
			t.Errorf("the rule %q has no example", m.phrase)
			continue
		}
		one := []matcher{m}
		if got := (block{{text: e[0]}}).hits(one); len(got) != 1 {
			t.Errorf("%q in %q: %d hits, want 1", m.phrase, e[0], len(got))
		}
		if got := (block{{text: e[1]}}).hits(one); len(got) != 0 {
			t.Errorf("%q in %q: %q, want no hit", m.phrase, e[1], got[0].phrase)
		}
	}
	if len(examples) != len(rules) {
		t.Errorf("%d examples for %d rules", len(examples), len(rules))
	}
}

// TestExceptionsApply has a sentence for each exception that the examples do not use.
func TestExceptionsApply(t *testing.T) {
	compiled := compile(rules)
	for _, text := range []string{
		"a list the last entry of which is set", "independent of which backend runs", "not exact but for small arcs",
		"not for speed but for size", "all true, but for now", "one or whatever", "what's going on", "see what is left",
		"there is no face", "is no longer", "are no errors", "a mind of its own.", "2 of its own.",
		"none of them are none of these",
	} {
		if got := (block{{text: text}}).hits(compiled); len(got) != 0 {
			t.Errorf("%q: %q, want no hit", text, got[0].phrase)
		}
	}
}

func TestHitIsOnTheLineWhereItBegins(t *testing.T) {
	b := block{{"a.go", 7, "The depth"}, {"a.go", 8, "is"}, {"a.go", 9, "none; a sheet is no"}, {"a.go", 10, "solid."}}
	var got []string
	for _, h := range b.hits(compile(rules)) {
		got = append(got, h.String())
	}
	want := []string{"a.go:8: is none (translated): is", "a.go:9: is no solid (translated): none; a sheet is no"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPhrasesInsideOthersCountOnce has phrases that are found inside longer ones, and one that overlaps another.
func TestPhrasesInsideOthersCountOnce(t *testing.T) {
	found := func(text string, phrases ...string) (got []string) {
		var rules []rule
		for _, p := range phrases {
			rules = append(rules, rule{archaic, p, nil})
		}
		for _, h := range (block{{text: text}}).hits(compile(rules)) {
			got = append(got, h.phrase)
		}
		return got
	}
	for _, c := range []struct {
		phrases []string
		want    string
	}{
		{[]string{"is what", "of it is what it"}, "of it is what it"},
		{[]string{"of it is what it", "is what", "is what"}, "of it is what it"},
		{[]string{"is what", "is what"}, "is what"},
		{[]string{"it is", "is what"}, "it is|is what"},
	} {
		if got := strings.Join(found("the depth of it is what it removes", c.phrases...), "|"); got != c.want {
			t.Errorf("%q: found %q, want %q", c.phrases, got, c.want)
		}
	}
}
