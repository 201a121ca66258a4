package device

import (
	"fmt"
	"strings"
	"time"
)

// Dispatches are divided: a long one cannot be cancelled, freezes the screen of a laptop, and is killed by the driver
// after seconds. A job is a row of work groups. Run dispatches slices of it that take about aim each, by the throughput
// of earlier slices. Two slices are pending at a time, so the device does not wait for the processor between them.
//
// The first slice of a program is one work group, and each slice may have eight times as many groups as the previous
// one. The first slice of a later job is an eighth of the size that the throughput permits, as the work per group may
// have grown. It would have to grow twentyfold before a dispatch takes 100 ms. A single work group is never divided.
const (
	aim      = 30 * time.Millisecond // of a dispatch
	growth   = 8                     // work groups of a dispatch over the one before, at most
	underWay = 2                     // dispatches at a time
)

// Shader identifies a program: a source and its leading macro definitions, "NAME" or "NAME value".
type Shader struct {
	Name    string
	Defines []string
}

// Uniform is a parameter of a job: int32, uint32, float32, or an array of 2, 3 or 4 of them.
type Uniform struct {
	Name  string
	Value any
}

// Job is a run of a program over Items invocations, or over a box of work groups.
//
// The source begins with #include "prelude.glsl", which replaces gl_WorkGroupID and gl_GlobalInvocationID, as both
// count from the start of a slice only:
//
//	uint  itemIndex()  // number of the invocation; may exceed the items: compare with itemCount()
//	uint  itemCount()  // Items
//	uint  groupIndex() // number of the work group
//	uvec3 groupID()    // its position in the box Groups
//
// Work groups must not rely on each other: not all of them run at the same time.
type Job struct {
	Shader   Shader
	Buffers  []Buffer // buffer i is at layout(std430, binding = i)
	Uniforms []Uniform
	Items    int    // invocations, rounded up to whole work groups; or
	Groups   [3]int // work groups, x running fastest
	// Weight is the work of one group, in any unit that is constant for a shader, such as the triangles per invocation;
	// 0 = 1. With it a throughput measured on small inputs applies to large ones.
	Weight float64
}

// program is a compiled shader with its throughput.
type program struct {
	Program
	source string
	speed  throughput
}

// program compiles a shader, or returns it from the cache.
func (d *Device) program(sh Shader) (*program, error) {
	key := sh.Name + "\x00" + strings.Join(sh.Defines, "\x00")
	if p, ok := d.programs[key]; ok {
		return p, nil
	}
	source, err := d.opts.Source(sh.Name, sh.Defines)
	if err != nil {
		return nil, Errorf(Compile, "shader %s: %v", sh.Name, err)
	}
	compiled, err := d.driver.Compile(sh.Name, source)
	if err != nil {
		return nil, err
	}
	d.stats.programs.Add(1)
	p := &program{Program: compiled, source: source}
	d.programs[key] = p
	return p, nil
}

// Run runs a job. Later jobs and copies see its output; the job itself may still be pending when Run returns. It ends
// early, between two dispatches, with the error of the context.
func (s *Session) Run(j Job) error {
	p, err := s.device.program(j.Shader)
	if err != nil {
		return err
	}
	groups, box, err := j.size(p.Local)
	if err != nil || groups == 0 {
		return err
	}
	if err := s.prepare(p, j, box); err != nil {
		return err
	}
	weight := j.Weight
	if weight <= 0 {
		weight = 1
	}
	last := 0
	for done := 0; done < groups; done += last {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.reserve(&p.speed); err != nil {
			return err
		}
		n := p.speed.next(weight, last)
		last = min(n, groups-done, s.device.info.Limits.Groups)
		if err := s.dispatch(p, done, last, weight); err != nil {
			return err
		}
	}
	if s.device.opts.Watch != nil {
		s.device.opts.Watch(s, j)
	}
	return nil
}

// reserve waits until another dispatch may start: until all are done while the throughput is not known.
func (s *Session) reserve(p *throughput) error {
	if p.perSecond == 0 {
		return s.settle(0)
	}
	return s.settle(underWay - 1)
}

// size returns the number of work groups and the dimensions of their box.
func (j *Job) size(local int) (groups int, box [3]uint32, err error) {
	b := j.Groups
	if b == [3]int{} {
		b = [3]int{(j.Items + local - 1) / local, 1, 1}
	}
	groups = 1
	const most = 1 << 31
	for i, n := range b {
		if n < 0 || n > 0 && groups > most/n {
			return 0, box, Errorf(Limit, "shader %s: %v work groups are too many", j.Shader.Name, b)
		}
		groups *= n
		box[i] = uint32(n)
	}
	if j.Items < 0 || j.Items >= 1<<32-local {
		return 0, box, Errorf(Limit, "shader %s: %d items are too many", j.Shader.Name, j.Items)
	}
	return groups, box, nil
}

// prepare makes the program current with its buffers and uniforms.
func (s *Session) prepare(p *program, j Job, box [3]uint32) error {
	driver := s.device.driver
	if n := s.device.info.Limits.StorageBindings; len(j.Buffers) > n {
		return Errorf(Limit, "shader %s wants %d buffers, this device has %d", j.Shader.Name, len(j.Buffers), n)
	}
	if err := driver.Use(p.Handle); err != nil {
		return err
	}
	for i, b := range j.Buffers {
		if err := driver.Bind(i, b.handle, max(b.bytes, 4)); err != nil {
			return err
		}
	}
	all := append([]Uniform{{"mwItems", uint32(j.Items)}, {"mwGroups", box}}, j.Uniforms...)
	for _, u := range all {
		if !strings.Contains(p.source, u.Name) {
			return fmt.Errorf("shader %s has no uniform %s", j.Shader.Name, u.Name)
		}
		if err := driver.Uniform(p.Handle, u.Name, u.Value); err != nil {
			return err
		}
	}
	return nil
}

// dispatch starts n work groups from number first on.
func (s *Session) dispatch(p *program, first, n int, weight float64) error {
	if err := s.device.driver.Uniform(p.Handle, "mwFirst", uint32(first)); err != nil {
		return err
	}
	t, err := s.device.driver.Dispatch(n)
	if err != nil {
		return err
	}
	s.inFlight = append(s.inFlight, flight{t, weight * float64(n), &p.speed})
	return nil
}

// throughput is the work per second of a program.
type throughput struct {
	perSecond float64 // work, 0 = not known yet
}

// allowed returns the number of work groups of the given weight that take about aim.
func (p *throughput) allowed(weight float64) int {
	const most = 1 << 30
	return int(max(1, min(most, p.perSecond*aim.Seconds()/weight)))
}

// next returns the number of work groups of a job's next dispatch after one of last groups, 0 for the first one.
func (p *throughput) next(weight float64, last int) int {
	switch {
	case p.perSecond == 0:
		return 1
	case last == 0:
		return max(1, p.allowed(weight)/growth)
	}
	return min(last*growth, p.allowed(weight))
}

// learn records the duration of a dispatch with the given work. A lower rate counts at once, a higher one by halves. A
// dispatch as short as the overhead only gives a lower bound of the throughput.
func (p *throughput) learn(work float64, took time.Duration) {
	const overhead = 100 * time.Microsecond
	measured := work / max(took, time.Microsecond).Seconds()
	switch {
	case took < overhead:
		p.perSecond = max(p.perSecond, measured)
	case p.perSecond == 0 || measured < p.perSecond:
		p.perSecond = measured
	default:
		p.perSecond = (p.perSecond + measured) / 2
	}
}
