package device

import "time"

// Driver is a context of a graphics library with compute shaders. All its methods are called on the goroutine
// that opened it, which is locked to its thread. Errors are *Error.
type Driver interface {
	// Info returns the description of the context.
	Info() Info
	// NewBuffer returns a storage buffer of undefined contents.
	NewBuffer(bytes int) (handle uint32, err error)
	// FreeBuffer gives a buffer back.
	FreeBuffer(handle uint32)
	// Write and Read copy between memory and a buffer, from byte offset on; Read waits for the writers.
	Write(handle uint32, offset int, data []byte) error
	Read(handle uint32, offset int, data []byte) error
	// Fill sets all 32-bit words of a buffer.
	Fill(handle uint32, word uint32) error
	// Compile builds a compute program. A compiler message becomes an error of reason Compile whose text quotes the
	// lines of the source.
	Compile(name, source string) (Program, error)
	// FreeProgram gives a program back.
	FreeProgram(handle uint32)
	// Use makes a program current.
	Use(handle uint32) error
	// Uniform sets a uniform of the current program; a name that the compiler dropped is no error.
	Uniform(handle uint32, name string, value any) error
	// Bind attaches a buffer's first bytes to the storage binding of the current program.
	Bind(binding int, handle uint32, bytes int) error
	// Dispatch starts groups × 1 × 1 work groups of the current program. Later commands see all of their writes. The
	// ticket must be waited for.
	Dispatch(groups int) (Ticket, error)
	// Wait blocks until the dispatch ends and returns its duration. After timeout it returns an error of reason Lost.
	Wait(t Ticket, timeout time.Duration) (time.Duration, error)
	// Check returns the errors that came up since the last check.
	Check() error
	// Close destroys the context and everything in it.
	Close()
}

// Ticket identifies a pending dispatch.
type Ticket uint64

// Program is a compiled shader.
type Program struct {
	Handle uint32
	Local  int // invocations of a work group
}

// Opener makes a context on the calling goroutine, which is locked to its thread.
type Opener struct {
	Name string // "egl device 0", for the log
	Open func() (Driver, error)
}

// Info describes a context.
type Info struct {
	Vendor, Renderer, Version string // as the driver names itself
	Opener                    string // name of the opener
	Software                  bool   // a renderer on the processor
	Timestamps                bool   // the device has a clock of its own
	Robust                    bool   // it reports resets
	Limits                    Limits
	Extensions                map[string]bool
}

// Limits are the bounds for a call. Each is at least the minimum of OpenGL 4.3, given in the trailing comment.
type Limits struct {
	StorageBytes    int // bytes of one buffer: 128 MiB on Mesa; bounded here at 1 GiB
	StorageBindings int // buffers per program: 8, and 16 on every tested driver
	Invocations     int // invocations of a work group: 1024
	SharedBytes     int // shared memory of a work group: 32 KiB
	Groups          int // work groups of one dispatch: 65,535; Run divides above it
}
