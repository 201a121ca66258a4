package childproc

import (
	"sync"
)

// standby is the workspace of the next run with its child, started ahead of it: a process takes some 20 ms until it reads
// its request, more where it opens a graphics device. There is at most one, which waits for its request and has seen no
// file. The child has rights to its own workspace alone, so that the two are made together.
type standby struct {
	mu       sync.Mutex
	isWanted bool       // between Warm and Close
	space    *Workspace // nil: none
	starting sync.WaitGroup
}

// Warm has a child started ahead of each run from now on, until Close.
func (s *Sandbox) Warm() {
	s.standby.mu.Lock()
	s.standby.isWanted = true
	s.standby.mu.Unlock()
	s.refill()
}

// Close ends the child that no run has taken. Runs go on, and later ones start their children themselves.
func (s *Sandbox) Close() error {
	s.standby.mu.Lock()
	s.standby.isWanted = false
	s.standby.mu.Unlock()
	s.standby.starting.Wait()
	if w := s.standby.take(); w != nil {
		return w.Close()
	}
	return nil
}

// refill starts the spare in the background if it is wanted and not there. It is called when a run has ended, so that
// the start takes no processor from it.
func (s *Sandbox) refill() {
	s.standby.mu.Lock()
	defer s.standby.mu.Unlock()
	if !s.standby.isWanted {
		return
	}
	s.standby.starting.Go(func() {
		s.standby.mu.Lock()
		defer s.standby.mu.Unlock()
		if s.standby.isWanted && s.standby.space == nil {
			s.standby.space = s.prepare()
		}
	})
}

// prepare makes a workspace with its child. It returns nil where that fails, which the run tells that would have had it.
func (s *Sandbox) prepare() *Workspace {
	w, err := s.newFolder()
	if err != nil {
		return nil
	}
	if w.child, err = start(s.options, w.Dir, nil); err != nil {
		_ = w.Close() // there is nothing in it
		return nil
	}
	return w
}

// take returns the spare, nil where there is none.
func (s *standby) take() *Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.space
	s.space = nil
	return w
}

// begin gives a request to the child that waits in the workspace, or to a new one where there is none, it has died, or
// it has no right to what was linked since.
func (w *Workspace) begin(req request) (*process, error) {
	if p := w.child; p != nil {
		w.child = nil
		if len(w.linked) == 0 && p.isAlive() && p.send(req) == nil {
			return p, nil
		}
		p.end()
	}
	p, err := start(w.sandbox.options, w.Dir, w.linked)
	if err != nil {
		return nil, err
	}
	_ = p.send(req) // one that has died already shows in how it ended
	return p, nil
}
