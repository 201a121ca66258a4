package sew

// turnLoops turns the loops that run the wrong way round their face: writers of trimmed surfaces care
// little, but neighbours are told to agree by the directions in which loops walk their edges. What is the
// inside of a face follows from all its loops together (package trim). Faces that bound no region stay.
func (s *sewer) turnLoops() {
	for _, f := range s.faces {
		for _, l := range s.domain(f).turned {
			s.turnLoop(l)
			s.report.TurnedLoops++
		}
	}
}
