package childproc

import (
	"encoding/json"
	"sync"
)

// spare is the child of the next run, started ahead of it: a process takes some 20 ms until it reads its request, more
// where it opens a graphics device. There is at most one, which waits for its request and has seen no file.
type spare struct {
	mu       sync.Mutex
	isWanted bool     // between Warm and Close
	child    *process // nil: none
	starting sync.WaitGroup
}

// Warm has a child started ahead of each run from now on, until Close.
func (s *Sandbox) Warm() {
	s.spare.mu.Lock()
	s.spare.isWanted = true
	s.spare.mu.Unlock()
	s.refill()
}

// Close ends the child that no run has taken. Runs go on, and later ones start their children themselves.
func (s *Sandbox) Close() error {
	s.spare.mu.Lock()
	s.spare.isWanted = false
	s.spare.mu.Unlock()
	s.spare.starting.Wait()
	if p := s.spare.take(); p != nil {
		p.end()
	}
	return nil
}

// refill starts the spare in the background if it is wanted and not there. It is called when a run has ended, so that
// the start takes no processor from it.
func (s *Sandbox) refill() {
	s.spare.mu.Lock()
	defer s.spare.mu.Unlock()
	if !s.spare.isWanted {
		return
	}
	s.spare.starting.Go(func() {
		s.spare.mu.Lock()
		defer s.spare.mu.Unlock()
		if s.spare.isWanted && s.spare.child == nil {
			s.spare.child, _ = start(s.options) // nil with an error, which the run tells that would have taken it
		}
	})
}

// take returns the spare, nil where there is none.
func (s *spare) take() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.child
	s.child = nil
	return p
}

// begin gives a request to the spare, or to a new child where there is none or it has died.
func (s *Sandbox) begin(req request) (*process, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	if p := s.spare.take(); p != nil {
		if p.isAlive() && p.send(body) == nil {
			return p, nil
		}
		p.end()
	}
	p, err := start(s.options)
	if err != nil {
		return nil, err
	}
	_ = p.send(body) // one that has died already shows in how it ended
	return p, nil
}
