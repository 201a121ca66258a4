package build

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Forms are solids in all the forms in which systems write seams and poles, by name.
func Forms() (map[string]*brep.Model, error) {
	models := map[string]*brep.Model{
		"box":           Box(geom.Vec3{X: 10, Y: 20, Z: 30}),
		"rounded prism": Prism("p", Rounded(20, 10, 3), 5, Styles()[0]),
		"thin plate":    Box(geom.Vec3{X: 1000, Y: 2, Z: 0.1}),
	}
	for i, style := range Styles() {
		models[fmt.Sprint("cylinder ", i)] = Cylinder(3, 5, style)
		models[fmt.Sprint("frustum ", i)] = Frustum(3, 1, 5, style)
		models[fmt.Sprint("cone ", i)] = Frustum(3, 0, 5, style)
		models[fmt.Sprint("tube ", i)] = Tube(2, 3, 5, style)
		models[fmt.Sprint("sphere ", i)] = Sphere(2, style)
		models[fmt.Sprint("hemispheres ", i)] = Hemispheres(2, style)
	}
	for _, name := range []string{"box", "rounded prism", "cylinder 0", "tube 1", "sphere 0"} {
		free, err := Freeform(models[name], 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		models["free-form "+name] = free
	}
	return models, nil
}
