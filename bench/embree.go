package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
)

// embreePackets is the number of rays per packet with which the comparison program is fastest.
const embreePackets = 16

// embree lets the comparison program go through all directions so many times. The processor time is that of the whole
// process.
func (c *visibilityCmd) embree(path string, triangles, times int) (runs, error) {
	dir, err := os.MkdirTemp("", "visibility")
	if err != nil {
		return runs{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	out := filepath.Join(dir, "bits")
	var r struct {
		Rate float64 `json:"Mrays_per_s"`
	}
	spent, err := call(context.Background(), 0, &r, c.Program, path,
		"-dirs", fmt.Sprint(c.Dirs), "-t", fmt.Sprint(c.Threads),
		"-n", fmt.Sprint(times), "-mode", fmt.Sprint(embreePackets), "-robust", "-out", out)
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
	return runs{masks, float64(triangles*c.Dirs) / (r.Rate * 1e6), spent.cpuMs}, nil
}
