package confinetest

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Arm starts this process again with a secret in its environment, readable through /proc, unless it has one. A test
// calls it before it runs its tests.
func Arm() {
	if os.Getenv(SecretVar) != "" {
		return
	}
	err := syscall.Exec("/proc/self/exe", os.Args, append(os.Environ(), SecretVar+"="+Secret))
	panic(err) // it has returned
}

// AsBoth runs a test as the user who runs the tests, and again, if that is root, as one without rights.
func AsBoth(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	if os.Getuid() != 0 {
		test(t)
		return
	}
	t.Run("as root", test)
	t.Run("as nobody", func(t *testing.T) {
		const nobody = 65534
		dir, err := os.MkdirTemp("", "nobody-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(t.Name(), "/")
		cmd := exec.Command("/proc/self/exe", "-test.run=^"+name+"$", "-test.v") // the file lies in a folder of root
		cmd.Env = append(os.Environ(), "TMPDIR="+dir)
		cmd.Dir = dir
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		out, err := cmd.CombinedOutput()
		if err != nil ||
			!strings.Contains(string(out), "--- PASS: "+name) && !strings.Contains(string(out), "--- SKIP: "+name) {
			t.Errorf("%v:\n%s", err, out)
		}
	})
}
