package app_test

import (
	"testing"

	"millwright.dev/millwright/cmd/millwright/app"
	"millwright.dev/millwright/cmd/millwright/app/apptest"
	"millwright.dev/millwright/core/service/part"
)

func TestNewRefuses(t *testing.T) {
	w := apptest.New(t)
	for _, c := range []struct {
		name   string
		ports  app.Ports
		config app.Config
	}{
		{"no store", app.On(nil, w.Objects), app.Config{}},
		{"no objects", app.On(w.Store, nil), app.Config{}},
		{"negative size", app.On(w.Store, w.Objects), app.Config{Parts: part.Config{MaxUpload: -1}}},
	} {
		if _, err := app.New(c.ports, c.config); err == nil {
			t.Errorf("%s: New succeeds", c.name)
		}
	}
}
