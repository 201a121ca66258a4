//go:build gpu

package opengl

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
)

// TestMissingLibraryIsNamed runs in a separate process, because a library that was found stays loaded.
func TestMissingLibraryIsNamed(t *testing.T) {
	const child = "MILLWRIGHT_TEST_NO_LIBRARY"
	if os.Getenv(child) != "" {
		library = "libMissing.so.1"
		_, err := device.Open(Openers(), device.Options{Source: sources(nil), Software: true})
		if reason, _ := device.ReasonOf(err); reason != device.NoDevice ||
			!strings.Contains(err.Error(), "libMissing.so.1") {
			t.Errorf("reason %q of %v", reason, err)
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestMissingLibraryIsNamed$")
	cmd.Env = append(os.Environ(), child+"=1", "DISPLAY=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestErrorsOfTheContextAreSeen makes the driver do an operation that OpenGL forbids.
func TestErrorsOfTheContextAreSeen(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(d device.Driver) error
	}{
		{"write past the end", func(d device.Driver) error {
			b, err := d.NewBuffer(16)
			if err != nil {
				return err
			}
			defer d.FreeBuffer(b)
			return d.Write(b, 8, make([]byte, 16))
		}},
		{"program that does not exist", func(d device.Driver) error { return d.Use(12345) }},
		{"dispatch without a program", func(d device.Driver) error {
			_, err := d.Dispatch(1)
			return err
		}},
		{"wait out of order", func(d device.Driver) error {
			_, err := d.Wait(99, 0)
			return err
		}},
	} {
		var inner device.Driver
		opener := device.Opener{Name: "kept", Open: func() (device.Driver, error) {
			var err error
			for _, o := range Openers() {
				if inner, err = o.Open(); err == nil {
					break
				}
			}
			return inner, err
		}}
		d, err := device.Open([]device.Opener{opener}, device.Options{Source: sources(nil), Software: true})
		if err != nil {
			t.Fatal(err)
		}
		err = d.Do(t.Context(), func(*device.Session) error { return c.do(inner) })
		if reason, _ := device.ReasonOf(err); reason != device.Lost {
			t.Errorf("%s: reason %q of %v", c.name, reason, err)
		}
		d.Close()
	}
}

// TestLostContextIsReopened loses a real context between two dispatches.
func TestLostContextIsReopened(t *testing.T) {
	var faults devicetest.Faults
	opts := device.Options{Source: sources(map[string]string{"double.comp": doubling}), Software: true}
	for range 3 {
		d, err := device.Open(faults.Over(Openers()), opts)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float32, 100_000)
		values[99_999] = 21
		faults.Dispatch(2, device.Lost)
		if reason, _ := device.ReasonOf(double(t.Context(), d, values, 2)); reason != device.Lost {
			t.Errorf("reason %q", reason)
		}
		faults.Dispatch(0, "")
		if reason, _ := device.ReasonOf(double(t.Context(), d, values, 2)); reason != device.Lost {
			t.Errorf("a lost device answers with reason %q", reason)
		}
		d.Close()
		if d, err = device.Open(faults.Over(Openers()), opts); err != nil {
			t.Fatal(err)
		}
		if err := double(t.Context(), d, values, 2); err != nil || values[99_999] != 42 {
			t.Errorf("the next device gives %g, %v", values[99_999], err)
		}
		d.Close()
	}
}

func TestOnlySoftwareRenderersAreSoftware(t *testing.T) {
	for name, want := range map[string]bool{
		"llvmpipe (LLVM 15.0.6, 256 bits)": true, "softpipe": true, "Mesa DRI swrast": true,
		"Software Rasterizer": true, "NVIDIA H200/PCIe/SSE2": false, "Mesa Intel(R) UHD Graphics 620 (KBL GT2)": false,
		"AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6)": false,
	} {
		if got := isSoftware(name); got != want {
			t.Errorf("%s: software %v, want %v", name, got, want)
		}
	}
}
