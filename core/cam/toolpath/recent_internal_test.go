package toolpath

import (
	"math"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// TestLevelDigestDependsOnAllFields changes each field of a level by the least amount.
func TestLevelDigestDependsOnAllFields(t *testing.T) {
	area := func(side float64) *arcpoly.Area {
		at := [4]geom.Vec2{{}, {X: side}, {X: side, Y: side}, {Y: side}}
		l := make(planar.Loop, 4)
		for i := range l {
			l[i] = planar.NewLine(at[i], at[(i+1)%4])
		}
		a, err := arcpoly.New(l)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	made := func() adaptive.Level {
		return adaptive.Level{Allowed: area(1), Stock: area(2), Target: area(3), Entries: []geom.Vec2{{X: 1}}}
	}
	first, again := made(), made()
	want := levelDigest(&first)
	if levelDigest(&again) != want {
		t.Fatal("equal levels have different digests")
	}
	for i := range reflect.TypeFor[adaptive.Level]().NumField() {
		l := made()
		switch f := reflect.ValueOf(&l).Elem().Field(i); v := f.Addr().Interface().(type) {
		case *float64:
			*v = math.SmallestNonzeroFloat64
		case *bool:
			*v = true
		case *geom.Vec2:
			v.Y = math.SmallestNonzeroFloat64
		case *[]geom.Vec2:
			(*v)[0].X = math.Nextafter(1, 2)
		case **arcpoly.Area:
			*v = area(1.5)
		default:
			t.Fatalf("the digest is not tested for %s", f.Type())
		}
		if levelDigest(&l) == want {
			t.Errorf("the digest does not depend on %s", reflect.TypeFor[adaptive.Level]().Field(i).Name)
		}
	}
}
