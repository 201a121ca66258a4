package confine

import (
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// answer is the result of a refused system call: an error, or success without an effect.
type answer uint32

const (
	denied  = answer(unix.EPERM)
	missing = answer(unix.ENOSYS) // programs have fallbacks for missing calls
	useless = answer(unix.EOPNOTSUPP)
	ignored = answer(0)
)

// rule refuses a system call, unless one of its arguments has, or has not, one of some values.
type rule struct {
	call uint32
	answer
	argument int
	mask     uint32   // of the argument, 0: all bits
	only     []uint32 // the values with which it is allowed
	never    []uint32 // the values with which it is refused; with neither it is refused always
}

// filter is the refused system calls, with at most one rule for each call.
type filter []rule

// Numbers of system calls that only amd64 has.
const (
	amd64Open        = 2
	amd64Fork        = 57
	amd64Vfork       = 58
	amd64Chmod       = 90
	amd64Chown       = 92
	amd64Lchown      = 94
	amd64InotifyInit = 253
)

// architecture is the processor's code in system calls, or 0 if there is no filter for it.
var architecture = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]

// filter returns the filter of a policy that complements the given version of Landlock.
func (p *Policy) filter(landlock int) filter {
	var f filter
	refuse := func(with answer, calls ...uint32) {
		for _, c := range calls {
			f = append(f, rule{call: c, answer: with})
		}
	}
	// Calls that could bypass the filter, and other operations that Landlock does not govern.
	refuse(missing, unix.SYS_IO_URING_SETUP, unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		unix.SYS_INOTIFY_INIT1, unix.SYS_FANOTIFY_INIT)
	// Programs set modes and owners of files that they created, and exit if that fails.
	refuse(ignored, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT)
	refuse(useless, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR,
		unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR)
	isAMD64 := runtime.GOARCH == "amd64"
	if isAMD64 {
		refuse(ignored, amd64Chmod, amd64Chown, amd64Lchown)
		refuse(missing, amd64InotifyInit)
	}
	// Namespaces would give a program rights that it lacks. C libraries fall back from clone3 to clone. The flags of
	// clone3 are in memory, which a filter cannot read.
	refuse(denied, unix.SYS_UNSHARE, unix.SYS_SETNS)
	refuse(missing, unix.SYS_CLONE3)
	clone := rule{call: unix.SYS_CLONE, answer: denied, mask: unix.CLONE_NEWUSER, never: []uint32{unix.CLONE_NEWUSER}}
	if p.Alone {
		clone = rule{call: unix.SYS_CLONE, answer: denied, mask: unix.CLONE_THREAD, only: []uint32{unix.CLONE_THREAD}}
		if isAMD64 {
			refuse(denied, amd64Fork, amd64Vfork)
		}
	}
	f = append(f, clone)
	if !p.Reach {
		refuse(denied, unix.SYS_SOCKET)
		// A pair of datagram sockets could send to others by name.
		f = append(f, rule{call: unix.SYS_SOCKETPAIR, answer: denied, argument: 1, mask: 0xf,
			only: []uint32{unix.SOCK_STREAM, unix.SOCK_SEQPACKET}})
	}
	if landlock < truncates {
		refuse(denied, unix.SYS_TRUNCATE)
		// O_TRUNC also truncates a file opened for reading, or with access mode 3 for neither.
		refuse(missing, unix.SYS_OPENAT2)
		open := rule{call: unix.SYS_OPENAT, answer: denied, argument: 2, mask: unix.O_ACCMODE | unix.O_TRUNC,
			never: []uint32{unix.O_TRUNC | unix.O_RDONLY, unix.O_TRUNC | unix.O_ACCMODE}}
		f = append(f, open)
		if isAMD64 {
			open.call, open.argument = amd64Open, 1
			f = append(f, open)
		}
	}
	if p.Apart {
		return f
	}
	refuse(denied, unix.SYS_SETSID, unix.SYS_SETPGID) // a process outside its group would not end with it
	refuse(missing, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SHMDT,
		unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK)
	self := uint32(os.Getpid()) // executing a program does not change it
	f = append(f, rule{call: unix.SYS_PRLIMIT64, answer: denied, only: []uint32{0, self}})
	if landlock >= scopes || p.Reach {
		return f
	}
	for _, call := range []uint32{
		unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO,
	} {
		f = append(f, rule{call: call, answer: denied, only: []uint32{self}})
	}
	refuse(denied, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL)
	return append(f, rule{call: unix.SYS_FCNTL, answer: denied, argument: 1, // who gets signals of a pipe, and which
		never: []uint32{unix.F_SETOWN, unix.F_SETOWN_EX, unix.F_SETSIG}})
}

// Offsets in the kernel's description of a system call (struct seccomp_data); processors of both architectures are
// little-endian.
const (
	offsetCall         = 0
	offsetArchitecture = 4
	offsetArguments    = 16
	argumentBytes      = 8
)

// x32 is the first number of a second set of system calls of amd64.
const x32 = 0x40000000

// program is the filter as the kernel runs it.
func (f filter) program() []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(how uint16, k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_K | how, K: k, Jt: uint8(yes), Jf: uint8(no)}
	}
	answer := func(a answer) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(a)}
	}
	allow := unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
	out := []unix.SockFilter{
		load(offsetArchitecture), jump(unix.BPF_JEQ, architecture, 1, 0), answer(denied),
		load(offsetCall), jump(unix.BPF_JGE, x32, 0, 1), answer(missing),
	}
	for _, r := range f {
		var body []unix.SockFilter
		values, found, otherwise := r.only, allow, answer(r.answer)
		if len(r.never) > 0 {
			values, found, otherwise = r.never, answer(r.answer), allow
		}
		if len(values) > 0 {
			body = append(body, load(offsetArguments+argumentBytes*uint32(r.argument)))
		}
		if r.mask != 0 {
			body = append(body, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: r.mask})
		}
		for _, v := range values {
			body = append(body, jump(unix.BPF_JEQ, v, 0, 1), found)
		}
		body = append(body, otherwise)
		out = append(append(out, jump(unix.BPF_JEQ, r.call, 0, len(body))), body...)
	}
	return append(out, allow)
}

// install makes the kernel filter the system calls of this thread and of the programs that it executes.
func (f filter) install() error {
	if architecture == 0 {
		return unix.ENOSYS
	}
	program := f.program()
	given := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&given)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return errno
	}
	return nil
}
