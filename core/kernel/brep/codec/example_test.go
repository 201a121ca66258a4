package codec_test

import (
	"fmt"
	"reflect"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/codec"
)

// A model that was read once is kept as bytes, and comes back to the last bit.
func ExampleEncode() {
	m := build.Cylinder(5, 20, build.Style{})
	stored := codec.Encode(m)
	back, err := codec.Decode(stored)
	fmt.Println(len(back.Faces), "faces, the same:", reflect.DeepEqual(back, m), err)
	// Output:
	// 3 faces, the same: true <nil>
}
