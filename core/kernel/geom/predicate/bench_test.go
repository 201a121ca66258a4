package predicate

import (
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

var sink float64

func benchOrient(b *testing.B, p [3]geom.Vec2) {
	for b.Loop() {
		sink += Orient2D(p[0], p[1], p[2])
	}
}

func BenchmarkOrient(b *testing.B) {
	b.Run("filter", func(b *testing.B) { benchOrient(b, [3]geom.Vec2{{}, {X: 1}, {X: 0.3, Y: 2}}) })
	b.Run("exact", func(b *testing.B) {
		benchOrient(b, [3]geom.Vec2{{X: 0.1, Y: 0.1}, {X: 0.7, Y: 0.7}, {X: 0.3, Y: 0.3}})
	})
}
