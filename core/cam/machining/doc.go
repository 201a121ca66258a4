// Package machining holds what a part is cut with: tools with their holders and cutting data, and cut
// configs, which say on which machine, from which material, how held and how exactly.
//
// These are documents that clients write and read, so their JSON forms are fixed: lengths are mm, angles,
// unlike elsewhere in the domain, degrees, feeds mm/min, surface speeds m/min, accelerations mm/s², jerks
// mm/s³, spindle speeds revolutions per minute. Validate of each type reports everything wrong with a
// value at once, in sentences that name the JSON fields.
package machining
