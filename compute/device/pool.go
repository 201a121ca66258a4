package device

import "math/bits"

// pool stores freed buffers for later calls, because creating one costs a round trip through the driver. Sizes are
// rounded up to classes of a quarter of a power of two, so at most a fifth of a buffer is unused. When the limit is
// reached, the buffers freed longest ago are released first.
type pool struct {
	driver Driver
	bound  int // bytes that may lie free
	stats  *counters
	free   []held // oldest first
	bytes  int    // of free
}

// held is a buffer of the driver.
type held struct {
	handle uint32
	bytes  int // a size class
}

const smallestClass = 4 << 10 // bytes

// class returns the size of the buffer that is made for n bytes.
func class(n int) int {
	if n <= smallestClass {
		return smallestClass
	}
	step := 1 << max(0, bits.Len(uint(n-1))-3) // an eighth of the power of two above n
	return (n + step - 1) / step * step
}

// get returns a free buffer of the class of n, or a new one. When the device has no memory left, free buffers are
// released first.
func (p *pool) get(n int) (held, error) {
	size := class(n)
	for i := len(p.free) - 1; i >= 0; i-- {
		if h := p.free[i]; h.bytes == size {
			p.free = append(p.free[:i], p.free[i+1:]...)
			p.bytes -= size
			return h, nil
		}
	}
	handle, err := p.driver.NewBuffer(size)
	if reason, _ := ReasonOf(err); reason == Memory && len(p.free) > 0 {
		p.clear()
		handle, err = p.driver.NewBuffer(size)
	}
	if err != nil {
		return held{}, err
	}
	p.stats.buffers.Add(1)
	return held{handle, size}, nil
}

// put takes a buffer back.
func (p *pool) put(h held) {
	p.free = append(p.free, h)
	p.bytes += h.bytes
	drop := 0
	for ; p.bytes > p.bound; drop++ {
		p.bytes -= p.free[drop].bytes
		p.release(p.free[drop])
	}
	p.free = p.free[drop:]
}

// clear frees all that lies here.
func (p *pool) clear() {
	for _, h := range p.free {
		p.release(h)
	}
	p.free, p.bytes = nil, 0
}

func (p *pool) release(h held) {
	p.driver.FreeBuffer(h.handle)
	p.stats.buffers.Add(-1)
}
