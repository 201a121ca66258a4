// Package machining defines the means of cutting: tools with their holders and cutting data, and cut configs, which
// select machine, material, workholding and tolerances.
//
// These are documents that clients write and read, so their JSON forms are fixed. Lengths are mm, angles, unlike
// elsewhere in the domain, degrees, feeds mm/min, surface speeds m/min, accelerations mm/s², jerks mm/s³, spindle
// speeds revolutions per minute. Validate of each type reports all errors of a value at once, in sentences that name
// the JSON fields.
package machining
