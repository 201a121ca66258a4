package datasheet_test

import (
	"reflect"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestOnlySomeFeatures(t *testing.T) {
	all := measured(t, build.Plate(geom.Vec3{X: 40, Y: 20, Z: 5}, build.Style{},
		build.Hole{Center: geom.Vec2{X: 10, Y: 10}, Profile: build.Through(6, 5)},
		build.Hole{Center: geom.Vec2{X: 30, Y: 10}, Profile: build.Through(4, 5)}))
	for asked := range all.all {
		only := make([]bool, len(all.all))
		only[asked] = true
		some, err := datasheet.Measure(t.Context(), all.run, datasheet.Options{Only: only})
		if err != nil || len(some) != len(all.all) {
			t.Fatalf("%d datasheets, %v; want one for each of %d features", len(some), err, len(all.all))
		}
		for i := range some {
			want := feature.Datasheet{}
			if i == asked {
				want = all.all[i]
			}
			if !reflect.DeepEqual(some[i], want) {
				t.Errorf("asked for %d: datasheet %d = %+v, want %+v", asked, i, some[i], want)
			}
		}
	}
}
