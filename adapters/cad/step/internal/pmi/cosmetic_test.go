package pmi_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestDrawnThreads states diameters of threads that are drawn into a plate, 20 mm thick, with a hole of 10 mm through
// its middle: three quarters of a circle about the point and along the z axis, and a line.
func TestDrawnThreads(t *testing.T) {
	data, err := os.ReadFile("../../testdata/through_hole.step")
	if err != nil {
		t.Fatal(err)
	}
	read := func(x, z, radius, stated float64, callout string) gdt.Dimension {
		added := fmt.Sprintf(`#90001=PRODUCT_DEFINITION_SHAPE('','',$);
#90002=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#90010=CARTESIAN_POINT('',(%f,20.,%f));
#90011=DIRECTION('',(0.,0.,1.));
#90012=DIRECTION('',(1.,0.,0.));
#90013=AXIS2_PLACEMENT_3D('',#90010,#90011,#90012);
#90014=CIRCLE('',#90013,%f);
#90015=TRIMMED_CURVE('',#90014,(PARAMETER_VALUE(0.)),(PARAMETER_VALUE(4.7)),.T.,.PARAMETER.);
#90016=VECTOR('',#90011,1.);
#90017=LINE('',#90010,#90016);
#90018=TRIMMED_CURVE('',#90017,(PARAMETER_VALUE(0.)),(PARAMETER_VALUE(15.)),.T.,.PARAMETER.);
#90019=GEOMETRIC_CURVE_SET('',(#90015,#90018));
#90020=CONSTRUCTIVE_GEOMETRY_REPRESENTATION('',(#90019),#429);
#90021=SHAPE_ASPECT('','',#90001,.T.);
#90022=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#90021,#90020,#90019);
#90023=DIMENSIONAL_SIZE(#90021,'diameter');
#90024=(LENGTH_MEASURE_WITH_UNIT()MEASURE_REPRESENTATION_ITEM()MEASURE_WITH_UNIT(LENGTH_MEASURE(%f),#90002)`+
			`REPRESENTATION_ITEM('nominal value'));
#90025=SHAPE_DIMENSION_REPRESENTATION('',(#90024),#429);
#90026=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#90023,#90025);
#90030=DRAUGHTING_CALLOUT('',());
#90031=DRAUGHTING_MODEL_ITEM_ASSOCIATION('','',#90023,$,#90030);
#90032=CHARACTERIZED_ITEM_WITHIN_REPRESENTATION('','',#90030,$);
#90033=DESCRIPTIVE_REPRESENTATION_ITEM('equivalent unicode string','%s');
#90034=PROPERTY_DEFINITION('pmi validation property','',#90032);
#90035=REPRESENTATION('',(#90033),#429);
#90036=PROPERTY_DEFINITION_REPRESENTATION(#90034,#90035);
ENDSEC;
END-ISO`, x, z, radius, stated, callout)
		m := readText(t, strings.Replace(string(data), "ENDSEC;\nEND-ISO", added, 1))
		if len(m.PMI.Dimensions) != 1 {
			t.Fatalf("%d dimensions, want one", len(m.PMI.Dimensions))
		}
		d := m.PMI.Dimensions[0]
		for _, f := range d.Faces {
			if m.Faces[f].Surface.Kind() != surface.KindCylinder {
				t.Errorf("face %d, a %v, is stated to be threaded", f, m.Faces[f].Surface.Kind())
			}
		}
		return d
	}
	coarse := &gdt.Thread{Series: "M", Diameter: 12, Pitch: 1.75, Starts: 1, Depth: 15, Places: 1}
	fine := &gdt.Thread{Series: "M", Diameter: 12, Pitch: 1.25, Starts: 1, Class: "6H", Depth: 15, Places: 4}
	deep := &gdt.Thread{Series: "M", Diameter: 12, Pitch: 1.25, Starts: 1, Depth: 9, Places: 1}
	for _, row := range []struct {
		name              string
		x, z, radius, dia float64
		callout           string
		want              *gdt.Thread
		onHole            bool
	}{
		{"a diameter", 30, 20, 6, 12, `DIM\\w12.`, coarse, true},
		{"from the other side", 30, 0, 6, 12, "", coarse, true},
		{"called in full", 30, 20, 6, 12, `DIM\\w4X M12x1.25-6H`, fine, true},
		{"called with its depth", 30, 20, 6, 12, `DIM\\wM12x1.25 DEPTH 9`, deep, true},
		{"no diameter of a thread", 30, 20, 6, 11.7, "", nil, true},
		{"beside the hole", 31, 20, 6, 12, "", nil, false},
		{"above it", 30, 22, 6, 12, "", nil, false},
		{"too wide", 30, 20, 9, 18, "", nil, false},
	} {
		d := read(row.x, row.z, row.radius, row.dia, row.callout)
		if (len(d.Faces) > 0) != row.onHole {
			t.Errorf("%s: faces %v, want some: %v", row.name, d.Faces, row.onHole)
		}
		if (d.Thread == nil) != (row.want == nil) || d.Thread != nil && *d.Thread != *row.want {
			t.Errorf("%s: thread %+v, want %+v", row.name, d.Thread, row.want)
		}
	}
}
