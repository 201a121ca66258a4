package toolpath

import (
	"testing"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestToolsWithoutWorkWaitAboveAll(t *testing.T) {
	w := operationBuilder{in: &Input{}, op: &planning.Operation{}, safe: 12}
	path, err := w.make()
	if err != nil {
		t.Fatal(err)
	}
	want := geom.Vec3{Z: 12}
	if w.moves.Start != want || w.moves.End() != want || path.Bounds != geom.BoxOf(want) || len(w.left.list) != 1 {
		t.Errorf("it waits at %v, with %+v", w.moves.Start, path)
	}
}
