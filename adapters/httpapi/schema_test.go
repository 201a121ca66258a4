package httpapi_test

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// schemas checks JSON values against the schemas of a served interface description. It knows the keywords
// that this description uses and refuses all others, so that nothing passes unlooked at.
type schemas map[string]any

// silent are keywords that allow every value.
var silent = []string{"description", "format", "discriminator", "examples", "default", "x-group", "x-unit"}

// check returns the defect of a decoded JSON value, "" if it is valid.
func (c schemas) check(value any, schema map[string]any, at string) string {
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		if why := c.keyword(keyword, schema, value, at); why != "" {
			return why
		}
	}
	return ""
}

func (c schemas) keyword(keyword string, schema map[string]any, value any, at string) string {
	arg := schema[keyword]
	number, isNumber := value.(float64)
	text, isText := value.(string)
	list, isList := value.([]any)
	object, isObject := value.(map[string]any)
	wrong := func(is bool) string {
		if is {
			return fmt.Sprintf("%s: %v breaks %s %v", at, value, keyword, arg)
		}
		return ""
	}
	switch keyword {
	case "type":
		return wrong(!hasType(value, arg))
	case "const":
		return wrong(value != arg)
	case "enum":
		return wrong(!slices.Contains(arg.([]any), value))
	case "minimum":
		return wrong(isNumber && number < arg.(float64))
	case "exclusiveMinimum":
		return wrong(isNumber && number <= arg.(float64))
	case "maxLength":
		return wrong(isText && float64(len(text)) > arg.(float64))
	case "maxItems":
		return wrong(isList && float64(len(list)) > arg.(float64))
	case "maximum":
		return wrong(isNumber && number > arg.(float64))
	case "pattern":
		return wrong(isText && !regexp.MustCompile(arg.(string)).MatchString(text))
	case "minItems":
		return wrong(isList && float64(len(list)) < arg.(float64))
	case "required":
		for _, name := range arg.([]any) {
			if _, has := object[name.(string)]; isObject && !has {
				return fmt.Sprintf("%s: %s is missing", at, name)
			}
		}
	case "items":
		for i, item := range list {
			if why := c.check(item, arg.(map[string]any), fmt.Sprintf("%s[%d]", at, i)); why != "" {
				return why
			}
		}
	case "properties", "additionalProperties":
		return c.properties(object, schema, at)
	case "$ref":
		return c.check(value, c.at(arg.(string)), at)
	case "anyOf", "oneOf":
		return c.choice(keyword, arg.([]any), value, at)
	default:
		if !slices.Contains(silent, keyword) {
			return fmt.Sprintf("%s: the keyword %s is not known to this check", at, keyword)
		}
	}
	return ""
}

func (c schemas) at(ref string) map[string]any {
	schema, _ := c[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
	if schema == nil {
		return map[string]any{"dangling " + ref: true} // an unknown keyword
	}
	return schema
}

func (c schemas) properties(object, schema map[string]any, at string) string {
	known, _ := schema["properties"].(map[string]any)
	for name, value := range object {
		if property, ok := known[name].(map[string]any); ok {
			if why := c.check(value, property, at+"."+name); why != "" {
				return why
			}
		} else if schema["additionalProperties"] == false {
			return fmt.Sprintf("%s: %s is not described", at, name)
		}
	}
	return ""
}

// choice wants one schema that fits: any one, or exactly one.
func (c schemas) choice(keyword string, options []any, value any, at string) string {
	var reasons []string
	for _, option := range options {
		if why := c.check(value, option.(map[string]any), at); why != "" {
			reasons = append(reasons, why)
		}
	}
	switch fits := len(options) - len(reasons); {
	case fits == 0:
		return "none of " + strings.Join(reasons, "; ")
	case fits > 1 && keyword == "oneOf":
		return fmt.Sprintf("%s: %d schemas of %s fit", at, fits, keyword)
	}
	return ""
}

func hasType(value, want any) bool {
	if several, ok := want.([]any); ok {
		return slices.ContainsFunc(several, func(one any) bool { return hasType(value, one) })
	}
	switch v := value.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case float64:
		return want == "number" || want == "integer" && v == math.Trunc(v)
	case []any:
		return want == "array"
	}
	return want == "object"
}
