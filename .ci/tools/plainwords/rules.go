package main

// kind is the group of a rule in the figures.
type kind string

const (
	archaic    kind = "archaic"    // has left technical English
	translated kind = "translated" // follows the grammar of another language
)

// rule is a phrase that comments avoid. Its notation is that of pattern.
type rule struct {
	kind   kind
	phrase string
	unless []string // longer phrases in which the phrase is plain English; @ stands for the phrase
}

// rules are checked in this order.
var rules = []rule{
	{archaic, "of which", []string{
		"the|a * *? @",
		"each|first|columns|last|set|subset|files|index|all|both|some|any|one|none|most|many|two|three|six|several @",
		"either|neither|copy|copies|track|regardless|independent|invariant|instead|irrespective|aware @",
	}},
	{archaic, "but for", []string{
		"^|, @", "not * *? @", "not|only for ** @", "@ now|which|each|the_time_being|this|that_reason|all_other",
	}},
	{archaic, "as far as", []string{"@ possible|we|i|the"}},
	{archaic, "besides", nil},
	{archaic, "anew", nil},
	{archaic, "afresh", nil},
	{archaic, "whoever", nil},
	{archaic, "whatever", []string{"or|and @", "for @ reason"}},
	{archaic, "askew", nil},
	{archaic, "lest", nil},
	{archaic, "whence|thence|hither|thither|whither|yonder|nigh|asunder|amid|amidst|ere|oft|shy_of", nil},
	{archaic, "thereof|therein|therewith|thereupon|thereto|wherein|whereof|whereupon|wherewith", nil},
	{archaic, "albeit|aught|naught|aforesaid", nil},
	{archaic, "all the same $", nil},
	{archaic, "such a one", nil},
	{archaic, "many a", nil},
	{archaic, "nothing but", nil},
	{archaic, "none but", nil},
	{archaic, "alike", nil},
	{archaic, "* meanwhile", nil},
	{archaic, "forthwith", nil},

	// Clauses with what, how and where in the place of a noun.
	{translated, "that|those of what", nil},
	{translated, "of it what", nil},
	{translated, "what of a|an|the|it|its|them|these|those|one|all", nil},
	{translated, "what is|are|was none|no|of|told|said|asked|made|left|cut|meant|held|given", []string{
		"determine|determines|know|see|of|on|check|exactly what is|was left|made|said|asked|given|meant|told",
	}},
	{translated, "^ what lies|stands|goes|comes|meets|ends|turns|runs|looks|rises|falls|holds|joins|touches|borders", nil},
	{translated, "^ what has|needs|bends|makes|a|an|one", []string{`what a|an ** \?`}},
	{translated, "is|are what a|an|the|it|its|they|all|is|are|of|one", []string{"this|that|which is what"}},
	{translated, "return|returns|says|tells|holds|lists|gives|shows|names|reads|draws|takes|leaves|counts " +
		"what|how_far|how_many|how_much|how_long", nil},
	{translated, "is how|where|by_how|by_what|for_what|to_what|from_what|with_what|on_what", []string{
		"this|that|here|which is how|where",
	}},
	{translated, "by|with|to|for|from|on|of what is|are|has|was|it|they|lies|stands|a|an", []string{
		"based|depending|depends|independent|regardless|idea|care|record|picture|notion|sense|of_course|out|sure|similar|" +
			"relative|close|equal|compared|opposite|contrary on|of|to|for|from what",
	}},

	// Verbs and prepositions.
	{translated, "go|goes|going on", []string{"@ either|to|top|this|that|disk|forever|the", "what 's @"}},
	{translated, "go|goes|run|runs|walk|walks round", nil},
	{translated, "stand|stands at|up|out|beside|before|behind|over|round|upright|on|for_itself", nil},
	{translated, "is|are of a|an|its|one|another|the|their", []string{
		"is|are of a|an|the form|same|following|different|type|kind|size|order",
	}},
	{translated, "are|is told|known|held apart|from|by|of|for", []string{"known|held by|from|for"}},
	{translated, "told|telling|tell|tells apart|from", nil},
	{translated, "beside it|its|a|an|another", nil},
	{translated, "laid|lies|lie|lay out|flat|apart", nil},
	{translated, "come|comes of|to it|its|nothing|what|be", []string{"come|comes to it|be"}},
	{translated, "does without", nil},

	// Negations, possession and comparison.
	{translated, "is|are|be|was|were none", []string{"there @", "@ of"}},
	{translated, "is|are no *", []string{
		"there @",
		"is|are no longer|shorter|more|less|larger|greater|smaller|wider|narrower|steeper|deeper|finer|coarser|higher|lower",
		"is|are no thicker|thinner|farther|further|nearer|closer|better|worse|faster|slower|op|ops|one|need|such|guarantee",
		"is|are no way|point|data|known|other|different|error|errors|key|keys",
	}},
	{translated, "for none", nil},
	{translated, "of its|their own and|or|that|which|where|in|on|for|to|from|by|with|each|is|are|has|$", []string{
		"one|none|some|mind|[0-9]+ of its|their own",
	}},
	{translated, "its|their like", nil},
	{translated, "as wide|high|deep|large|far|narrow|thick|many|often as its|their|others|another|what", nil},
}
