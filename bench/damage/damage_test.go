package damage

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

const text = `ISO-10303-21;
HEADER;FILE_NAME('#1 .T.');ENDSEC;
DATA;
#1=CARTESIAN_POINT('it''s .T. #9;',(0.,1.5,-2.E1));
#2=CARTESIAN_POINT('',(0.,0.,0.)); /* #3=( */
#3=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#4=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));
#5=CIRCLE('',#6,4.);
#6=AXIS2_PLACEMENT_3D('',#1,$,$);
#7=EDGE_CURVE('',#8,#8,#5,.T.);
#8=VERTEX_POINT('',#2);
#9=ORIENTED_EDGE('',*,*,#7,.F.);
#10=EDGE_LOOP('',(#9));
#11=FACE_BOUND('',#10,.T.);
#12=PLANE('',#6);
#13=ADVANCED_FACE('',(#11),#12,.T.);
#14=ADVANCED_FACE('',(),#12,.F.);
ENDSEC;
END-ISO-10303-21;
`

func open(name, data string) *source {
	return &source{name: name, data: []byte(data), text: parse(name, []byte(data)), found: map[string][]site{}}
}

func TestPlacesOfDamage(t *testing.T) {
	f := open("a.stp", text)
	for kind, want := range map[string][]string{
		"flag face": {".T.", ".F."}, "flag bound": {".T."}, "flag edge": {".T."}, "flag use": {".F."},
		"flag other": nil, "radius": {"4."}, "scale": {".MILLI."},
		"number": {"0.", "1.5", "-2.E1", "0.", "0.", "0.", "4."},
	} {
		var got []string
		for _, s := range f.sites(find(kind)) {
			got = append(got, string(f.data[s.start:s.end]))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", kind, got, want)
		}
	}
	if n := len(f.sites(find("record"))); n != 14 {
		t.Errorf("%d records, want 14", n)
	}
}

// TestGrammaticalDamageIsOfOneRecord holds everything outside the place that is struck.
func TestGrammaticalDamageIsOfOneRecord(t *testing.T) {
	f := open("a.stp", text)
	for _, k := range kinds[:slices.IndexFunc(kinds, func(k kind) bool { return k.name == "line" })] {
		for i, s := range f.sites(&k) {
			h := k.strike(dice(1, caseName("a", k.name, i)), f, s)
			head, tail := f.data[:s.start], f.data[s.end:]
			if !bytes.HasPrefix(h.data, head) || !bytes.HasSuffix(h.data, tail) {
				t.Errorf("%s %d: %s: more than its place has changed", k.name, i, h.what)
			}
			now := string(h.data[len(head) : len(h.data)-len(tail)])
			if was := string(f.data[s.start:s.end]); now == was && k.name != "number" && k.name != "radius" {
				t.Errorf("%s %d: %q is what it was", k.name, i, now)
			}
		}
	}
}

func TestSameNameSameDamage(t *testing.T) {
	f := open("a.stp", text)
	for i := range kinds {
		k := &kinds[i]
		sites := f.sites(k)
		if len(sites) == 0 {
			continue
		}
		strike := func(seed uint64) string {
			rng := dice(seed, caseName("a", k.name, 7))
			return string(k.strike(rng, f, sites[rng.IntN(len(sites))]).data)
		}
		if first, again := strike(1), strike(1); first != again {
			t.Errorf("%s: two files from one name", k.name)
		}
	}
	if dice(1, "a").Uint64() == dice(2, "a").Uint64() || dice(1, "a").Uint64() == dice(1, "b").Uint64() {
		t.Error("another seed or name gives the same dice")
	}
}

// TestWhatDamageIsAbout checks that a damaged point names the face that refers to it and the records of that face, but
// not the other face.
func TestWhatDamageIsAbout(t *testing.T) {
	f := open("a.stp", text)
	got := f.text.about(f.text.byID[8])
	for id, want := range map[string]bool{"8": true, "13": true, "12": true, "5": true, "14": false, "3": false} {
		if slices.Contains(got, id) != want {
			t.Errorf("a warning about #8 can name #%s: %v, want %v", id, !want, want)
		}
	}
	for id, want := range map[int64]bool{1: false, 3: true, 4: true, 5: false, 12: false, 13: false} {
		if got := f.text.isOutside(f.text.byID[id]); got != want {
			t.Errorf("#%d is outside faces and edges: %v, want %v", id, got, want)
		}
	}
}

func TestCardsKeepTheirColumns(t *testing.T) {
	f := open("a.igs", cards)
	for _, name := range []string{"number", "dangling", "reference", "flag other"} {
		k := find(name)
		sites := f.sites(k)
		if len(sites) == 0 {
			t.Errorf("no place for %s", name)
		}
		for i, s := range sites {
			if h := k.strike(dice(1, caseName("a", name, i)), f, s); len(h.data) != len(f.data) {
				t.Errorf("%s %d: %s moves what follows", name, i, h.what)
			}
		}
	}
}

// card is a line of 80 columns.
func card(data, section string) string {
	return data + strings.Repeat(" ", 80-len(data)-len(section)) + section + "\n"
}

var cards = card("     144       1", "D      1") + card("     144", "D      2") +
	card("     128       2", "D      3") + card("     128", "D      4") +
	card("144,3,1,0,3;"+strings.Repeat(" ", 52)+"       1", "P      1") +
	card("128,1.5,-2.D0,0.25;"+strings.Repeat(" ", 45)+"       3", "P      2")

func part(volume float64, messages ...string) outcome {
	var warnings []fault.Warning
	for _, m := range messages {
		warnings = append(warnings, fault.Warning{Message: m})
	}
	size := geom.Vec3{X: 10, Y: 10, Z: volume / 100}
	return outcome{
		mesh: geom.Box{Max: size},
		part: pipeline.Analysis{
			Warnings:  warnings,
			Shape:     pipeline.Shape{Volume: volume, Area: 600, Bounds: pipeline.Bounds{Max: size}},
			MeshFacts: pipeline.MeshFacts{Watertight: true, MeshVolume: volume, MeshArea: 600},
		},
	}
}

func failed(code fault.Code, reason string) outcome {
	return outcome{err: &fault.Error{Code: code, Reason: reason}}
}

func TestClasses(t *testing.T) {
	whole := part(1000, "Old.")
	seven := func() []string { return []string{"7"} }
	open := part(1000)
	open.part.Watertight = false
	larger := part(1000)
	larger.part.MeshVolume = 1100
	beside := part(1000)
	beside.part.Area += 5000
	beside.part.Regions = []pipeline.Region{{Area: 5000}, {Area: 600, TriangleEnd: 12}}
	wide := part(1000)
	wide.mesh.Max.X = 11
	centimeters := part(1e6)
	centimeters.mesh.Max = geom.Vec3{X: 100, Y: 100, Z: 100}
	centimeters.part.Bounds.Max = centimeters.mesh.Max
	elsewhere := part(1000)
	elsewhere.mesh = geom.Box{Min: geom.Vec3{X: 5}, Max: geom.Vec3{X: 15, Y: 10, Z: 10}}
	elsewhere.part.Bounds = pipeline.Bounds{Min: elsewhere.mesh.Min, Max: elsewhere.mesh.Max}
	for _, c := range []struct {
		name string
		got  outcome
		h    hurt
		want Class
	}{
		{"as before", part(1000.5, "Old."), hurt{}, Right},
		{"elsewhere", elsewhere, hurt{}, Silent},
		{"in centimetres", centimeters, hurt{scale: 10}, Right},
		{"with a word", part(1000, "New."), hurt{}, RightWarned},
		{"other, said where", part(900, "Face #7 is off."), hurt{about: seven}, Warned},
		{"other, said elsewhere", part(900, "Face #77 is off."), hurt{about: seven}, Vague},
		{"other, old warning", part(900, "Old."), hurt{}, Silent},
		{"no volume", part(-1), hurt{}, Contradiction},
		{"open", open, hurt{}, Contradiction},
		{"another mesh", larger, hurt{}, Contradiction},
		{"with a sheet beside it", beside, hurt{}, Right},
		{"a wider mesh", wide, hurt{}, Contradiction},
		{"a sentence", failed(fault.NoSolid, "There is no solid."), hurt{}, Refused},
		{"a word of a library", failed(fault.UnreadableFile, "json: unsupported value: +Inf."), hurt{}, Internal},
		{"an index", part(1000, "Runtime error: index out of range [6]."), hurt{}, Internal},
		{"the kernel's fault", failed(fault.KernelError, "It failed."), hurt{}, Internal},
		{"late", failed(fault.TimedOut, "Too late."), hurt{}, Hang},
		{"large", failed(fault.OutOfMemory, "Too large."), hurt{}, Memory},
		{"gone", outcome{err: errors.New("the kernel process ended with exit status 2")}, hurt{}, Crash},
		{"another error", outcome{err: errors.New("kernel: x")}, hurt{}, Internal},
	} {
		if got, why := judge(&whole, &c.got, &c.h); got != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, got, why, c.want)
		}
	}
	refused := failed(fault.NoSolid, "There is no solid.")
	if got, _ := judge(&refused, &whole, &hurt{}); got != Unjudged {
		t.Errorf("a part from a file that gave none: %s, want %s", got, Unjudged)
	}
	if got, _ := judge(&refused, &refused, &hurt{}); got != Unjudged {
		t.Errorf("nothing from a file that gave nothing: %s, want %s", got, Unjudged)
	}
}

func TestCaseNames(t *testing.T) {
	file, kind, i, err := parseName(caseName("a:b/c.stp", "flag face", 12))
	if file != "a:b/c.stp" || kind != "flag face" || i != 12 || err != nil {
		t.Errorf("parsed %q, %q, %d, %v", file, kind, i, err)
	}
	if _, _, _, err := parseName("c.stp"); err == nil {
		t.Error("a name without kind and number is taken")
	}
}
