package hexagon_test

import (
	"testing"

	"millwright.dev/millwright/cmd/millwright/hexagon"
	"millwright.dev/millwright/cmd/millwright/hexagon/hexagontest"
	"millwright.dev/millwright/core/service/part"
)

func TestNewRefuses(t *testing.T) {
	w := hexagontest.New(t)
	for _, c := range []struct {
		name   string
		ports  hexagon.Ports
		config hexagon.Config
	}{
		{"no store", hexagon.On(nil, w.Objects), hexagon.Config{}},
		{"no objects", hexagon.On(w.Store, nil), hexagon.Config{}},
		{"negative size", hexagon.On(w.Store, w.Objects), hexagon.Config{Parts: part.Config{MaxUpload: -1}}},
	} {
		if _, err := hexagon.New(c.ports, c.config); err == nil {
			t.Errorf("%s: New succeeds", c.name)
		}
	}
}
