package openapi_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/httpapi"
)

// node is a JSON object of the description.
type node = map[string]any

func description(t *testing.T) node {
	t.Helper()
	data, err := httpapi.Description("https://millwright.example.com")
	if err != nil {
		t.Fatal(err)
	}
	var doc node
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// object follows a path of names into a description; a missing one gives an empty object.
func object(n node, names ...string) node {
	for _, name := range names {
		n, _ = n[name].(node)
	}
	return n
}

// operations lists every operation as "get /path".
func operations(doc node) map[string]node {
	out := map[string]node{}
	for path, item := range object(doc, "paths") {
		for method, op := range item.(node) {
			out[method+" "+path] = op.(node)
		}
	}
	return out
}

func text(v any) string { s, _ := v.(string); return s }

func TestEveryOperationIsDescribed(t *testing.T) {
	doc := description(t)
	all := operations(doc)
	if len(all) == 0 {
		t.Fatal("no operation is described")
	}
	groups := map[string]bool{}
	for _, tag := range doc["tags"].([]any) {
		groups[text(tag.(node)["name"])] = true
		if text(tag.(node)["description"]) == "" {
			t.Errorf("group %v has no description", tag)
		}
	}
	ids := map[string]string{}
	for name, op := range all {
		for _, field := range []string{"summary", "description", "operationId"} {
			if text(op[field]) == "" {
				t.Errorf("%s: no %s", name, field)
			}
		}
		if strings.HasSuffix(text(op["summary"]), ".") || !strings.HasSuffix(text(op["description"]), ".") {
			t.Errorf("%s: a summary is a phrase and a description sentences, got %q and %q",
				name, op["summary"], op["description"])
		}
		if other, used := ids[text(op["operationId"])]; used {
			t.Errorf("%s and %s share the id %v", name, other, op["operationId"])
		}
		ids[text(op["operationId"])] = name
		if tags, _ := op["tags"].([]any); len(tags) != 1 || !groups[text(tags[0])] {
			t.Errorf("%s: groups %v, want one that is described; see tag.go", name, tags)
		}
		products := []string{"public", "core", "dfm", "quoting"}
		if p := text(op["x-product"]); !slices.Contains(products, p) {
			t.Errorf("%s: x-product %q is none of %v", name, p, products)
		}
		if _, ok := op["x-metered"].(bool); !ok {
			t.Errorf("%s: no x-metered", name)
		}
		if security, ok := op["security"].([]any); !ok || len(security) == 0 {
			t.Errorf("%s: does not say whether it needs a key", name)
		}
	}
}

func TestEveryPathHasBothVersions(t *testing.T) {
	paths := object(description(t), "paths")
	for path, item := range paths {
		if strings.HasPrefix(path, "/v1/") || path == "/docs" || strings.HasPrefix(path, "/problems/") {
			continue // pages are of both faces
		}
		methods := slices.Sorted(maps.Keys(item.(node)))
		for _, m := range methods {
			if object(paths, "/v1"+path)[m] == nil {
				t.Errorf("%s %s is not offered under /v1", m, path)
			}
		}
	}
}

func TestEveryBodyHasAnExample(t *testing.T) {
	for name, op := range operations(description(t)) {
		if body, has := op["requestBody"].(node); has {
			if text(body["description"]) == "" {
				t.Errorf("%s: the body has no description", name)
			}
			checkContent(t, name+" body", body)
		}
		for status, r := range object(op, "responses") {
			answer := r.(node)
			if answer["$ref"] != nil {
				continue // a shared one, made with its examples
			}
			if text(answer["description"]) == "" {
				t.Errorf("%s %s: no description", name, status)
			}
			checkContent(t, name+" "+status, answer)
		}
	}
}

// checkContent requires an example for every JSON body; an empty body needs no example.
func checkContent(t *testing.T, where string, of node) {
	t.Helper()
	for media, content := range object(of, "content") {
		c := content.(node)
		if !strings.HasSuffix(media, "json") {
			continue
		}
		if properties := object(c, "schema", "properties"); c["schema"].(node)["$ref"] == nil && properties == nil {
			continue
		}
		if c["example"] == nil && len(object(c, "examples")) == 0 {
			t.Errorf("%s (%s): no example; add openapi/examples/%s.json", where, media,
				strings.TrimPrefix(text(object(c, "schema")["$ref"]), "#/components/schemas/"))
		}
	}
}

func TestEveryErrorIsAProblemWithItsCodes(t *testing.T) {
	doc := description(t)
	for code, e := range object(doc, "components", "examples") {
		value := object(e.(node), "value")
		if text(e.(node)["summary"]) == "" || text(value["detail"]) == "" || value["code"] != code {
			t.Errorf("code %s: %v; say in errors.go when it is answered", code, e)
		}
	}
	for name, op := range operations(doc) {
		for status, r := range object(op, "responses") {
			answer := r.(node)
			if ref := text(answer["$ref"]); ref != "" {
				answer = object(doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
			if status < "400" || object(answer, "content", "application/json") != nil {
				continue // health and the validation of keys answer their own shapes
			}
			problem := object(answer, "content", "application/problem+json")
			if text(object(problem, "schema")["$ref"]) != "#/components/schemas/Problem" ||
				len(object(problem, "examples")) == 0 {
				t.Errorf("%s %s: is no problem with codes: %v", name, status, answer)
			}
			for code := range object(problem, "examples") {
				value := object(doc, "components", "examples", code, "value")
				if fmt.Sprint(value["status"]) != status {
					t.Errorf("%s %s: code %s is answered with %v", name, status, code, value["status"])
				}
			}
		}
	}
}

func TestEveryParameterIsBounded(t *testing.T) {
	for name, op := range operations(description(t)) {
		parameters, _ := op["parameters"].([]any)
		for _, p := range parameters {
			p := p.(node)
			if text(p["description"]) == "" {
				t.Errorf("%s: parameter %v has no description", name, p["name"])
			}
			schema := object(p, "schema")
			if items := object(schema, "items"); items != nil {
				schema = items
			}
			bounded := schema["type"] != "string"
			for _, bound := range []string{"format", "enum", "maxLength", "pattern"} {
				bounded = bounded || schema[bound] != nil
			}
			if !bounded {
				t.Errorf("%s: parameter %v may be any text; give it a bound", name, p["name"])
			}
		}
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	doc := description(t)
	for name, s := range object(doc, "components", "schemas") {
		checkFields(t, name, s.(node))
	}
	for name, op := range operations(doc) {
		for media, content := range object(op, "requestBody", "content") {
			checkFields(t, name+" "+media, object(content.(node), "schema"))
		}
		for status, r := range object(op, "responses") {
			for media, content := range object(r.(node), "content") {
				checkFields(t, name+" "+status+" "+media, object(content.(node), "schema"))
			}
		}
	}
}

// checkFields wants a description of every property of a schema, however deep.
func checkFields(t *testing.T, where string, schema node) {
	t.Helper()
	for field, value := range object(schema, "properties") {
		if field == "$schema" {
			t.Errorf("%s has a field $schema, which is none of the contract", where)
		}
		v := value.(node)
		if text(v["description"]) == "" {
			t.Errorf("%s.%s has no description", where, field)
		}
		checkFields(t, where+"."+field, v)
	}
	for _, inner := range []string{"items", "additionalProperties"} {
		if s := object(schema, inner); s != nil {
			checkFields(t, where+"."+inner, s)
		}
	}
	for _, several := range []string{"oneOf", "anyOf", "allOf"} {
		list, _ := schema[several].([]any)
		for _, s := range list {
			checkFields(t, where+"."+several, s.(node))
		}
	}
}

// TestOpenAndClosedObjects checks the rules of the contract: datasheets are closed, responses are open, and request
// objects are closed.
func TestOpenAndClosedObjects(t *testing.T) {
	schemas := object(description(t), "components", "schemas")
	for name, closed := range map[string]bool{
		"FeatureDatasheet": true, "BevelFacts": true, "BossFacts": true, "HoleFacts": true, "ToleranceBand": true,
		"CreatePartRequest": true, "FeatureDetailRequest": true,
		"PartResult": false, "PartFeature": false, "Part": false, "JobDetail": false, "Problem": false, "Vec3": false,
	} {
		if got := object(schemas, name)["additionalProperties"] == false; got != closed {
			t.Errorf("%s: closed %v, want %v", name, got, closed)
		}
	}
	for schema, field := range map[string]string{
		"PartFeature": "featureType", "PartFeatureEntry": "featureType", "Region": "shapeKind",
		"JobSummary": "productType", "Part": "failureCode", "Problem": "code",
	} {
		if enum := object(schemas, schema, "properties", field)["enum"]; enum != nil {
			t.Errorf("%s.%s may take new values, but is limited to %v", schema, field, enum)
		}
	}
}
