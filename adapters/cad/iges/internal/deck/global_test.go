package deck

import (
	"fmt"
	"strings"
	"testing"

	"millwright/adapters/cad/iges/internal/igestest"
)

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		flag, name string
		want       float64
		assumed    bool
	}{
		{"1", "2HIN", 25.4, false},
		{"2", "2HMM", 1, false},
		{"2", "2HIN", 1, false},
		{"4", "", 304.8, false},
		{"5", "2HMI", 1609344, false},
		{"6", "1HM", 1000, false},
		{"7", "2HKM", 1e6, false},
		{"8", "3HMIL", 0.0254, false},
		{"9", "2HUM", 0.001, false},
		{"10", "2HCM", 10, false},
		{"11", "3HUIN", 25.4e-6, false},
		{"3", "2HCM", 10, false},
		{"3", "4HINCH", 25.4, false},
		{"3", "2Hmm", 1, false},
		{"3", "10Hmillimeter", 1, false},
		{"3", "8HCUBIT   ", 1, true},
		{"3", "", 1, true},
		{"", "2HMM", 1, false},
		{"", "", 25.4, false},
		{"99", "2HFT", 304.8, false},
		{"-1", "", 1, true},
	} {
		d := &igestest.Deck{Global: strings.Replace(igestest.Global, "2,2HMM", c.flag+","+c.name, 1)}
		d.Add(116, 0, "1.,2.,3.")
		g := parse(t, d.Fixed()).Global
		if g.UnitMM != c.want || g.IsUnitAssumed != c.assumed || g.MM() != c.want {
			t.Errorf("flag %q name %q: %v mm, assumed %v; want %v, %v", c.flag, c.name, g.UnitMM, g.IsUnitAssumed,
				c.want, c.assumed)
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

// TestOwnDelimiters reads whole files whose values are set apart by other characters.
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
