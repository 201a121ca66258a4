// Package all lists the primitives, for what is done to each of them: measuring, suites on a visited machine, tests of
// the engine.
package all

import (
	"millwright/compute/dexelize/dexelizetest"
	"millwright/compute/distance/distancetest"
	"millwright/compute/dropcutter/dropcuttertest"
	"millwright/compute/engage/engagetest"
	"millwright/compute/evalsurface/evalsurfacetest"
	"millwright/compute/heightmap/heightmaptest"
	"millwright/compute/offsetheight/offsetheighttest"
	"millwright/compute/primitivetest"
	"millwright/compute/sweep/sweeptest"
	"millwright/compute/visibility/visibilitytest"
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
	dropcuttertest.WaysCase,
	distancetest.Case,
	distancetest.SignedCase,
	engagetest.Case,
	dexelizetest.Case,
	sweeptest.Case,
	visibilitytest.PartCase,
}
