package device

// Data that several calls use stays on the device between them. The least recently used data is released when the limit
// is reached or the device has no memory for a call. All data ends with the context.

// cached is a group of buffers that stays on the device.
type cached struct {
	key     any
	value   any
	buffers []Buffer
	held    []held
	bytes   int
	user    *Session // the current session that uses it
}

// Kept returns the buffers that an earlier call stored under a key, and the value stored with them. The buffers must
// not be written to, and stay valid until the session ends.
func (s *Session) Kept(key any) (buffers []Buffer, value any, ok bool) {
	d := s.device
	for i, k := range d.cached {
		if k.key == key {
			d.cached = append(append(d.cached[:i:i], d.cached[i+1:]...), k)
			k.user = s
			d.stats.hits.Add(1)
			return k.buffers, k.value, true
		}
	}
	return nil, nil, false
}

// Keep leaves buffers of this session on the device for later calls, under a key that compares equal only for the same
// contents. Buffers larger than the limit are released when the session ends, as usual.
func (s *Session) Keep(key, value any, buffers ...Buffer) {
	k := &cached{key: key, value: value, buffers: buffers, user: s}
	rest := make([]held, 0, len(s.held))
	for _, h := range s.held {
		if !contains(buffers, h.handle) {
			rest = append(rest, h)
			continue
		}
		k.held = append(k.held, h)
		k.bytes += h.bytes
	}
	d := s.device
	if k.bytes > d.opts.KeepBytes {
		return
	}
	s.held = rest
	d.forget(s, d.opts.KeepBytes-k.bytes)
	d.cached = append(d.cached, k)
	d.stats.cached.Add(int64(k.bytes))
}

func contains(buffers []Buffer, handle uint32) bool {
	for _, b := range buffers {
		if b.handle == handle {
			return true
		}
	}
	return false
}

// forget releases kept data until at most the given number of bytes is left, the least recently used first, but no data
// that s uses. It reports whether it released any.
func (d *Device) forget(s *Session, most int) bool {
	total := 0
	for _, k := range d.cached {
		total += k.bytes
	}
	rest := d.cached[:0]
	for _, k := range d.cached {
		if total <= most || s != nil && k.user == s {
			rest = append(rest, k)
			continue
		}
		total -= k.bytes
		d.stats.cached.Add(-int64(k.bytes))
		for _, h := range k.held {
			d.pool.put(h)
		}
	}
	went := len(rest) < len(d.cached)
	clear(d.cached[len(rest):])
	d.cached = rest
	return went
}
