// Package codectest checks that stored models are restored unchanged.
package codectest

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// RoundTrip stores a model and compares it with the restored one.
func RoundTrip(t testing.TB, m *brep.Model) {
	t.Helper()
	data := codec.Encode(m)
	if again := codec.Encode(m); !bytes.Equal(data, again) {
		t.Fatal("two encodings of one model differ")
	}
	got, err := codec.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(m, got) {
		t.Error(d)
	}
	if again := codec.Encode(got); !bytes.Equal(data, again) {
		t.Errorf("the encoding of the restored model differs: %d bytes, was %d", len(again), len(data))
	}
}

// differences lists the places where two models differ in any bit, unexported fields included, or share their geometry
// differently.
func differences(a, b *brep.Model) []string {
	d := differ{shared: make(map[any]any)}
	d.walk("model", reflect.ValueOf(a), reflect.ValueOf(b))
	return d.found
}

type differ struct {
	found  []string
	shared map[any]any // the pointer in b for each pointer to geometry in a
}

// made are the fields that are filled at the first question.
var made = []string{"leaves", "boxes", "samples", "table", "cells", "tree"}

func (d *differ) add(path, format string, args ...any) {
	const most = 10
	if len(d.found) < most {
		d.found = append(d.found, path+": "+fmt.Sprintf(format, args...))
	}
}

func (d *differ) walk(path string, a, b reflect.Value) {
	if a.Kind() != b.Kind() || a.Kind() == reflect.Interface && a.IsNil() != b.IsNil() {
		d.add(path, "%v, was %v", b, a)
		return
	}
	switch a.Kind() {
	case reflect.Float64:
		if math.Float64bits(a.Float()) != math.Float64bits(b.Float()) {
			d.add(path, "%v, was %v", b.Float(), a.Float())
		}
	case reflect.Func, reflect.Map:
	case reflect.Interface:
		if !a.IsNil() {
			if a.Elem().Type() != b.Elem().Type() {
				d.add(path, "a %v, was a %v", b.Elem().Type(), a.Elem().Type())
				return
			}
			d.walk(path, a.Elem(), b.Elem())
		}
	case reflect.Pointer:
		d.pointers(path, a, b)
	case reflect.Struct:
		for i := range a.NumField() {
			f := a.Type().Field(i)
			if f.Type != reflect.TypeFor[sync.Once]() && !slices.Contains(made, f.Name) {
				d.walk(path+"."+f.Name, a.Field(i), b.Field(i))
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() || a.Kind() == reflect.Slice && a.IsNil() != b.IsNil() {
			d.add(path, "%d elements, were %d", b.Len(), a.Len())
			return
		}
		for i := range a.Len() {
			d.walk(fmt.Sprintf("%s[%d]", path, i), a.Index(i), b.Index(i))
		}
	default:
		if !a.Equal(b) {
			d.add(path, "%v, was %v", b, a)
		}
	}
}

func (d *differ) pointers(path string, a, b reflect.Value) {
	if a.IsNil() || b.IsNil() {
		if a.IsNil() != b.IsNil() {
			d.add(path, "%v, was %v", b, a)
		}
		return
	}
	if a.Type().Implements(reflect.TypeFor[curve.Curve]()) || a.Type().Implements(reflect.TypeFor[surface.Surface]()) {
		if known, ok := d.shared[a.Pointer()]; ok {
			if known != b.Pointer() {
				d.add(path, "a separate copy, was shared")
			}
			return
		}
		d.shared[a.Pointer()] = b.Pointer()
	}
	d.walk(path, a.Elem(), b.Elem())
}
