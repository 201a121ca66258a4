package browsertest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// axePackage is the checker of accessibility. Only tests use it.
const axePackage = "axe-core@4.14.1"

// axeSource returns the program of axe-core, installed into a folder of the test, or "" without npm or the registry.
func axeSource(t *testing.T) string {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Log("accessibility is NOT CHECKED: npm is missing")
		return ""
	}
	folder := t.TempDir()
	cmd := exec.CommandContext(t.Context(), npm, "install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund",
		"--loglevel=error", axePackage)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("accessibility is NOT CHECKED: %v\n%s", err, out)
		return ""
	}
	source, err := os.ReadFile(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	return string(source)
}
