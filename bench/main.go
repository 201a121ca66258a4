// Command bench runs the benchmarks that need whole programs: the pipeline beside its peers.
//
//	go run ./bench peer --oracle PATH/occt_oracle FILE…
//
// Every ratio it prints comes from runs of both programs on the same files in the same invocation.
package main

import (
	"github.com/alecthomas/kong"
)

var cli struct {
	Peer peerCmd `cmd:"" help:"Compare millwright analyze with the OCCT oracle on the same files."`
}

func main() {
	ctx := kong.Parse(&cli, kong.Name("bench"), kong.Description("Benchmarks of whole programs."))
	ctx.FatalIfErrorf(ctx.Run())
}
