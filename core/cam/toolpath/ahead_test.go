package toolpath_test

import (
	"bytes"
	"runtime"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestPathsAreTheSameOnAnyNumberOfProcessors(t *testing.T) {
	tool := builtin(t, machining.BallEndMill, 6)
	in, setup := input(t, part(t, "fillets"), tool, 2)
	box := in.Plan.Stock
	low := box.Max.Z - 8
	setup.Operations = []planning.Operation{
		{ID: "rough", Strategy: planning.Pocket, Top: box.Max.Z, Bottom: low, LeaveRadial: 0.2, Cutting: data(&tool)},
		{ID: "walls", Strategy: planning.Contour, Top: box.Max.Z, Bottom: low, Cutting: data(&tool)},
	}
	again := in.Plan.Setups[0]
	again.Frame.Origin = geom.Vec3{X: 1}
	in.Plan.Setups = append(in.Plan.Setups, again)
	var first []byte
	for _, processors := range []int{1, 4} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		set, err := toolpath.Make(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		data, err := set.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(data, first) {
			t.Errorf("%d processors make other motion than one", processors)
		}
	}
}
