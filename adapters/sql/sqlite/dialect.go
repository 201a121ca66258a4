package sqlite

// dialect implements sql.Dialect.
type dialect struct{}

// Lock implements sql.Dialect. One connection writes, so no row needs a lock.
func (dialect) Lock(string) string { return "" }

// List implements sql.Dialect by the JSON array that bind makes.
func (dialect) List(argument string) string { return "json_each(" + argument + ")" }

// AnyOf implements sql.Dialect.
func (dialect) AnyOf(query string) string { return "IN (" + query + ")" }

// Greatest implements sql.Dialect.
func (dialect) Greatest(a, b string) string { return "max(" + a + ", " + b + ")" }

// Position implements sql.Dialect.
func (dialect) Position(text, part string) string { return "instr(" + text + ", " + part + ")" }

// JSONArray implements sql.Dialect.
func (dialect) JSONArray(items string) string { return "json_group_array(" + items + ")" }

// JSON implements sql.Dialect.
func (dialect) JSON(text string) string { return "CAST(" + text + " AS BLOB)" }
