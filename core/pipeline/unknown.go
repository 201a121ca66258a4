package pipeline

import (
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// unknownSurfaces returns a warning for faces of triangles with an unknown surface: the file does not state it, and
// points and normals do not determine it. Recognition treats them as freeform.
func unknownSurfaces(found *recognize.Recognition) []fault.Warning {
	faces, unknown := 0, 0
	area, lost := 0.0, 0.0
	for i := range found.Graph.Patches {
		p := &found.Graph.Patches[i]
		faces += len(p.Faces)
		area += p.Area
		of := surface.Underlying(found.Graph.Model.Faces[p.Faces[0]].Surface)
		if p.Kind == surface.KindBSpline && of.Kind() == surface.KindFacets {
			unknown += len(p.Faces)
			lost += p.Area
		}
	}
	if unknown == 0 {
		return nil
	}
	return []fault.Warning{fault.Warnf("unknown_surface", 0,
		"The surface of %d of the %d faces (%.3g %% of the area) is "+
			"known by triangles only: holes, fillets and chamfers there may be missed", unknown, faces, 100*lost/area)}
}
