// Package confine starts untrusted programs that read customers' files, and limits them to the folders that they are
// given.
//
// Threat: a file takes over the program that reads it. That program runs as the user of the service. It may read the
// database, the secret that signs addresses and the environment of the service, and may kill its processes.
//
// Method: the caller starts its own program again under another name. Package initialization of that process drops
// every right that is not in the Policy, and then executes the program in its place:
//
//   - Landlock, which any user may apply, denies files outside the named folders, for any file mode, even to
//     root. It also denies tracing of processes outside, which protects their memory and /proc/<pid>/environ. From
//     Linux 6.12 on it also blocks signals and abstract sockets to the outside.
//   - A seccomp filter denies sockets, networks included. It also denies operations that Landlock does not
//     govern: modes, owners and attributes of files by path, notifications of changes in folders, keys, IPC,
//     namespaces, process groups and limits of other processes and, if Landlock does not cover them, signals and
//     truncation.
//   - Files that the service has opened or inherited are closed, except those passed on purpose.
//   - Capabilities are dropped, except the one to ignore file modes, which Landlock limits.
//
// A process is confined before its first instruction, with all threads that it will start, and cannot undo it. The
// alternative, a mount namespace, hides files instead of denying them. It needs a user namespace, which the usual
// seccomp profile of containers and several distributions forbid. Landlock exists from Linux 5.13 on if it is enabled
// at boot (as in the kernels of Debian 12 and later and of Ubuntu 22.04 and later). The usual profiles of Docker and
// containerd allow it. The container needs no configuration.
//
// Limits: the program can still see that a file exists, with its size and times, and change the times if the file's
// mode allows it. Without a PID namespace it can also change the priority of processes of the same user. Programs of
// another processor architecture, such as 32-bit ones, do not run.
//
// Cost: one start of the caller's own program, see BenchmarkStart. The package needs Linux.
package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Policy is the rights of a confined program. Paths are absolute; missing ones are skipped.
type Policy struct {
	Read  []string // files, and folders with all that is in them, to be read and executed
	Write []string // the same to be read and written: plain files and folders can be made, links cannot
	// the same for folders that no trusted process reads: any file except devices can be made and executed
	Own []string

	// Reach allows access to other machines and processes: sockets and, if Landlock does not block them, signals.
	Reach bool
	// Apart reports that the program has its own PID and IPC namespaces, so that neither is filtered. Otherwise the
	// program and its children stay in its process group.
	Apart bool
	// Alone reports that the program starts threads, but no processes.
	Alone bool
	// Lenient lets the program run with the confinement that the kernel offers. Otherwise it runs only with full
	// confinement.
	Lenient bool

	Files  int            // number of files passed to it (exec.Cmd.ExtraFiles); other open files are closed
	Limits map[int]uint64 // of resources, by their RLIMIT number
}

// Base returns the paths that a program needs to start: the system libraries, and data on processors and memory.
func Base() []string {
	return []string{
		"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
		"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
		"/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm",
	}
}

// Apart reports the private files and folders that a program could read, because one of its paths contains the private
// path or the reverse. Each sentence begins with program.
func Apart(program string, reads []string, private ...string) error {
	var errs []error
	for _, path := range private {
		path = realPath(path)
		for _, folder := range reads {
			if folder = realPath(folder); isBelow(path, folder) || isBelow(folder, path) {
				errs = append(errs, fmt.Errorf("%s reads %s, and the service keeps its data or secrets in %s; "+
					"put them into different folders", program, folder, path))
			}
		}
	}
	return errors.Join(errs...)
}

// realPath resolves links. A missing path is returned unchanged.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func isBelow(path, folder string) bool {
	below, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(below)
}

// childName is the name under which this program confines itself.
const childName = "millwright-confined"

// exitUnconfined is the exit status of a process that could not confine itself, or not start its program.
const exitUnconfined = 125

// Command returns a command that runs a program under a policy. If the program cannot be started, it writes the reason
// to its standard error and exits with status 125.
func Command(p Policy, argv []string) (*exec.Cmd, error) {
	program, err := exec.LookPath(argv[0])
	if err != nil {
		return nil, err
	}
	p.Read = append(p.Read[:len(p.Read):len(p.Read)], program)
	text, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command("/proc/self/exe") // also valid after the file was replaced
	cmd.Args = append([]string{childName, string(text), program}, argv...)
	return cmd, nil
}

// Check reports the confinement features that this kernel, or the container on it, lacks.
func Check() error {
	var errs []error
	if landlockVersion() < 1 {
		errs = append(errs,
			errors.New("no Landlock, which Linux has from 5.13 on where it is booted with lsm=landlock"))
	}
	action := uint32(unix.SECCOMP_RET_ERRNO)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	if errno != 0 || architecture == 0 {
		errs = append(errs, errors.New("no seccomp filters"))
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("the kernel offers %w", errors.Join(errs...))
}

// init turns a process started by Command into the confined program. It runs on the main thread, which passes its
// rights on to the program.
func init() {
	if len(os.Args) < 4 || os.Args[0] != childName {
		return
	}
	err := become(os.Args[1], os.Args[2], os.Args[3:])
	fmt.Fprintln(os.Stderr, "confine:", err)
	os.Exit(exitUnconfined)
}
