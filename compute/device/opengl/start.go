//go:build gpu

package opengl

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"

	"millwright.dev/millwright/compute/device"
)

// table guards go-gl's function pointers, which all contexts of the process share: window contexts and EGL contexts are
// never open at the same time. The pointers are loaded again after the last context closes, because the library of a
// window is unloaded with it.
var table struct {
	sync.Mutex
	source string // of the functions
	live   int    // contexts
}

// enter loads the functions for a context of an opener kind.
func enter(source string, proc func(string) unsafe.Pointer) error {
	table.Lock()
	defer table.Unlock()
	if table.live > 0 && table.source != source {
		return device.Errorf(device.Context, "another device is open by %s", table.source)
	}
	if table.live == 0 {
		if err := gl.InitWithProcAddrFunc(proc); err != nil {
			return device.Errorf(device.Context, "functions of OpenGL: %v", err)
		}
		table.source = source
	}
	table.live++
	return nil
}

func leave() {
	table.Lock()
	defer table.Unlock()
	table.live--
}

// start makes the driver of the context that is current on this thread; end destroys the context.
func start(opener string, proc func(string) unsafe.Pointer, end func()) (device.Driver, error) {
	source, _, _ := strings.Cut(opener, " ")
	if err := enter(source, proc); err != nil {
		end()
		return nil, err
	}
	d := &driver{end: func() { end(); leave() }, names: map[string]int32{}}
	if err := d.probe(opener); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// stageAlways has software renderers read through staging memory too; only tests set it.
var stageAlways = false

// probe queries the properties of the context. A call on a thread without a context returns nothing and no error, so
// the version is checked first.
func (d *driver) probe(opener string) error {
	version := gl.GetString(gl.VERSION)
	if version == nil {
		return device.Errorf(device.Context, "%s: the context does not answer", opener)
	}
	d.info = device.Info{
		Vendor:     gl.GoStr(gl.GetString(gl.VENDOR)),
		Renderer:   gl.GoStr(gl.GetString(gl.RENDERER)),
		Version:    gl.GoStr(version),
		Opener:     opener,
		Extensions: map[string]bool{},
	}
	major, minor := integer(gl.MAJOR_VERSION), integer(gl.MINOR_VERSION)
	if major*10+minor < 43 {
		return device.Errorf(device.Context, "%s gives OpenGL %d.%d, 4.3 is needed", d.info.Renderer, major, minor)
	}
	d.info.Software = isSoftware(d.info.Renderer)
	for i := range integer(gl.NUM_EXTENSIONS) {
		d.info.Extensions[gl.GoStr(gl.GetStringi(gl.EXTENSIONS, uint32(i)))] = true
	}
	var bits int32
	gl.GetQueryiv(gl.TIMESTAMP, gl.QUERY_COUNTER_BITS, &bits)
	// Software renderers stamp when a dispatch is queued, not when it runs.
	d.info.Timestamps = bits > 0 && !d.info.Software
	var strategy int32
	if d.info.Extensions["GL_ARB_robustness"] {
		gl.GetIntegerv(gl.RESET_NOTIFICATION_STRATEGY_ARB, &strategy)
	}
	d.info.Robust = strategy == gl.LOSE_CONTEXT_ON_RESET_ARB
	d.info.Limits = limits()
	// The memory of a software renderer is the processor's, so no separate memory is used.
	if (!d.info.Software || stageAlways) && (major*10+minor >= 44 || d.info.Extensions["GL_ARB_buffer_storage"]) {
		d.staging = newStaging()
	}
	return d.Check()
}

// isSoftware reports whether a renderer runs on the processor.
func isSoftware(renderer string) bool {
	r := strings.ToLower(renderer)
	for _, name := range []string{"llvmpipe", "softpipe", "swrast", "software rasterizer", "swiftshader"} {
		if strings.Contains(r, name) {
			return true
		}
	}
	return false
}

func limits() device.Limits {
	const mostStorage = 1 << 30 // bytes: chunks above it gain nothing and take the memory of others
	var storage int64
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &storage)
	var groups int32
	gl.GetIntegeri_v(gl.MAX_COMPUTE_WORK_GROUP_COUNT, 0, &groups)
	return device.Limits{
		StorageBytes:    int(min(storage, mostStorage)),
		StorageBindings: integer(gl.MAX_COMPUTE_SHADER_STORAGE_BLOCKS),
		Invocations:     integer(gl.MAX_COMPUTE_WORK_GROUP_INVOCATIONS),
		SharedBytes:     integer(gl.MAX_COMPUTE_SHARED_MEMORY_SIZE),
		Groups:          int(groups),
	}
}

func integer(name uint32) int {
	var v int32
	gl.GetIntegerv(name, &v)
	return int(v)
}
