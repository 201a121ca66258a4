package inflate_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/inflate"
)

// packed is content as a writer of that level packs it.
func packed(t testing.TB, content []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// contents are samples of each kind that deflate encodes differently.
func contents() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	noise, skew, far := make([]byte, 70_000), make([]byte, 200_000), make([]byte, 0, 150_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for i := range skew { // codes of all lengths
		skew[i] = byte(rng.ExpFloat64() * 7)
	}
	for len(far) < 120_000 { // repeated at a distance of nearly a window
		far = append(far, noise[:30_000]...)
	}
	return map[string][]byte{
		"nothing": {}, "a byte": {7}, "noise": noise, "skew": skew, "far": far, "zeros": make([]byte, 100_000),
		"pairs": bytes.Repeat([]byte("ab"), 5000),
		"text":  []byte(strings.Repeat("a line of text, and another one\n", 900)),
	}
}

// Streams of every level unpack to the original, into a buffer of exactly the needed size.
func TestDeflatedOfEveryLevel(t *testing.T) {
	for name, content := range contents() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, flate.BestSpeed, 6, flate.BestCompression} {
			t.Run(fmt.Sprintf("%s/%d", name, level), func(t *testing.T) {
				data := packed(t, content, level)
				got, err := inflate.NewBudget(1<<20).Deflated(data, int64(len(content)))
				if err != nil || !bytes.Equal(got, content) {
					t.Fatalf("%d bytes, want %d: %v", len(got), len(content), err)
				}
				for _, size := range []int{max(len(content)-1, 1), len(content) + 1} {
					if size == len(content) {
						continue
					}
					if _, err := inflate.NewBudget(1<<20).Deflated(data, int64(size)); err == nil {
						t.Errorf("unpacks to %d bytes too", size)
					}
				}
				if got, err := inflate.NewBudget(1<<20).Deflated(data[:len(data)-1], int64(len(content))); err == nil {
					t.Errorf("unpacks to %d bytes when cut off", len(got))
				}
			})
		}
	}
}

// FuzzDeflated compares the result for any bytes with the decoder of the standard library.
func FuzzDeflated(f *testing.F) {
	for _, content := range contents() {
		f.Add(packed(f, content[:min(len(content), 300)], 6))
	}
	f.Add([]byte{})
	f.Add([]byte{0x03, 0x00})
	f.Add([]byte{0x01, 0x03, 0x00, 0xfc, 0xff, 'a', 'b', 'c'})
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 16
		want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), most+1))
		if len(want) > most {
			return
		}
		got, err := inflate.NewBudget(most).Deflated(data, int64(len(want)))
		tooSmall := len(want) > len(data)*inflate.BestRatio
		if (err == nil) != (wantErr == nil) && !tooSmall || err == nil && !bytes.Equal(got, want) {
			t.Errorf("%d bytes, %v; want %d bytes, %v", len(got), err, len(want), wantErr)
		}
	})
}

func BenchmarkDeflated(b *testing.B) {
	for name, content := range contents() {
		b.Run(name, func(b *testing.B) {
			data := packed(b, content, 6)
			b.SetBytes(int64(len(content)))
			for b.Loop() {
				if _, err := inflate.NewBudget(1<<20).Deflated(data, int64(len(content))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
