// Package registry lists all primitives for code that applies to each: measurements, suites on a machine under test,
// and tests of the engine.
package registry

import (
	"millwright.dev/millwright/compute/dexelize/dexelizetest"
	"millwright.dev/millwright/compute/distance/distancetest"
	"millwright.dev/millwright/compute/dropcutter/dropcuttertest"
	"millwright.dev/millwright/compute/engage/engagetest"
	"millwright.dev/millwright/compute/evalsurface/evalsurfacetest"
	"millwright.dev/millwright/compute/heightmap/heightmaptest"
	"millwright.dev/millwright/compute/offsetheight/offsetheighttest"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/sweep/sweeptest"
	"millwright.dev/millwright/compute/visibility/visibilitytest"
)

// Primitives are all there are, in the order in which they are measured.
var Primitives = []primitivetest.Entry{
	evalsurfacetest.Case,
	evalsurfacetest.PointsCase,
	visibilitytest.Case,
	heightmaptest.Case,
	offsetheighttest.Case,
	dropcuttertest.Case,
	dropcuttertest.PlacesCase,
	dropcuttertest.PathsCase,
	distancetest.Case,
	distancetest.SignedCase,
	engagetest.Case,
	dexelizetest.Case,
	sweeptest.Case,
	visibilitytest.PartCase,
}
