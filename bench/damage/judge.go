package damage

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"millwright.dev/millwright/adapters/childproc"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
)

// Class is the result of a damaged file.
type Class string

// The classes. From Vague on they are faults.
const (
	Right         Class = "right"         // volume and bounds of the undamaged part
	RightWarned   Class = "right, warned" // the same, with a warning that the undamaged file does not give
	Warned        Class = "warned"        // different, with a warning that names the face or one of its records
	Refused       Class = "refused"       // with a sentence
	Unjudged      Class = "unjudged"      // the undamaged file gives no part
	Vague         Class = "vague"         // others, with warnings that do not name where
	Silent        Class = "silent"        // others, without a word
	Contradiction Class = "contradiction" // a success that contradicts itself
	Internal      Class = "internal"      // words of libraries, or a fault of the kernel's own
	Crash         Class = "crash"
	Hang          Class = "hang"
	Memory        Class = "memory"
)

// Classes are all of them, in the order of the report.
var Classes = []Class{
	Right, RightWarned, Warned, Refused, Unjudged, Vague, Silent, Contradiction, Internal, Crash, Hang, Memory,
}

// IsFault reports whether no file may come to it.
func (c Class) IsFault() bool { return slices.Index(Classes, c) >= slices.Index(Classes, Vague) }

// outcome is the result of the stages for a file.
type outcome struct {
	part  pipeline.Analysis
	mesh  geom.Box // of the exported mesh
	err   error
	took  time.Duration
	bytes int64
}

// try runs the stages of an analysis on a file.
func try(ctx context.Context, sandbox *childproc.Sandbox, name string, data []byte) (out outcome) {
	start := time.Now()
	defer func() { out.took = time.Since(start) }()
	space, err := sandbox.OpenFolder()
	if err != nil {
		return outcome{err: err}
	}
	defer func() { _ = space.Close() }() // temporary
	if err := space.Put(ctx, pipeline.Source, bytes.NewReader(data)); err != nil {
		return outcome{err: err}
	}
	run, err := space.Make(ctx, pipeline.Params{FileName: name}, []pipeline.Name{pipeline.Summary, pipeline.STL}, nil)
	if err != nil {
		return outcome{err: err}
	}
	out.bytes = run.PeakRSSBytes
	summary, err := space.Get(pipeline.Summary)
	if err == nil {
		err = errors.Join(json.NewDecoder(summary).Decode(&out.part), summary.Close())
	}
	mesh, getErr := space.Get(pipeline.STL)
	if err = errors.Join(err, getErr); err == nil {
		out.mesh, err = boundsOfSTL(mesh)
		err = errors.Join(err, mesh.Close())
	}
	out.err = err
	return out
}

// boundsOfSTL returns the box around the triangles of a binary file.
func boundsOfSTL(r io.Reader) (geom.Box, error) {
	data, err := io.ReadAll(r)
	box := geom.EmptyBox()
	const header, record, normal, corner = 84, 50, 12, 12 // bytes
	for at := header; at+record <= len(data); at += record {
		for k := range 3 {
			var p [3]float64
			for c := range p {
				bits := binary.LittleEndian.Uint32(data[at+normal+corner*k+4*c:])
				p[c] = float64(math.Float32frombits(bits))
			}
			box = box.Add(geom.Vec3{X: p[0], Y: p[1], Z: p[2]})
		}
	}
	return box, err
}

// insides are words that no client understands.
var insides = regexp.MustCompile(`json:|runtime error|index out of range|nil pointer|goroutine|strconv\.|` +
	`invalid character|panic|\bNaN\b|[+-]?\bInf\b|gonum|\.go:\d|\bEOF\b|millwright/|%!|0x[0-9a-f]{4}|core/|kernel_error`)

// judge compares what became of a damaged file with what the undamaged one gives.
func judge(whole, got *outcome, h *hurt) (Class, string) {
	if got.err != nil {
		class, why := judgeError(got.err)
		if class == Refused && whole.err != nil {
			class = Unjudged
		}
		return class, why
	}
	said, before := sentences(got.part.Warnings), sentences(whole.part.Warnings)
	for _, w := range said {
		if insides.MatchString(w) {
			return Internal, w
		}
	}
	if why := contradiction(got); why != "" {
		return Contradiction, why
	}
	if whole.err != nil {
		return Unjudged, "the undamaged file is refused: " + whole.err.Error()
	}
	news := slices.DeleteFunc(slices.Clone(said), func(w string) bool {
		return slices.Contains(before, w)
	})
	isSame := got.isScaled(whole, 1) || h.scale > 0 && got.isScaled(whole, h.scale)
	now, then := &got.part.Shape, &whole.part.Shape
	detail := fmt.Sprintf("volume %.6g, undamaged %.6g; bounds %.6g to %.6g, undamaged %.6g to %.6g",
		now.Volume, then.Volume, now.Bounds.Min, now.Bounds.Max, then.Bounds.Min, then.Bounds.Max)
	switch {
	case isSame && len(news) == 0:
		return Right, ""
	case isSame:
		return RightWarned, strings.Join(news, " ")
	case len(news) == 0:
		return Silent, detail
	case !names(news, h.about):
		return Vague, detail + ": " + strings.Join(news, " ")
	}
	return Warned, detail + ": " + strings.Join(news, " ")
}

func sentences(warnings []fault.Warning) (out []string) {
	for _, w := range warnings {
		out = append(out, w.Message)
	}
	return out
}

// The shares by which volumes, and bounds of the diagonal, may differ that count as equal.
const sameVolume, sameBounds = 1e-3, 1e-3

// isScaled reports whether a part has the volume of another one, and its bounds, when that grows by a factor.
func (o *outcome) isScaled(other *outcome, factor float64) bool {
	volume := math.Pow(factor, 3) * other.part.Volume
	lo, hi := other.part.Bounds.Min.Scale(factor), other.part.Bounds.Max.Scale(factor)
	off := max(o.part.Bounds.Min.Dist(lo), o.part.Bounds.Max.Dist(hi))
	return math.Abs(o.part.Volume-volume) <= sameVolume*math.Abs(volume) && off <= sameBounds*hi.Dist(lo)
}

func judgeError(err error) (Class, string) {
	var refusal *fault.Error
	if !errors.As(err, &refusal) {
		if strings.Contains(err.Error(), "the kernel process ended") {
			return Crash, err.Error()
		}
		return Internal, err.Error()
	}
	switch {
	case refusal.Code == fault.TimedOut:
		return Hang, refusal.Reason
	case refusal.Code == fault.OutOfMemory:
		return Memory, refusal.Reason
	case refusal.Code == fault.KernelError || insides.MatchString(refusal.Reason) || refusal.Reason == "":
		return Internal, refusal.Error()
	}
	return Refused, refusal.Error()
}

var numbers = regexp.MustCompile(`\d+`)

// names reports whether a warning names one of the entities that damage is about, or, where these are not known, any.
func names(warnings []string, about func() []string) bool {
	said := numbers.FindAllString(strings.Join(warnings, " "), -1)
	if about == nil {
		return len(said) > 0
	}
	known := about()
	return slices.ContainsFunc(said, func(n string) bool { return slices.Contains(known, n) })
}

// The bounds within which figures of one result agree.
const (
	volumeShare = 0.01 // of the volume; the mesher keeps 0.5 %
	areaShare   = 0.1  // of the area: a strip turned by 20° lacks 6 %
)

// contradiction says in what a success contradicts itself, "" for nothing.
func contradiction(o *outcome) string {
	p := &o.part
	lo, hi := p.Bounds.Min, p.Bounds.Max
	chord := p.MeshChordTolerance
	meshed := p.Area // without sheets, which have no triangles but count for area and bounds
	for _, r := range p.Regions {
		if r.TriangleStart == r.TriangleEnd {
			meshed -= r.Area
		}
	}
	switch {
	case !(p.Volume > 0):
		return fmt.Sprintf("the volume is %g mm³", p.Volume)
	case !p.Watertight && !slices.ContainsFunc(p.Warnings, isAboutClosure):
		return "the mesh is not watertight, and nothing says so"
	case math.Abs(p.MeshVolume-p.Volume) > max(volumeShare*p.Volume, chord*p.Area):
		return fmt.Sprintf("the volume is %g mm³, that of the mesh %g mm³", p.Volume, p.MeshVolume)
	case math.Abs(p.MeshArea-meshed) > areaShare*meshed:
		return fmt.Sprintf("the area is %g mm², that of the mesh %g mm²", meshed, p.MeshArea)
	}
	const single = 1e-6 // of a coordinate, which the exported mesh keeps as 32 bits
	room := 2*chord + single*(lo.Norm()+hi.Norm()) + 1e-3
	if d := max(lo.Sub(o.mesh.Min).Norm(), hi.Sub(o.mesh.Max).Norm()); d > 2*room && meshed == p.Area {
		return fmt.Sprintf("the bounds are %v to %v, those of the mesh %v to %v", lo, hi, o.mesh.Min, o.mesh.Max)
	}
	return ""
}

func isAboutClosure(warning fault.Warning) bool {
	return strings.Contains(warning.Message, "closed") || strings.Contains(warning.Message, " open")
}
