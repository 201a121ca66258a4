package planning

// WorkOffset is the number (1 to 6, G54 to G59 on ISO controls) of the work offset of a setup, by its index: each has
// its own as long as there are, so that several can stay on the machine.
func WorkOffset(setup int) int {
	const offsets = 6
	return setup%offsets + 1
}
