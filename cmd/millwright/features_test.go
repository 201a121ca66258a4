package main

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"millwright.dev/millwright/cmd/millwright/analyze"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/pipeline"
)

func TestFeatureList(t *testing.T) {
	whole(t)
	out := t.TempDir()
	stdout, stderr, status := millwright(t, "analyze", "--features", "--out", out, examplePath())
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	var record analyze.Result
	data, err := os.ReadFile(filepath.Join(out, "bracket.json"))
	if err == nil {
		err = json.Unmarshal(data, &record)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(record.Features) == 0 || len(record.DatasheetSet.Sheets) != len(record.Features) ||
		len(record.DirectionZBounds) != len(record.CandidateDirections) {
		t.Errorf("%d features, %d datasheets, %d directions, %d bounds", len(record.Features),
			len(record.DatasheetSet.Sheets), len(record.CandidateDirections), len(record.DirectionZBounds))
	}
	listed := map[int]bool{}
	for line := range strings.Lines(stdout) {
		fields := strings.Fields(line) // the numbers of equal features, the tag of the first, their type
		first, tags := 0, slices.IndexFunc(fields, func(f string) bool { _, err := strconv.Atoi(f); return err != nil })
		for k := range max(tags, 0) {
			n, _ := strconv.Atoi(fields[k])
			if first = cmp.Or(first, n); n > len(record.Features) || listed[n] {
				t.Fatalf("feature %d is listed twice, or there is none:\n%s", n, stdout)
			}
			f, tag := &record.Features[n-1], record.Features[first-1].FeatureTag
			listed[n] = len(fields) > tags+2 && fields[tags] == tag && fields[tags+1] == f.FeatureType
		}
	}
	for i, f := range record.Features {
		if !listed[i+1] {
			t.Errorf("feature %d, %s %s, is not listed:\n%s", i+1, f.FeatureType, f.FeatureTag, stdout)
		}
	}
	for _, want := range []string{"diameter 9, ", "counterbore ", "colours: Hole red"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the list lacks %q:\n%s", want, stdout)
		}
	}
	if strings.Contains(stdout, "not measured") {
		t.Errorf("a feature is not measured:\n%s", stdout)
	}
	nodes := glbNodes(t, filepath.Join(out, "bracket.features.glb"))
	for _, f := range record.Features {
		if !slices.ContainsFunc(nodes, func(n glbNode) bool { return n.Extras.FeatureTag == f.FeatureTag }) {
			t.Errorf("the GLB has no node of %s %s", f.FeatureType, f.FeatureTag)
		}
	}
	holes := 0
	for _, f := range record.Features {
		for _, r := range f.RegionIdxs {
			if f.FeatureType == "Hole" {
				holes += record.Regions[r].TriangleEnd - record.Regions[r].TriangleStart
			}
		}
	}
	if got := trianglesOf(t, filepath.Join(out, "bracket.3mf"), "Hole"); got != holes || holes == 0 {
		t.Errorf("%d triangles of the 3MF have the material Hole, want the %d of all holes", got, holes)
	}
	png, err := os.ReadFile(filepath.Join(out, "bracket.features.png"))
	if err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
		t.Errorf("the picture of the features: %v", err)
	}
}

// trianglesOf counts the triangles of a 3MF file that have a material.
func trianglesOf(t *testing.T, file, material string) int {
	t.Helper()
	container, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = container.Close() }() // read only
	model, err := container.Open("3D/3dmodel.model")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Materials []struct {
			Name string `xml:"name,attr"`
		} `xml:"resources>basematerials>base"`
		Triangles []struct {
			Material int `xml:"p1,attr"`
		} `xml:"resources>object>mesh>triangles>triangle"`
	}
	if err := xml.NewDecoder(model).Decode(&d); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, triangle := range d.Triangles {
		if d.Materials[triangle.Material].Name == material {
			count++
		}
	}
	return count
}

// glbNode is a node of a GLB file, with the fields that concern features.
type glbNode struct {
	Name   string
	Extras struct{ FeatureTag string }
}

func glbNodes(t *testing.T, file string) []glbNode {
	t.Helper()
	const jsonLength, jsonStart = 12, 20 // bytes into the file
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document struct{ Nodes []glbNode }
	end := jsonStart + binary.LittleEndian.Uint32(data[jsonLength:])
	if err := json.Unmarshal(data[jsonStart:end], &document); err != nil {
		t.Fatal(err)
	}
	return document.Nodes
}

func TestWithoutFeaturesNothingIsMeasured(t *testing.T) {
	whole(t)
	stdout, _, _ := millwright(t, "analyze", "-o", "json", examplePath())
	var record analyze.Result
	if err := json.Unmarshal([]byte(stdout), &record); err != nil {
		t.Fatal(err)
	}
	if record.DatasheetSet != nil || record.EnrichmentMs != 0 {
		t.Errorf("nobody asked for datasheets %+v", record.DatasheetSet)
	}
}

func TestExplain(t *testing.T) {
	whole(t)
	stdout, _, _ := millwright(t, "analyze", "-o", "json", examplePath())
	var record analyze.Result
	if err := json.Unmarshal([]byte(stdout), &record); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(record.Features, func(f pipeline.PartFeature) bool { return f.FeatureType == "Hole" })
	hole := &record.Features[i]
	for _, name := range []string{strconv.Itoa(i + 1), hole.FeatureTag, hole.FeatureTag[:12]} {
		stdout, stderr, status := millwright(t, "analyze", "--explain", name, examplePath())
		if status != 0 || stderr != "" {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
		for _, want := range append(slices.Clone(hole.Reasons), "Hole "+hole.FeatureTag, "rule: "+hole.Rule,
			"diameter ", "  z ", "floor ", "tolerance ") {
			if !strings.Contains(stdout, want) {
				t.Errorf("%s: the answer lacks %q:\n%s", name, want, stdout)
			}
		}
	}
	if _, stderr, status := millwright(t, "analyze", "--explain", "zz", examplePath()); status != exitFailed ||
		!strings.Contains(stderr, `there is no feature "zz"`) {
		t.Errorf("unknown feature: status %d, %s", status, stderr)
	}
	_, stderr, status := millwright(t, "analyze", "--explain", "1", "-o", "json", examplePath())
	if status != exitUsage || !strings.Contains(stderr, "--explain") {
		t.Errorf("explain in JSON: status %d, %s", status, stderr)
	}
}

func TestDetailsSurviveTheDeathOfTheirWorker(t *testing.T) {
	whole(t)
	part, data := slowPart(t), t.TempDir()
	p := serve(t, data, "--workers", "0")
	c := p.client(newKey(t, data))
	doomed := start(t, "worker", "--data", data, "--lease", "2s")
	id := submit(t, c, "box.stp", part)
	await(t, c, id, "ready")
	type features struct {
		Datasheets []struct {
			FeatureID string
			Datasheet *feature.Datasheet
		}
		NotFound []string
	}
	path := "/v1/parts/" + id + "/features"
	found := get[features](t, c, path).Datasheets
	var wanted []string
	for _, f := range found[:3] {
		wanted = append(wanted, f.FeatureID)
	}
	var queued struct{ JobID string }
	ask := map[string]any{"featureIds": wanted}
	if _, err := c.call(t.Context(), http.MethodPatch, path, ask, &queued); err != nil {
		t.Fatal(err)
	}
	awaitRunning(t, c, id)
	doomed.kill()
	start(t, "worker", "--data", data, "--lease", "2s")
	if err := c.waitJob(t.Context(), queued.JobID); err != nil {
		t.Fatal(err)
	}
	for i, f := range get[features](t, c, path).Datasheets {
		if want := i < 3; (f.Datasheet != nil) != want || f.FeatureID != found[i].FeatureID {
			t.Errorf("feature %d is %s with datasheet %v, want %s and %v", i, f.FeatureID, f.Datasheet != nil,
				found[i].FeatureID, want)
		}
	}
}
