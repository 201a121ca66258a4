// Package inprocesstest reads records of in-process stock for tests. It shares no code with the writer.
package inprocesstest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// Head is the head of a record.
type Head struct {
	Motion        string
	X, Y, Step    float64
	Width, Height int
	Low, Unit     float64
	States        []string
}

// State is the spans of each ray, mm in the frame of the setup.
type State [][]Span

// Span is a part of a ray, from its lower to its upper end.
type Span [2]float64

// Read decodes a compressed record.
func Read(compressed []byte) (h Head, states []State, err error) {
	defer func() {
		if p := recover(); p != nil { // an index out of range
			err = fmt.Errorf("the record is damaged: %v", p)
		}
	}()
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return h, nil, err
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return h, nil, err
	}
	n := int(binary.LittleEndian.Uint32(all))
	if err := json.Unmarshal(all[4:4+n], &h); err != nil || n%2 != 0 {
		return h, nil, fmt.Errorf("head of %d bytes: %w", n, err)
	}
	words := make([]uint16, (len(all)-4-n)/2)
	if err := binary.Read(bytes.NewReader(all[4+n:]), binary.LittleEndian, words); err != nil {
		return h, nil, err
	}
	r := reader{h, words}
	rays := make(State, h.Width*h.Height)
	for range h.States {
		rays = r.state(rays)
		states = append(states, rays)
	}
	if len(r.words) != 0 {
		return h, nil, fmt.Errorf("%d words are left", len(r.words))
	}
	return h, states, nil
}

type reader struct {
	Head
	words []uint16
}

func (r *reader) take() int {
	w := r.words[0]
	r.words = r.words[1:]
	return int(w)
}

func (r *reader) long() int {
	low := r.take()
	return low + r.take()<<16
}

// state returns the rays after the next state.
func (r *reader) state(rays State) State {
	runs, changed, spans := r.long(), r.long(), r.long()
	var which []int
	at := 0
	for range runs {
		at += r.take()
		for range r.take() {
			which = append(which, at)
			at++
		}
	}
	if len(which) != changed {
		panic(fmt.Sprintf("the runs name %d rays, want %d", len(which), changed))
	}
	counts := make([]int, changed)
	for i := range counts {
		counts[i] = r.take()
		spans -= counts[i]
	}
	if spans != 0 {
		panic(fmt.Sprintf("the counts are %d spans short", spans))
	}
	lo, hi := uint16(0), uint16(0)
	now := append(State{}, rays...)
	for i, ray := range which {
		now[ray] = nil
		for range counts[i] {
			lo, hi = lo+uint16(r.take()), hi+uint16(r.take())
			now[ray] = append(now[ray], Span{r.Low + float64(lo)*r.Unit, r.Low + float64(hi)*r.Unit})
		}
	}
	return now
}
