package completeness

import "testing"

func TestPriceInWords(t *testing.T) {
	for want, p := range map[string]Price{
		"$0.40 a part by hand":                   {40, AtBench},
		"$43.05 a part by one setup more":        {4305, BySetup},
		"$12.00 a part by a tool that is bought": {1200, ByTool},
	} {
		if got := p.String(); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
