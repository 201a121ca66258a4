package compute

import (
	"math"
	"math/bits"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/primitive"
)

// The cost model. A primitive states the seconds per item of one thread, as `go run ./bench kernels --device cpu
// --threads 1` measures them for a million items. The reference processor is an Ice Lake core at 2.8 GHz; other cores
// differ by a factor, the slowdown, which calibrate.go measures. The overhead of a device is measured on that device.
//
// The device's computing time is not part of the model. On the measured device (bench/RESULTS.md), preparing inputs and
// collecting results takes most of a call, in most primitives nearly all of it. Primitives state that time too, from
// the same measurement, so that 16 threads keep the calls that were faster there.

// breakEven returns the number of items from which a call is faster on a device. For so many items, the device's
// overhead alone is as long as the processor's time. The number is a power of two, so that the rounding of a
// measurement seldom changes it, and at least 1,024.
func breakEven(c primitive.Cost, overhead device.Overhead, threads int) int {
	const fewest = 1 << 10
	saved := c.Seconds/float64(threads) - c.Bytes/overhead.BytesPerSecond - c.Host // per item
	if !(saved > 0) {
		return math.MaxInt // the processor is done before the data has arrived
	}
	n := overhead.Latency.Seconds() / saved
	if n >= math.MaxInt32 {
		return math.MaxInt
	}
	return max(fewest, 1<<bits.Len(uint(n)))
}

// slower returns a cost on a core that takes so many times as long.
func slower(c primitive.Cost, slowdown float64) primitive.Cost {
	return primitive.Cost{Seconds: c.Seconds * slowdown, Bytes: c.Bytes, Host: c.Host * slowdown}
}

// probeFrom is the time of a primitive's calls on the processor from which Auto searches for a graphics device at all.
// A search takes some tenths of a second.
const probeFrom = 200 * time.Millisecond

// estimate returns the time of a call on the processor.
func estimate(c primitive.Cost, items, threads int) time.Duration {
	return time.Duration(c.Seconds * float64(items) / float64(threads) * float64(time.Second))
}
