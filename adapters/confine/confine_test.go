package confine_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/confine"
	"millwright.dev/millwright/adapters/confine/confinetest"
)

// The test binary has two roles: the tests, and the program that attacks the target in the variable.
const targetVar = "CONFINE_TEST_TARGET"

func TestMain(m *testing.M) {
	text := os.Getenv(targetVar)
	if text == "" {
		confinetest.Arm()
		os.Exit(m.Run())
	}
	var target confinetest.Target
	if err := json.Unmarshal([]byte(text), &target); err != nil {
		panic(err)
	}
	fmt.Println(strings.Join(target.Attack(os.Getenv("OWN")), ", "))
	os.Exit(0)
}

// attack lets a program with rights to a new folder attack this process, and returns the successful attempts.
func attack(t *testing.T, p confine.Policy, isConfined bool) []string {
	t.Helper()
	target := confinetest.NewTarget(t)
	text, err := json.Marshal(target)
	if err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	p.Read, p.Own = append(confine.Base(), "/bin", "/usr/bin", "/proc"), []string{own}
	const self = "/proc/self/exe"
	cmd := exec.Command(self)
	if isConfined {
		if cmd, err = confine.Command(p, []string{self}); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Env = []string{targetVar + "=" + string(text), "OWN=" + own, "TMPDIR=" + own}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if isConfined {
		target.Check(t)
	}
	if done := strings.TrimSpace(string(out)); done != "" {
		return strings.Split(done, ", ")
	}
	return nil
}

// TestAttack checks that nothing of an attack succeeds, and that it would without the confinement.
func TestAttack(t *testing.T) {
	if err := confine.Check(); err != nil {
		t.Skip(err)
	}
	confinetest.AsBoth(t, func(t *testing.T) {
		if done := attack(t, confine.Policy{}, true); len(done) > 0 {
			t.Errorf("a confined program could %q", done)
		}
		done := attack(t, confine.Policy{}, false)
		for _, name := range (confinetest.Target{}).Attempts() {
			if !slices.Contains(done, name) && !slices.Contains(uncertain, name) {
				t.Errorf("a program without confinement could not %s, so that the attack shows nothing", name)
			}
		}
	})
}

// uncertain is the attempts that depend on the machine, or on effects of earlier attempts.
var uncertain = []string{"set an attribute", "use rings", "trace the parent", "read memory"}
