package geom

// Resolution is the length (mm) below which two points of a part are one point to every algorithm
// that has no better figure from the file: CAD kernels exchange with 1e-5 to 1e-7 mm.
const Resolution = 1e-6

// AngularResolution (radians) is the angle below which two unit directions are parallel: a
// deviation of Resolution over a length of one metre.
const AngularResolution = 1e-9

// Tolerance is the difference within which values of a part count as equal, usually the file's stated uncertainty.
type Tolerance struct {
	Length float64 // mm: two points closer than this coincide
	Angle  float64 // rad: two directions closer than this are parallel
}

// DefaultTolerance is used when a file states no tolerance.
var DefaultTolerance = Tolerance{Length: 1e-3, Angle: 1e-4}
