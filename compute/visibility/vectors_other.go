//go:build !amd64

package visibility

var vectors = false

const absent = "no vectors on this processor"

func turnFours(*viewPoint, *[3]float32, int, *turning) { panic(absent) }

func faceFours(*[3]float32, int, *[3]float32, float32) uint64 { panic(absent) }

func enterVectors(*int32, *facets, int, *[3]float32, int, *uint64) int { panic(absent) }

func prepareVectors(*batch, *run, int) (count, large int) { panic(absent) }

func testVectors(*batch, *run, int, *hit) (done, count int) { panic(absent) }

func settleVectors(*batch, *hit, int) { panic(absent) }

func lowestVectors(*int32, *int32, int, int) { panic(absent) }
