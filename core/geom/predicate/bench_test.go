package predicate

import (
	"math"
	"testing"

	"millwright/core/geom"
)

var sink float64

func benchOrient(b *testing.B, p [3]geom.Vec2) {
	for b.Loop() {
		sink += Orient2D(p[0], p[1], p[2])
	}
}

func benchCircle(b *testing.B, p [4]geom.Vec2) {
	for b.Loop() {
		sink += InCircle(p[0], p[1], p[2], p[3])
	}
}

func BenchmarkOrient(b *testing.B) {
	b.Run("filter", func(b *testing.B) { benchOrient(b, [3]geom.Vec2{{}, {X: 1}, {X: 0.3, Y: 2}}) })
	b.Run("exact", func(b *testing.B) {
		benchOrient(b, [3]geom.Vec2{{X: 0.1, Y: 0.1}, {X: 0.7, Y: 0.7}, {X: 0.3, Y: 0.3}})
	})
}

func BenchmarkCircle(b *testing.B) {
	b.Run("filter", func(b *testing.B) {
		benchCircle(b, [4]geom.Vec2{{}, {X: 1}, {Y: 1}, {X: 0.3, Y: 0.4}})
	})
	b.Run("grid", func(b *testing.B) {
		benchCircle(b, [4]geom.Vec2{{X: 0.1, Y: 0.3}, {X: 0.7, Y: 0.3}, {X: 0.7, Y: 0.9}, {X: 0.1, Y: 0.9}})
	})
	b.Run("circle", func(b *testing.B) {
		var p [4]geom.Vec2
		for i := range p {
			s, c := math.Sincos(1 + 1.3*float64(i))
			p[i] = geom.Vec2{X: 0.1 + 7*c, Y: 0.2 + 7*s}
		}
		benchCircle(b, p)
	})
}
