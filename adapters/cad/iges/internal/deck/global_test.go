package deck

import (
	"fmt"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		flag, name string
		want       float64
		guesses    string
	}{
		{"1", "2HIN", 25.4, ""},
		{"1", "4HINCH", 25.4, ""},
		{"2", "2HMM", 1, ""},
		{"2", "6HCUBITS", 1, ""},
		{"2", "2HIN", 1, "unit_conflict: The unit flag of the file says MM and the unit name says IN; MM was taken, " +
			"because the flag counts."},
		{"4", "", 304.8, ""},
		{"5", "2HMI", 1609344, ""},
		{"6", "1HM", 1000, ""},
		{"7", "2HKM", 1e6, ""},
		{"8", "3HMIL", 0.0254, ""},
		{"9", "2HUM", 0.001, ""},
		{"10", "2HCM", 10, ""},
		{"11", "3HUIN", 25.4e-6, ""},
		{"3", "2HCM", 10, ""},
		{"3", "4HINCH", 25.4, ""},
		{"3", "2Hmm", 1, ""},
		{"3", "10Hmillimeter", 1, ""},
		{"3", "8HCUBIT   ", 1,
			`unit_assumed: The unit of length "CUBIT" of the file is not known; millimetres were taken.`},
		{"3", "", 1, "unit_assumed: The unit flag 3 of the file names no unit of length; millimetres were taken."},
		{"", "5HCUBIT", 1,
			`unit_assumed: The unit of length "CUBIT" of the file is not known; millimetres were taken.`},
		{"", "2HMM", 1,
			"unit_conflict: The unit flag of the file is missing or unknown and the unit name says MM; MM was taken."},
		{"", "2HIN", 25.4, ""},
		{"", "", 25.4, "unit_default: The file gives no unit of length; inches were taken, the default of IGES."},
		{"99", "2HFT", 304.8,
			"unit_conflict: The unit flag of the file is missing or unknown and the unit name says FT; " +
				"FT was taken."},
		{"-1", "", 1, "unit_assumed: The unit flag -1 of the file names no unit of length; millimetres were taken."},
	} {
		d := &igestest.Deck{Global: strings.Replace(igestest.Global, "2,2HMM", c.flag+","+c.name, 1)}
		d.Add(116, 0, "1.,2.,3.")
		g := parse(t, d.Fixed()).Global
		if g.UnitMM != c.want || guesses(&g) != c.guesses || g.MM() != c.want {
			t.Errorf("flag %q name %q: %v mm, guesses %q; want %v, %q", c.flag, c.name, g.UnitMM, guesses(&g),
				c.want, c.guesses)
		}
	}
}

func guesses(g *Global) string {
	var out []string
	for _, w := range g.Guesses {
		out = append(out, w.Code+": "+w.Message)
	}
	return strings.Join(out, " ")
}

// TestScale reads sizes at scales: real = model / scale.
func TestScale(t *testing.T) {
	divided := func(by string) string {
		return "model_scale: The coordinates of the file are at a scale of " + by +
			" to the real part and were divided " +
			"by it; compare the size of the part, because some programs ignore this scale."
	}
	unusable := func(scale string) string {
		return "model_scale: The model space scale " + scale +
			" of the file is not usable; its coordinates were taken as " +
			"the real size."
	}
	for _, c := range []struct {
		scale   string
		mm      float64
		guesses string
	}{
		{"", 1, ""},
		{"1.", 1, ""},
		{"0.5", 2, divided("0.5")},
		{"1.25D-1", 8, divided("0.125")},
		{"4", 0.25, divided("4")},
		{"0.", 1, unusable("0")},
		{"-1.", 1, unusable("-1")},
		{"1.E9", 1, unusable("1e+09")},
		{"1.E-300", 1, unusable("1e-300")},
	} {
		d := &igestest.Deck{Global: strings.Replace(igestest.Global, ",1.,2,2HMM", ","+c.scale+",2,2HMM", 1)}
		d.Add(116, 0, "1.,2.,3.")
		g := parse(t, d.Fixed()).Global
		if g.MM() != c.mm || guesses(&g) != c.guesses {
			t.Errorf("scale %q: %v mm, guesses %q; want %v, %q", c.scale, g.MM(), guesses(&g), c.mm, c.guesses)
		}
	}
}

func TestGlobal(t *testing.T) {
	const rest = "2Hid,6Hf1.igs,6Hmaker ,2H1.,32,38,6,308,15,2Hid,%s,2,2HMM,1,0.1,15H20260101.000000," +
		"0.5,1.E3,2Hme,2Hus,11,0,15H20260101.000000,"
	filled := fmt.Sprintf(rest, "2.")
	for _, c := range []struct{ name, text, want string }{
		{"plain", "1H,,1H;," + filled + ";", `, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"delimiters by default", ",," + filled + ";", `, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"record delimiter by default", "1H,,," + filled + ";", `, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"own delimiters", "1H/" + strings.ReplaceAll("/1H#/"+filled, ",", "/") + "#",
			`/ # "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"blanks", " 1H,, 1H; , " + filled + " ;", `, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"lower case", "1h,,1h;," + filled + ";", `, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"no record delimiter", "1H,,1H;," + strings.TrimSuffix(filled, ","),
			`, ; "id" "f1.igs" "me" 2 1 0.5 1000 11`},
		{"short", "1H,,1H;,2Hid;", `, ; "id" "" "" 1 25.4 0 0 0`},
		{"empty", "", `, ; "" "" "" 1 25.4 0 0 0`},
		{"nonsense", "what, is; this", `, ; "" "" "" 1 25.4 0 0 0`},
		{"scale zero", "1H,,1H;," + fmt.Sprintf(rest, "0.") + ";", `, ; "id" "f1.igs" "me" 1 1 0.5 1000 11`},
		{"scale negative", "1H,,1H;," + fmt.Sprintf(rest, "-1.") + ";", `, ; "id" "f1.igs" "me" 1 1 0.5 1000 11`},
	} {
		var g Global
		g.read([]byte(c.text))
		got := fmt.Sprintf("%c %c %q %q %q %v %v %v %v %d", g.ParameterDelimiter, g.RecordDelimiter, g.Product,
			g.FileName, g.Author, g.Scale, g.UnitMM, g.Resolution, g.MaxCoordinate, g.Version)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOwnDelimiters reads whole files with other delimiters between values.
func TestOwnDelimiters(t *testing.T) {
	global := strings.TrimSuffix(strings.ReplaceAll(igestest.Global, ",", "/"), ";") + "#"
	d := &igestest.Deck{Global: strings.Replace(global, "/1H;/", "/1H#/", 1)}
	d.Add(116, 0, "1./2./3.")
	d.Add(406, 15, "1/5Ha,b;c")
	for _, text := range []string{d.Fixed(), d.Compressed()} {
		f := parse(t, text)
		p, q := f.Params(&f.Entities[0]), f.Params(&f.Entities[1])
		p.Skip(2)
		q.Skip(1)
		if z, name := p.Real(), q.Text(); z != 3 || name != "a,b;c" || f.Global.UnitMM != 1 {
			t.Errorf("z = %v, name %q, global %+v in\n%s", z, name, f.Global, text)
		}
	}
}
