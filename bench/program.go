package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"millwright.dev/millwright/bench/corpus"
)

// cost is the resources that a program used for a file.
type cost struct {
	wallMs  float64 // of the whole process, start to exit
	peakRSS int64   // bytes
	cpuMs   float64 // of all processors
}

// call runs a program that prints one JSON object, with one thread or all cores (threads = 0).
func call(ctx context.Context, threads int, out any, program string, args ...string) (cost, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	if threads > 0 {
		cmd.Env = append(os.Environ(), fmt.Sprintf("GOMAXPROCS=%d", threads))
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return cost{}, errors.New("the time is up")
		}
		last := strings.TrimSpace(stderr.String())
		return cost{}, fmt.Errorf("%w: %s", err, last[strings.LastIndexByte(last, '\n')+1:])
	}
	wall := float64(time.Since(start).Microseconds()) / 1000
	line, _ := bufio.NewReader(&stdout).ReadBytes('\n')
	if err := json.Unmarshal(line, out); err != nil {
		return cost{}, fmt.Errorf("read the output of %s: %w", program, err)
	}
	const kilobyte = 1024 // ru_maxrss counts kilobytes on Linux
	spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return cost{wall, cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * kilobyte,
		float64(spent) / float64(time.Millisecond)}, nil
}

// oracle is the output of the OCCT oracle for a file.
type oracle struct {
	corpus.Truth
	ReadMs     float64 `json:"read_ms"`
	TransferMs float64 `json:"transfer_ms"`
	MeshMs     float64 `json:"mesh_ms"`
	Triangles  int     `json:"triangles"`
}

// runOracle reads, transfers, measures and meshes a file with OCCT. chord in mm, angle in degrees.
func runOracle(ctx context.Context, program string, threads int, chord, angle float64, file string) (
	oracle, cost, error) {
	args := []string{"-d", fmt.Sprint(chord), "-a", fmt.Sprint(angle * math.Pi / 180)}
	if threads != 1 {
		args = append(args, "-p")
	}
	var r oracle
	spent, err := call(ctx, threads, &r, program, append(args, file)...)
	if err != nil {
		return oracle{}, cost{}, fmt.Errorf("oracle: %w", err)
	}
	return r, spent, nil
}
