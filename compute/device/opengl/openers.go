//go:build gpu

package opengl

// #cgo LDFLAGS: -Wl,--as-needed -ldl
// #include <stdlib.h>
// #include "egl.h"
import "C"

import (
	"fmt"
	"sync"
	"unsafe"

	"millwright.dev/millwright/compute/device"
)

// library is the file name of the EGL library; tests set another name.
var library = "libEGL.so.1"

// loading guards the C shim's table of functions.
var loading sync.Mutex

// Openers returns the openers of devices on this machine in order of preference: hardware devices of EGL, a hidden
// window if it is built in and there is a display, software devices of EGL, and Mesa's surfaceless platform, which
// makes its own choice.
func Openers() []device.Opener {
	if err := load(); err != nil {
		return append(windows(), device.Opener{
			Name: "egl", Open: func() (device.Driver, error) { return nil, err },
		})
	}
	const most = 32
	var handles [most]unsafe.Pointer
	var software [most]C.int
	n := int(C.mw_devices(&handles[0], &software[0], most))
	var hard, soft []device.Opener
	for i := range n {
		o := egl(fmt.Sprintf("egl device %d", i), handles[i])
		if software[i] != 0 {
			soft = append(soft, o)
		} else {
			hard = append(hard, o)
		}
	}
	all := append(hard, windows()...)
	return append(append(all, soft...), egl("egl surfaceless", nil))
}

// load opens the library.
func load() error {
	loading.Lock()
	defer loading.Unlock()
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	if failure := C.mw_load(name); failure != nil {
		return device.Errorf(device.NoDevice, "no EGL: %s", C.GoString(failure))
	}
	return nil
}

// egl opens a device of EGL, or the surfaceless platform when handle is nil.
func egl(name string, handle unsafe.Pointer) device.Opener {
	return device.Opener{Name: name, Open: func() (device.Driver, error) {
		c := new(C.mw_context)
		if failure := C.mw_create(handle, c); failure != nil {
			return nil, device.Errorf(device.Context, "%s: %s", name, C.GoString(failure))
		}
		return start(name, func(symbol string) unsafe.Pointer {
			s := C.CString(symbol)
			defer C.free(unsafe.Pointer(s))
			return C.mw_proc(s)
		}, func() { C.mw_destroy(c) })
	}}
}

// Built reports whether the program has GPU support.
const Built = true
