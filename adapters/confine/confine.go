// Package confine starts programs that must not be trusted, since they work on strangers' files: what such a program is
// made to do stays in the folders that it is given.
//
// Threat: a file takes over the program that reads it. That program then runs as the user of the service, who may read
// the database, the secret that addresses are signed with, and the environment of the service, and may end its processes.
//
// Method: the program that asks starts itself again under another name. Package initialization of that process takes
// every right that the Policy does not name from itself, and then executes the program in its place:
//
//   - Landlock, which any user may ask for, refuses files outside the named folders, whatever their mode says, also to
//     root; it also refuses to trace processes outside, which protects their memory and /proc/<pid>/environ. From
//     Linux 6.12 on it keeps signals and abstract sockets inside too.
//   - A seccomp filter refuses sockets, with which neither networks nor the sockets of other services can be reached,
//     and what Landlock does not govern: modes, owners and attributes of files by path, notices of what happens in
//     folders, keys, IPC, namespaces, process groups and limits of other processes, and, where Landlock has no say in
//     them, signals and truncation.
//   - Files that the service has open, or has itself been given, are closed, but those that are passed on purpose.
//   - Capabilities are dropped, except that of using files whatever their mode says, which Landlock bounds.
//
// A process confined in this way has been so since before its first instruction, with all threads that it will start,
// and cannot undo it. The alternative, a mount namespace, hides files instead of refusing them, but takes a user
// namespace, which the usual seccomp profile of containers forbids, as do several distributions. Landlock is there from
// Linux 5.13 on where it is booted with (the kernels of Debian 12 and later and of Ubuntu 22.04 and later are), and is
// allowed by the usual profiles of Docker and containerd. Nothing is asked of the container.
//
// What stays in reach: that a file exists, with its size and times, which can be changed where its mode allows it;
// and, outside of namespaces of its own, the priority of processes of the same user. Programs of another processor
// architecture than that of this one, as 32-bit ones, do not run.
//
// Cost: one start of the own program, see BenchmarkStart. The package needs Linux.
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

// Policy is what a confined program may do. Paths are absolute; those that do not exist are passed over.
type Policy struct {
	Read  []string // files, and folders with all that is in them, to be read and executed
	Write []string // the same to be read and written: plain files and folders can be made, links cannot
	Own   []string // the same for what nobody else trusts: anything but devices can be made, and be executed

	// Reach says that it may reach other machines and processes: it opens sockets and, where Landlock does not keep them
	// inside, sends signals.
	Reach bool
	// Apart says that it runs in process and IPC namespaces of its own, so that neither has to be filtered. Otherwise it,
	// and what it starts, stays in its process group.
	Apart bool
	// Alone says that it starts threads, but no processes.
	Alone bool
	// Lenient says that it runs with as much confinement as the kernel has. Otherwise it does not run with less than all.
	Lenient bool

	Files  int            // how many are passed to it (exec.Cmd.ExtraFiles); it gets no others that are open here
	Limits map[int]uint64 // of resources, by their RLIMIT number
}

// Base is what a program needs to start: the libraries of the system, and what tells of processors and memory.
func Base() []string {
	return []string{
		"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
		"/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime",
		"/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm",
	}
}

// Apart reports which private files and folders a program could read: they lie in what it reads, or the other way round.
// program begins the sentences.
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

// realPath follows links. What is not there yet is meant as it is written.
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

// Command is a command that runs a program under a policy. Where the program cannot be started it says so on its
// standard error and ends with status 125.
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
	cmd := exec.Command("/proc/self/exe") // also when the file has been replaced meanwhile
	cmd.Args = append([]string{childName, string(text), program}, argv...)
	return cmd, nil
}

// Check reports what of the confinement this kernel, or the container on it, does not offer.
func Check() error {
	var errs []error
	if landlockVersion() < 1 {
		errs = append(errs, errors.New("no Landlock, which Linux has from 5.13 on where it is booted with lsm=landlock"))
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

// init makes this process the confined program where it was started as one. It runs on the main thread, whose rights
// are those of the program that takes its place.
func init() {
	if len(os.Args) < 4 || os.Args[0] != childName {
		return
	}
	err := become(os.Args[1], os.Args[2], os.Args[3:])
	fmt.Fprintln(os.Stderr, "confine:", err)
	os.Exit(exitUnconfined)
}
