package postgres

// dialect implements sql.Dialect.
type dialect struct{}

// Lock implements sql.Dialect.
func (dialect) Lock(strength string) string { return " FOR " + strength }

// List implements sql.Dialect by an array, whose length the planner knows.
func (dialect) List(argument string) string {
	return "(SELECT item::json AS value, key FROM unnest(" + argument + "::text[]) WITH ORDINALITY l (item, key))"
}

// AnyOf implements sql.Dialect. The query of an array runs only once.
func (dialect) AnyOf(query string) string { return "= ANY(ARRAY(" + query + "))" }

// Greatest implements sql.Dialect.
func (dialect) Greatest(a, b string) string { return "greatest(" + a + ", " + b + ")" }

// Position implements sql.Dialect.
func (dialect) Position(text, part string) string { return "strpos(" + text + ", " + part + ")" }

// JSONArray implements sql.Dialect.
func (dialect) JSONArray(items string) string { return "json_agg(" + items + ")" }

// JSON implements sql.Dialect.
func (dialect) JSON(text string) string { return "CAST(" + text + " AS JSON)" }
