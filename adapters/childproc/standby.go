package childproc

import (
	"sync"
)

// standby is the workspace of the next run with its child, started early: a process needs about 20 ms until it reads
// its request, more if it opens a graphics device. There is at most one, which waits for its request and has read no
// file. The child may access only its own workspace, so the two are created together.
type standby struct {
	mu       sync.Mutex
	isWanted bool       // between Warm and Close
	space    *Workspace // nil: no standby
	starting sync.WaitGroup
}

// Warm has a child started ahead of each run from now on, until Close.
func (s *Sandbox) Warm() {
	s.standby.mu.Lock()
	s.standby.isWanted = true
	s.standby.mu.Unlock()
	s.refill()
}

// Close ends the standby child. Current runs continue, and later runs start their children themselves.
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

// prepare creates a workspace with its child. It returns nil on failure; the next run meets and reports the error.
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

// take returns the standby workspace, or nil if there is no standby.
func (s *standby) take() *Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.space
	s.space = nil
	return w
}

// begin sends a request to the standby child of the workspace. It starts a new child if there is no standby, it has
// died, or it lacks rights to files linked since.
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
	_ = p.send(req) // if the child has died, its exit status shows the cause
	return p, nil
}
