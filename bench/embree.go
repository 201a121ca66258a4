package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// embree is a comparison with Embree on the same meshes, and with the same number of threads.
type embree struct {
	Program string   `name:"embree" required:"" help:"Path of the Embree comparison program."`
	Dirs    int      `default:"64" help:"Directions, spread over the sphere; at most 64."`
	Threads int      `default:"0" help:"Threads of both, 0 for all processors."`
	Repeat  int      `default:"5" help:"Runs of each, in turn."`
	Meshes  []string `arg:"" type:"existingfile" help:"Binary STL files of closed meshes."`
}

// settle puts what was given into limits.
func (e *embree) settle() {
	e.Dirs, e.Repeat = min(max(e.Dirs, 1), 64), max(e.Repeat, 1)
	if e.Threads <= 0 {
		e.Threads = runtime.GOMAXPROCS(0)
	}
}

// embreePackets is how many rays the comparison program casts at once when it is fastest.
const embreePackets = 16

// run goes through all directions so many times, with so many rays at once. The processor time is that of the
// whole process.
func (e *embree) run(path string, triangles, times, packets int) (runs, error) {
	dir, err := os.MkdirTemp("", "visibility")
	if err != nil {
		return runs{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out := filepath.Join(dir, "bits")
	var r struct {
		Rate float64 `json:"Mrays_per_s"`
	}
	spent, err := call(context.Background(), 0, &r, e.Program, path,
		"-dirs", fmt.Sprint(e.Dirs), "-t", fmt.Sprint(e.Threads),
		"-n", fmt.Sprint(times), "-mode", fmt.Sprint(packets), "-robust", "-out", out)
	if err != nil {
		return runs{}, fmt.Errorf("embree: %w", err)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return runs{}, err
	}
	if len(data) != 8*triangles {
		return runs{}, fmt.Errorf("embree: %d bytes for %d triangles", len(data), triangles)
	}
	masks := make([]uint64, triangles)
	for i := range masks {
		masks[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return runs{masks, float64(triangles*e.Dirs) / (r.Rate * 1e6), spent.cpuMs}, nil
}
