package browsertest_test

import (
	"testing"

	"millwright.dev/millwright/adapters/portal/browsertest"
)

// TestBrowser runs the suite on the fake.
func TestBrowser(t *testing.T) {
	browsertest.Run(t, newFake(t).suite())
}
