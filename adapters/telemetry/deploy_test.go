package telemetry

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// TestDeployNamesMetricsThatExist reads the names of metrics in alerts, dashboards and scaling rules.
func TestDeployNamesMetricsThatExist(t *testing.T) {
	descs := make(chan *prometheus.Desc)
	go func() {
		newMetrics(t, &shelf{}).registry.Describe(descs)
		close(descs)
	}()
	var known strings.Builder
	for d := range descs {
		known.WriteString(d.String())
	}
	var found int
	name := regexp.MustCompile(`millwright_[a-z_]+`)
	part := regexp.MustCompile(`_(bucket|sum|count)$`)
	files := os.DirFS("../../deploy")
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		for _, n := range name.FindAllString(string(text), -1) {
			found++
			if has := strings.Contains(known.String(), `"`+part.ReplaceAllString(n, "")+`"`); !has {
				t.Errorf("deploy/%s names the metric %s, which does not exist", path, n)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 20 {
		t.Errorf("%d names of metrics in deploy/, want those of alerts and dashboard", found)
	}
}
