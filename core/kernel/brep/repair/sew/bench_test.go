package sew

import (
	"context"
	"fmt"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// BenchmarkBoxes sews rows of loose boxes with cut lids: the time for each face must not grow with their
// number.
func BenchmarkBoxes(b *testing.B) {
	for _, side := range []int{5, 15, 45} {
		b.Run(fmt.Sprint(side*side*8, " faces"), func(b *testing.B) {
			part := build.New("boxes")
			for i := range side * side {
				looseBox(part, geom.Vec3{X: 2 * float64(i%side), Y: 2 * float64(i/side)}, unit, 3)
			}
			sheets := part.Model()
			for b.Loop() {
				b.StopTimer()
				m := &brep.Model{Tolerance: sheets.Tolerance}
				m.Append(sheets, geom.Identity)
				b.StartTimer()
				r, err := Sew(context.Background(), m, Options{})
				if err != nil || r.Closed != side*side {
					b.Fatalf("%v, %+v", err, r)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(8*side*side), "µs/face")
		})
	}
}
