package confine

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// become confines this process and executes the program in its place; it returns only with an error.
func become(policy, program string, argv []string) error {
	runtime.LockOSThread()
	var p Policy
	if err := json.Unmarshal([]byte(policy), &p); err != nil {
		return fmt.Errorf("policy: %w", err)
	}
	// Where /proc cannot be written the machine merely chooses itself whom it ends when memory runs out.
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	const standard = 3 // input, output and error
	err := unix.CloseRange(uint(standard+p.Files), math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err != nil && !p.Lenient { // which Linux has from 5.11 on
		return fmt.Errorf("close files: %w", err)
	}
	// A core file of a crashed program would contain a customer's part and fill the disk.
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("forbid core files: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	if err := dropCapabilities(); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	version := landlockVersion()
	if version >= 1 || !p.Lenient {
		if err := p.restrict(version); err != nil {
			return fmt.Errorf("restrict files (Landlock): %w", err)
		}
	}
	if err := p.filter(version).install(); err != nil && !p.Lenient {
		return fmt.Errorf("filter system calls (seccomp): %w", err)
	}
	// Last, for this process itself may need more than the program is to have.
	for resource, most := range p.Limits {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("limit resource %d to %d: %w", resource, most, err)
		}
	}
	// of package syscall, which restores limits
	return fmt.Errorf("start %s: %w", program, syscall.Exec(program, argv, os.Environ()))
}

// dropCapabilities leaves a root process only the capability to read and write files of other users.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	kept := data[0].Permitted & (1 << unix.CAP_DAC_OVERRIDE)
	data = [2]unix.CapUserData{{Effective: kept, Permitted: kept}}
	return unix.Capset(&header, &data[0])
}

// Rights to files, by the version of Landlock that knows them.
const (
	readRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR

	writeRights = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE |
		unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_DIR |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR

	ownRights = readRights | writeRights | unix.LANDLOCK_ACCESS_FS_REFER |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK

	allRights = ownRights | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK

	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE |
		unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE // for non-folders

	truncates = 3 // the first version that governs truncation
	refers    = 2 // the first that can allow a move between folders, which before is refused
	scopes    = 6 // the first that keeps signals and abstract sockets inside
)

// landlockVersion returns the Landlock version of this kernel, 0 without Landlock.
func landlockVersion() int {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(version)
}

// restrict denies this thread, and its programs, all files outside the policy.
func (p *Policy) restrict(version int) error {
	ruled := unix.LandlockRulesetAttr{Handled_access_fs: allRights}
	if version < truncates {
		ruled.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if version < refers {
		ruled.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= scopes {
		ruled.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	rules, _, errno := unix.Syscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&ruled)), unsafe.Sizeof(ruled), 0)
	if errno != 0 {
		return errno
	}
	for _, set := range []struct {
		paths  []string
		rights uint64
	}{{p.Read, readRights}, {p.Write, writeRights}, {p.Own, ownRights}} {
		for _, path := range set.paths {
			if err := allow(int(rules), path, set.rights&ruled.Handled_access_fs); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return errno
	}
	return unix.Close(int(rules))
}

// allow adds rights to a path. An unreachable path is skipped, since the program cannot use it either.
func allow(rules int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	defer func() { _ = unix.Close(fd) }() // only its metadata was read
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return err
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	beneath := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&beneath)), 0, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
