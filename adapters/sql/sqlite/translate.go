package sqlite

import (
	"regexp"
	"strings"
	"sync"

	"millwright.dev/millwright/adapters/sql"
)

// words are those of PostgreSQL and what SQLite says instead. One connection writes: nothing needs to be locked.
var words = []struct {
	theirs *regexp.Regexp
	ours   string
}{
	{regexp.MustCompile(`\s+FOR (NO KEY UPDATE|UPDATE|KEY SHARE)( OF \w+)?( SKIP LOCKED)?`), ``},
	{regexp.MustCompile(`\bLIST\((\$\d+)\)`), `json_each($1)`},
	{regexp.MustCompile(`(?s)= ANY\(ARRAY\((.*)\)\)`), `IN ($1)`},
	{regexp.MustCompile(`\bgreatest\(`), `max(`},
	{regexp.MustCompile(`\bstrpos\(`), `instr(`},
	{regexp.MustCompile(`\bjson_agg\(`), `json_group_array(`},
	{regexp.MustCompile(` AS JSON\)`), ` AS BLOB)`},
}

var translated sync.Map // statement → statement; there are as many as the program has

// translate says a statement in SQLite's words.
func translate(statement string) string {
	if ours, ok := translated.Load(statement); ok {
		return ours.(string)
	}
	ours := statement
	for _, w := range words {
		ours = w.theirs.ReplaceAllString(ours, w.ours)
	}
	translated.Store(statement, ours)
	return ours
}

// bind makes arguments what the driver takes.
func bind(args []any) []any {
	for i, arg := range args {
		if list, ok := arg.(sql.List); ok {
			args[i] = "[" + strings.Join(list, ",") + "]"
		}
	}
	return args
}
