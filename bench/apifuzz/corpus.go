package apifuzz

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// corpus is the set of ids from responses, by team and kind, with the ids that belong together: a program's id is
// useless without its part's. Kinds are the collections in paths, as parts and plans.
type corpus struct {
	ids  []map[string][]string        // of each team, by kind; the oldest first
	with map[string]map[string]string // by id: the last id of each kind in the same response
	kept map[string]bool              // records that are not deleted
}

func newCorpus(teams int) corpus {
	c := corpus{with: map[string]map[string]string{}, kept: map[string]bool{}}
	for range teams {
		c.ids = append(c.ids, map[string][]string{})
	}
	return c
}

// most bounds the ids that are kept of a kind.
const most = 500

// fields are the kinds of what fields of answers, and parameters, name.
var fields = map[string]string{
	"partId": "parts", "partUuid": "parts", "jobId": "jobs", "jobUuid": "jobs", "toolpathJobId": "jobs",
	"planId": "plans", "programId": "programs", "currentProgramId": "programs", "programIds": "programs",
	"projectId": "projects", "cutConfigId": "cut-configs", "cutConfigIds": "cut-configs", "featureId": "features",
	"featureIds": "features", "toolLibraryIds": "tool-libraries",
}

// kindOf is the last collection that a path names.
func kindOf(path string) string {
	kind := ""
	for segment := range strings.SplitSeq(strings.TrimPrefix(path, "/v1"), "/") {
		if collections[segment] {
			kind = segment
		}
	}
	return kind
}

var collections = map[string]bool{
	"parts": true, "jobs": true, "plans": true, "programs": true, "projects": true, "cut-configs": true,
	"tool-libraries": true, "holders": true,
}

// learn takes the ids of a team out of the answer to a path. No other team may know them.
func (c *corpus) learn(team int, path string, answer []byte) {
	var v any
	if json.Unmarshal(answer, &v) == nil {
		c.read(team, v, kindOf(path), map[string]string{})
	}
}

// read collects ids from a value; id is the kind of its own id, and above contains the ids of the enclosing values.
func (c *corpus) read(team int, v any, id string, above map[string]string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			c.read(team, item, id, above)
		}
	case map[string]any:
		here := maps.Clone(above)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			kind := fields[name]
			if name == "id" {
				kind = id
			}
			for _, one := range texts(v[name]) {
				if kind != "" && uuid.MatchString(one) && !strings.HasPrefix(one, everybodys) {
					here[kind] = one
					c.add(team, kind, one)
				}
			}
		}
		for _, one := range here {
			if c.with[one] == nil {
				c.with[one] = map[string]string{}
			}
			maps.Copy(c.with[one], here)
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.read(team, v[name], id, here)
		}
	}
}

// texts are those of a text, or of a list of texts.
func texts(v any) (out []string) {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, item := range v {
			if text, ok := item.(string); ok {
				out = append(out, text)
			}
		}
	}
	return out
}

func (c *corpus) add(team int, kind, id string) {
	pool := c.ids[team][kind]
	if slices.Contains(pool, id) {
		return
	}
	if len(pool) >= most { // the newest, and those that are kept
		at := slices.IndexFunc(pool, func(old string) bool { return !c.kept[old] })
		if at < 0 {
			return
		}
		pool = slices.Delete(pool, at, at+1)
	}
	c.ids[team][kind] = append(pool, id)
}

// drop forgets a record that is gone.
func (c *corpus) drop(team int, id string) {
	for kind, pool := range c.ids[team] {
		c.ids[team][kind] = slices.DeleteFunc(pool, func(one string) bool { return one == id })
	}
}

// keep has all ids that a team has by now not be deleted.
func (c *corpus) keep(team int) {
	for _, pool := range c.ids[team] {
		for _, id := range pool {
			c.kept[id] = true
		}
	}
}
