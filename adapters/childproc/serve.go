package childproc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"sync"

	"golang.org/x/sys/unix"

	"millwright.dev/millwright/core/pipeline"
)

// answerFile is the descriptor on which the child writes: the first after the standard three.
const answerFile = 3

// exitOrphaned is the exit status of a child whose parent has gone.
const exitOrphaned = 3

// softShare is the part of the memory limit at which Go collects garbage as hard as it can, in percent.
const softShare = 85

// Maker runs stages in the child, as pipeline.Pipeline.Make does. Serve adds the child's own measurements to the run.
type Maker func(
	ctx context.Context, params pipeline.Params, want []pipeline.Name, files pipeline.Files,
	tell func(pipeline.Progress), convert Convert,
) (pipeline.Run, error)

// Convert has the parent convert a file, one at a time.
type Convert func(ctx context.Context, src io.ReaderAt, size int64, format, suffix string) ([]byte, error)

// Serve is the child's side: it reads the request from standard input, runs the stages and answers on
// descriptor 3. The program should exit when it returns; an error means that there was no parent that
// speaks the protocol.
func Serve(ctx context.Context, makes Maker) error {
	out := os.NewFile(answerFile, "answers")
	if out == nil {
		return errors.New("childproc: descriptor 3 is closed; this command is run by the worker only")
	}
	defer func() { _ = out.Close() }() // every write before was checked
	unix.CloseOnExec(answerFile)       // child processes of the kernel cannot answer instead
	CollectSparingly()
	in := json.NewDecoder(os.Stdin)
	var req request
	if err := in.Decode(&req); err != nil {
		return fmt.Errorf("childproc: request: %w", err)
	}
	if req.MemoryBytes > 0 {
		debug.SetMemoryLimit(req.MemoryBytes / 100 * softShare)
	}
	// Temporary files of the child are in its workspace, which the parent removes in any case.
	if err := os.Setenv("TMPDIR", req.Dir); err != nil {
		return fmt.Errorf("childproc: %w", err)
	}
	replies := make(chan message, 1)
	go exitWithParent(in, replies)
	answers := &writer{out: out}
	run, err := makes(ctx, req.Params, req.Want, folder(req.Dir), answers.progress, func(
		ctx context.Context, src io.ReaderAt, size int64, format, suffix string,
	) ([]byte, error) {
		ask := func(c conversion) error { return answers.send(message{Convert: &c}) }
		return folder(req.Dir).convert(ctx, io.NewSectionReader(src, 0, size), conversion{format, suffix}, ask, replies)
	})
	run.PeakRSSBytes = PeakResident()
	return answers.last(run, err)
}

// exitWithParent forwards the parent's replies, and ends the process when its standard input ends, since the parent
// keeps it open.
func exitWithParent(in *json.Decoder, replies chan<- message) {
	for {
		var m message
		if in.Decode(&m) != nil { // an error is an end too
			os.Exit(exitOrphaned)
		}
		replies <- m
	}
}

// writer sends messages and keeps the first error, after which the parent can read nothing more.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

func (w *writer) send(m message) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = json.NewEncoder(w.out).Encode(m)
	}
	return w.err
}

func (w *writer) progress(p pipeline.Progress) {
	_ = w.send(message{Progress: &p}) // the writer keeps the error
}

func (w *writer) last(run pipeline.Run, err error) error {
	m := message{Run: &run}
	if err != nil {
		m = messageOf(err)
	}
	if err := w.send(m); err != nil {
		return fmt.Errorf("childproc: send the result: %w", err)
	}
	return nil
}

// PeakResident returns the largest resident size that this process had, in bytes; 0 when unknown.
func PeakResident() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer func() { _ = f.Close() }() // read only
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := bytes.Fields(lines.Bytes())
		if len(fields) >= 2 && string(fields[0]) == "VmHWM:" {
			kB, err := strconv.ParseInt(string(fields[1]), 10, 64)
			if err != nil {
				return 0
			}
			return kB << 10
		}
	}
	return 0
}
