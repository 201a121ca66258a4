package planning

// Devices other than vises: chucks, and fixtures that are made for the part.

import (
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

// DeviceKind is the kind of device of a clamping.
type DeviceKind string

// The kinds of devices.
const (
	DeviceVise   DeviceKind = "vise"   // with flat or formed jaws
	DeviceBed    DeviceKind = "bed"    // flat, with vacuum or tape
	DeviceChuck  DeviceKind = "chuck"  // with three jaws
	DevicePlates DeviceKind = "plates" // two plates on a base, drawn together by bolts beside the part
	DeviceBase   DeviceKind = "base"   // a base plate with seats, stops, and screws or straps
)

// device is the model of a device other than a vise and a bed.
type device interface {
	// use returns the use of the device at its largest force by a load over the middle of its grip; it holds up to 1.
	use(l workholding.Load) float64
	// least returns the least force that holds a load, N.
	least(l workholding.Load) float64
	// figures adds the sizes of the device, and the uses of a load at a force (N).
	figures(out *Hold, force float64, l workholding.Load)
}

// boxAcross returns a box given by its ranges along the side, and along the axes across it.
func boxAcross(s side, height, first, second geom.Interval) (b geom.Box) {
	x, y := s.across()
	put(&b, s.axis(), s.flip(height))
	put(&b, x, first)
	put(&b, y, second)
	return b
}

// deviceKind returns the device of a clamping.
func (h *clamping) deviceKind() DeviceKind {
	switch {
	case h.isBed:
		return DeviceBed
	case h.device == "" && h.kind == machining.WorkholdingVise:
		return DeviceVise
	}
	return h.device
}
