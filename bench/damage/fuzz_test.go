package damage

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/compute"
)

// The test binary is the child too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "kernel" {
		child := stagechild.Cmd{Compute: stagechild.Device{Device: compute.CPU}}
		if err := child.Run(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// struck are the files that FuzzSandbox damages, one of each format and container; inputs name them by their place.
var struck = []string{
	"step/foxtrot/cube_hole.step",
	"pairs/catpart_igs_kramakr/Plummer block.igs",
	"testdata/bracket.x_t",
	"pairs/sldprt_step_ps2/uSD2PSX Stiffener REF2018.SLDPRT",
	"nx/navin/Avionic System Component.prt",
	"pairs/catpart_igs_kramakr/Plummer block.CATPart",
	"step/sgm/Line.stp",
	"pairs/sldprt_step_ps2/Screen Lens Frame REF2008.SLDPRT",
}

// strikes are the changes that an input makes to a file. Each has five bytes: the kind, the position as a share of the
// file, and the amount.
const strikeSize, mostStrikes = 5, 12

// strike damages data without regard to its meaning; the result is at most as large.
func strike(data, strikes []byte) []byte {
	data = slices.Clone(data)
	for range mostStrikes {
		if len(strikes) < strikeSize || len(data) == 0 {
			break
		}
		kind, amount := strikes[0], int(strikes[4])
		share := uint64(strikes[1])<<16 | uint64(binary.BigEndian.Uint16(strikes[2:]))
		at := int(share * uint64(len(data)) >> 24)
		run := data[at:min(len(data), at+8*amount+1)]
		switch kind % 7 {
		case 0:
			data[at] ^= 1 << (amount & 7)
		case 1:
			data[at] = byte(amount)
		case 2:
			data = data[:at]
		case 3: // a piece of elsewhere
			copy(run, data[int(bits.Reverse8(byte(amount)))*len(data)/256:])
		case 4:
			data = slices.Delete(data, at, at+len(run))
		case 5:
			clear(run)
		case 6:
			slices.Reverse(run)
		}
		strikes = strikes[strikeSize:]
	}
	return data
}

// FuzzSandbox damages real files of every format and runs the stages of an analysis on them as the service does: they
// end within limits, read or with a code and a sentence, and never with the kernel.
func FuzzSandbox(f *testing.F) {
	const limit, memory = time.Minute, 1024 // MB
	dir := corpus.Dir(f)
	files := make([][]byte, len(struck))
	for i, name := range struck {
		if filepath.Dir(name) != "testdata" {
			name = filepath.Join(dir, name)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		files[i] = data
	}
	for i := range struck {
		f.Add(byte(i), []byte{2, 200, 0, 0, 0})
		if i < 6 { // the others are formats that were before
			f.Add(byte(i), []byte{0, 128, 7, 0, 3, 1, 60, 1, 9, 255})
			f.Add(byte(i), []byte{3, 90, 0, 0, 100, 4, 180, 0, 0, 9})
		}
	}
	// what took seconds or gigabytes, ended the process, or came to words that no client understands
	for _, found := range []struct {
		which   byte
		strikes string
	}{
		{1, "\x01R\xf0\x848\x01\xed\x9d.6\x01\x81o\x181"},
		{2, "\x01b\xeb\x184"},
		{2, "\x01\xea[m0\x01`\xb9\x929\x01\xebu91"},
		{2, "\x01]\x92\x1c0\x01\xaf\xa5\xdd4\x01\xeb\xb4\x1e6"},
		{2, "1<A00"},
		{2, "0000000C00"},
	} {
		f.Add(found.which, []byte(found.strikes))
	}
	limits := stagechild.Limits{Timeout: limit, Memory: memory}
	sandbox, err := stagechild.Sandbox(f.TempDir(), limits, stagechild.Device{Device: compute.CPU})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, which byte, strikes []byte) {
		i := int(which) % len(struck)
		got := try(t.Context(), sandbox, filepath.Base(struck[i]), strike(files[i], strikes))
		if got.err != nil {
			if class, why := judgeError(got.err); class.IsFault() {
				t.Errorf("%s, struck by %v: %s: %s", struck[i], strikes, class, why)
			}
			return
		}
		for _, w := range sentences(got.part.Warnings) {
			if insides.MatchString(w) {
				t.Errorf("%s, struck by %v: a warning of the kernel's own: %s", struck[i], strikes, w)
			}
		}
	})
}
