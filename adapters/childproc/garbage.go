package childproc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How much garbage a child gathers before it is collected, besides what lives: a share of what lives, but never less
// than some megabytes. The share is half of Go's default: it takes a twentieth more time and, where garbage counts, a
// fifth less memory, of which a machine that runs many children has less. The least makes small parts, which live on
// a megabyte or two, a quarter faster to read and mesh: most of them end before anything is collected.
const (
	garbagePercent = 50
	leastGarbage   = 16 << 20 // bytes
	// Go never takes less than 4 MB for what lives, so a larger share than this adds nothing.
	mostGarbagePercent = 100 * leastGarbage / (4 << 20)
)

// CollectSparingly sets how much garbage this process gathers, now and after every collection, unless the environment
// says how much. Call it once, first of all.
func CollectSparingly() {
	if _, isSet := os.LookupEnv("GOGC"); isSet {
		return
	}
	debug.SetGCPercent(mostGarbagePercent)
	afterEachCollection(func() { debug.SetGCPercent(garbageFor(liveBytes())) })
}

// garbageFor is the share of garbage, in percent of the bytes that live.
func garbageFor(live uint64) int {
	if live == 0 {
		return mostGarbagePercent
	}
	return int(min(max(100*leastGarbage/live, garbagePercent), mostGarbagePercent))
}

// liveBytes are those that the last collection found in use.
func liveBytes() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// afterEachCollection calls do after every collection of garbage, of which an object that nothing refers to is part.
func afterEachCollection(do func()) {
	type mark struct{ _ *mark } // with a pointer, so that it shares its memory with no other object
	var again func(*mark)
	again = func(m *mark) {
		runtime.SetFinalizer(m, again)
		do()
	}
	runtime.SetFinalizer(&mark{}, again)
}
