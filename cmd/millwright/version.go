package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"

	"millwright.dev/millwright/core/pipeline"
)

// version is set by builds without the history of the sources: -ldflags "-X main.version=v1.2.3".
var version string

// versionCmd prints the build information of this program.
type versionCmd struct {
	keyOutput
}

// versionRecord is a version as the command line shows it.
type versionRecord struct {
	Version string `json:"version"` // a tag, or the time and commit of the sources
	Kernel  string `json:"kernel"`  // as recorded in every result
	Go      string `json:"go"`      // version of the compiler
	Tags    string `json:"tags"`    // of the build; gpu: with support for graphics devices
}

// Run prints the version.
func (c *versionCmd) Run() error {
	record := versionRecord{Version: "unknown", Kernel: pipeline.KernelVersion}
	if info, ok := debug.ReadBuildInfo(); ok {
		record.Version, record.Go = cmp.Or(version, info.Main.Version), info.GoVersion
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				record.Tags = s.Value
			}
		}
	}
	if c.Output == "json" {
		return json.NewEncoder(os.Stdout).Encode(record)
	}
	_, err := fmt.Printf("millwright %s\nkernel %s, %s, build tags: %s\n",
		record.Version, record.Kernel, record.Go, cmp.Or(record.Tags, "none"))
	return err
}
