package httpapi

import (
	"context"
	"fmt"
	"reflect"
	"strings"
)

// Ids are matched case-insensitively. Records have them in lower case; ids in path, query and body of a request are
// converted before its operation runs.

// anyCase gives a handler the ids of its input in lower case.
func anyCase[I, O any](handler func(context.Context, *I) (*O, error)) func(context.Context, *I) (*O, error) {
	fields := idFields(reflect.TypeFor[I]())
	if len(fields) == 0 {
		return handler
	}
	return func(ctx context.Context, in *I) (*O, error) {
		for _, at := range fields {
			switch id := reflect.ValueOf(in).Elem().FieldByIndex(at).Addr().Interface().(type) {
			case *string:
				*id = strings.ToLower(*id)
			case *[]string:
				lowerAll(*id)
			case **[]string:
				if *id != nil {
					lowerAll(**id)
				}
			}
		}
		return handler(ctx, in)
	}
}

func lowerAll(ids []string) {
	for i := range ids {
		ids[i] = strings.ToLower(ids[i])
	}
}

// idFields finds the fields with ids, also in nested structs.
func idFields(t reflect.Type) (at [][]int) {
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Tag.Get("format") == "uuid":
			switch f.Type {
			case reflect.TypeFor[string](), reflect.TypeFor[[]string](), reflect.TypeFor[*[]string]():
				at = append(at, f.Index)
			default:
				panic(fmt.Sprintf("httpapi: ids of %s.%s cannot be read in any case", t, f.Name))
			}
		case f.Type.Kind() == reflect.Struct:
			for _, inner := range idFields(f.Type) {
				at = append(at, append([]int{i}, inner...))
			}
		}
	}
	return at
}
