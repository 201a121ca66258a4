package fusion

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
)

// export is a library as Fusion writes it, including fields that are not read: a face mill of a metric shop, an inch
// end mill in the same file, a tap, a holder, a probe, a turning tool, and a mill in centimeters from another program.
const export = `{
  "data": [
    {
      "BMC": "carbide", "GRADE": "Mill Generic", "description": "Ø50 Face Mill 90°", "guid": "00000000-0000-4000-8000-000000000001",
      "type": "face mill", "unit": "millimeters", "vendor": "", "product-id": "FM-50", "product-link": "",
      "geometry": {"CSP": false, "DC": 50, "HAND": true, "LB": 40, "LCF": 8, "NOF": 5, "NT": 1, "OAL": 63, "SFDM": 22,
        "RE": 0.8, "TA": 0, "shoulder-length": 40},
      "expressions": {"tool_diameter": "50 mm", "tool_fluteLength": "4 mm * 2"},
      "post-process": {"break-control": false, "coolant": "flood", "diameter-offset": 50, "length-offset": 50, "live": true,
        "manual-tool-change": false, "number": 50, "turret": 0},
      "start-values": {"presets": [
        {"description": "", "f_n": 0.6, "f_z": 0.12, "guid": "x", "material": {"category": "metal", "query": "stainless",
          "use-hardness": false}, "n": 1146, "name": "Stainless roughing", "ramp-angle": 2, "tool-coolant": "flood",
          "use-stepdown": true, "stepdown": 1.5, "use-stepover": true, "stepover": 35, "v_c": 180.01, "v_f": 687.6},
        {"f_z": 0.2, "name": "any", "n": 3000, "material": {"category": "all", "query": ""}}
      ]}
    },
    {
      "description": "1/4\" 3FL", "guid": "{00000000-0000-4000-8000-000000000002}", "type": "flat end mill", "unit": "inches",
      "geometry": {"DC": 0.25, "LB": 1.0, "LCF": 0.75, "NOF": 3, "OAL": 2.5, "SFDM": 0.25, "CSP": false},
      "holder": {"description": "ER20 nut", "type": "holder", "unit": "millimeters", "gaugeLength": 70,
        "segments": [{"height": 12, "lower-diameter": 34, "upper-diameter": 34}, {"height": 58, "lower-diameter": 34,
          "upper-diameter": 44.5}]},
      "post-process": {"number": 2},
      "start-values": {"presets": [{"name": "6061 aluminum", "v_c": 1000, "f_z": 0.002, "use-stepdown": false}]}
    },
    {
      "description": "M8x1.25", "type": "tap right hand", "unit": "millimeters",
      "geometry": {"DC": 8, "LB": 60, "LCF": 20, "NOF": 4, "OAL": 90, "SFDM": 8, "TP": 1.25, "thread-profile-angle": 60},
      "expressions": {"tool_unit": "'millimeters'"}, "post-process": {"number": 8}
    },
    {"type": "holder", "unit": "millimeters", "description": "BT30 ER20", "gaugeLength": 70, "segments": []},
    {"type": "probe", "unit": "millimeters", "description": "OMP40", "geometry": {"DC": 6}},
    {"type": "turning general", "unit": "inches", "description": "CNMG 432", "geometry": {"RE": 0.0312}},
    {"type": "drill", "unit": "centimeters", "description": "Bohrer", "geometry": {"DC": 0.85, "SIG": 118, "NOF": 2}},
    {"type": "drill", "unit": "microns", "description": "tiny", "geometry": {"DC": 300, "SIG": 118, "NOF": 2}}
  ],
  "version": 36
}`

func TestExport(t *testing.T) {
	file, err := Read([]byte(export))
	if err != nil || len(file.Tools) != 4 || file.Report.Entries != 8 {
		t.Fatalf("Read: %d tools of %d entries, %v", len(file.Tools), file.Report.Entries, err)
	}
	face, mill, tap, drill := file.Tools[0], file.Tools[1], file.Tools[2], file.Tools[3]
	if face.Kind != machining.FaceMill || face.Name != "Ø50 Face Mill 90°" || *face.Number != 50 ||
		face.Diameter != 50 ||
		face.FluteCount != 5 || len(face.Presets) != 6 {
		t.Errorf("face mill = %+v", face)
	}
	if p := face.Presets[0]; p.MaterialGroup != machining.GroupM || p.FeedPerTooth != 0.12 || p.AxialDepth != 1.5 ||
		p.RadialDepth != 35 || !near(p.SurfaceSpeed, 1146*0.05*3.141592653589793) {
		t.Errorf("its preset = %+v", p)
	}
	if !near(mill.Diameter, 6.35) || !near(mill.FluteLength, 19.05) || mill.Name != `1/4" 3FL` ||
		!near(mill.Presets[0].SurfaceSpeed, 304.8) || !near(mill.Presets[0].FeedPerTooth, 0.0508) {
		t.Errorf("inch mill = %+v", mill)
	}
	if h := mill.Holder; h == nil || h.GaugeLength != 70 || h.Cones[1].DiameterTop != 44.5 {
		t.Errorf("its metric holder = %+v", h)
	}
	if tap.Kind != machining.TapRightHand || *tap.Pitch != 1.25 || tap.Diameter != 8 {
		t.Errorf("tap = %+v", tap)
	}
	if !near(drill.Diameter, 8.5) {
		t.Errorf("drill in centimetres = %+v", drill)
	}
	for i, want := range []string{
		"entry 4 (BT30 ER20): It is a holder without a tool; holders are uploaded on their own.",
		"entry 5 (OMP40): It is a probe, which cuts nothing.",
		"entry 6 (CNMG 432): It is a turning tool; this service mills.",
		`entry 8 (tiny): Its unit "microns" is not known.`,
	} {
		if i >= len(file.Report.Skipped) {
			t.Errorf("missing: %s", want)
		} else if n := file.Report.Skipped[i]; n.Entry+": "+n.Detail != want {
			t.Errorf("skipped %s: %s; want %s", n.Entry, n.Detail, want)
		}
	}
}

// TestUnitNames: a length is never taken in a unit that was guessed from a few letters.
func TestUnitNames(t *testing.T) {
	for unit, diameter := range map[string]float64{
		"inches": 254, "Inch": 254, "IN": 254, "millimeters": 10, "mm": 10, "Millimetres": 10, "cm": 100, "'mm'": 10,
		"miles": 0, "microns": 0, "invalid": 0, "m": 0, "feet": 0,
	} {
		file, err := Read(libraryOf(tool("drill", unit, whole+`,"SIG":118`, "")))
		switch {
		case err != nil:
			t.Errorf("%s: %v", unit, err)
		case diameter == 0 &&
			(len(file.Tools) != 0 || !strings.Contains(file.Report.Skipped[0].Detail, "is not known")):
			t.Errorf("%s: %+v, want the tool left out", unit, file)
		case diameter > 0 && (len(file.Tools) != 1 || !near(file.Tools[0].Diameter, diameter)):
			t.Errorf("%s: %+v, want diameter %g", unit, file, diameter)
		}
	}
}
