package millwright_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
)

func open(t *testing.T) *millwright.Part {
	t.Helper()
	part, err := millwright.Open(t.Context(), file, millwright.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func TestOpenReportsFilesThatCannotBeUsed(t *testing.T) {
	if _, err := millwright.Open(t.Context(), "no-such.step", millwright.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file gives %v", err)
	}
	text := "the notes of a machinist"
	_, err := millwright.Read(t.Context(), strings.NewReader(text), int64(len(text)), "part.step", millwright.Options{})
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.UnreadableFile || !strings.HasSuffix(err.Error(), ".") {
		t.Errorf("a text gives %v", err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	part, err := millwright.Read(t.Context(), bytes.NewReader(data), int64(len(data)), "part.x_t", millwright.Options{})
	if err != nil || len(part.Model.Warnings) != 1 || part.Model.Warnings[0].Code != "format_mismatch" {
		t.Errorf("a STEP file under another name gives %v, %v", part.Model.Warnings, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := millwright.Open(ctx, file, millwright.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended gives %v", err)
	}
}

func TestPartIsWhatItsFileHolds(t *testing.T) {
	part := open(t)
	if part.Format != "step" || len(part.Model.Solids) != 1 || len(part.Model.Faces) != 74 {
		t.Errorf("it is %s with %d solids and %d faces", part.Format, len(part.Model.Solids), len(part.Model.Faces))
	}
	summary, err := part.Summary(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	features, err := part.Features(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(features) != len(summary.Features) || summary.Faces != len(part.Model.Faces) {
		t.Errorf("%d features and %d faces, the summary has %d and %d", len(features), len(part.Model.Faces),
			len(summary.Features), summary.Faces)
	}
	for i, f := range features {
		if f.Tag != summary.Features[i].FeatureTag || f.Datasheet.FeatureType != f.Type {
			t.Errorf("feature %d is %s with the sheet of a %s", i, f.Tag, f.Datasheet.FeatureType)
		}
	}
	fine, err := part.Tessellate(t.Context(), millwright.MeshOptions{Chord: 0.01})
	if err != nil || len(fine.Mesh.Triangles) <= summary.MeshTriangleCount || fine.ChordTolerance > 0.01 {
		t.Errorf("a fine mesh has %d triangles, the usual one %d (%v)",
			len(fine.Mesh.Triangles), summary.MeshTriangleCount, err)
	}
	for _, o := range []millwright.MeshOptions{{Chord: -1}, {Chord: math.NaN()}, {Angle: math.Inf(1)}} {
		if _, err := part.Tessellate(t.Context(), o); err == nil {
			t.Errorf("%+v gives a mesh", o)
		}
	}
}

func TestPlansFollowTheirOptions(t *testing.T) {
	part := open(t)
	whole, err := part.Plan(t.Context(), millwright.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	features, err := part.Features(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(features, func(f millwright.Feature) bool { return f.Hole != nil })
	hole, err := part.Plan(t.Context(), millwright.PlanOptions{FeatureTags: []string{features[i].Tag}})
	if err != nil {
		t.Fatal(err)
	}
	if len(hole.Setups) != 1 || len(whole.Setups) < 2 {
		t.Errorf("a hole takes %d setups, the part %d", len(hole.Setups), len(whole.Setups))
	}
	config := machining.BuiltInCutConfig()
	config.Stock.Allowance.X = 7
	wide, err := part.Plan(t.Context(), millwright.PlanOptions{Config: &config})
	if err != nil || wide.RawVolume() <= whole.RawVolume() {
		t.Errorf("with more allowance the stock is %g, without %g (%v)", wide.RawVolume(), whole.RawVolume(), err)
	}
	config.HourlyRateCents = -1
	if plan, err := part.Plan(t.Context(), millwright.PlanOptions{Config: &config}); err == nil {
		t.Errorf("a negative rate gives %v", plan)
	}
}

func TestGCodeIsOfProgramsThatMayRun(t *testing.T) {
	program, err := open(t).Program(t.Context(), millwright.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own, err := program.GCode("") // that of the config
	if err != nil {
		t.Fatal(err)
	}
	named, err := program.GCode("linuxcnc")
	if err != nil || len(own) != len(named) || own[0].Name != "setup1.ngc" || !bytes.Equal(own[0].Data, named[0].Data) {
		t.Errorf("the dialect of the config writes %s, linuxcnc %s (%v)", own[0].Name, named[0].Name, err)
	}
	if !bytes.Contains(own[0].Data, []byte("BRACKET")) {
		t.Errorf("the g-code does not name the part:\n%s", own[0].Data)
	}
	if one, ten := program.Estimate(1), program.Estimate(10); one.CostCents <= ten.CostCents || ten.CostCents <= 0 {
		t.Errorf("one part costs %d cents, each of ten %d", one.CostCents, ten.CostCents)
	}
	if files, err := program.GCode("mach3"); err == nil {
		t.Errorf("mach3 gets %d files", len(files))
	}
	wrong := *program
	wrong.Report = &verify.Report{Findings: []verify.Finding{{Kind: verify.Gouge, Depth: 0.5}}}
	var f *fault.Error
	if files, err := wrong.GCode(""); !errors.As(err, &f) || f.Code != fault.VerificationFailed {
		t.Errorf("a gouge gives %d files, %v", len(files), err)
	}
}
