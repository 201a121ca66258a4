package mass_test

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// A ball of 10 mm: 4/3·π·10³ mm³ within 4·π·10² mm².
func ExampleCompute() {
	p, err := mass.Compute(context.Background(), build.Sphere(10, build.Style{}))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.9f mm³ %.9f mm²\n", p.Volume, p.Area)
	// Output:
	// 4188.790204786 mm³ 1256.637061436 mm²
}
