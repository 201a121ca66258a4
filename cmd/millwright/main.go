// Command millwright is the whole product: the service, its workers, key administration, and the
// analysis of files without a server. It is the only place that wires adapters to ports.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"millwright.dev/millwright/cmd/millwright/analyze"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/cmd/millwright/stagechild"
	"millwright.dev/millwright/core/cam/machining"
)

// commands is the command line. Every flag can also be set by an environment variable named
// MILLWRIGHT_ and the flag's name in upper case.
type commands struct {
	Serve   serveCmd        `cmd:"" help:"Run the REST API, workers, or both."`
	Worker  workerCmd       `cmd:"" help:"Run workers only: serve --role worker."`
	Job     jobCmd          `cmd:"" help:"List, cancel and repeat jobs."`
	Portal  portalCmd       `cmd:"" help:"Make links to the portal."`
	Key     keyCmd          `cmd:"" help:"Create, list, change and revoke API keys."`
	Usage   usageCmd        `cmd:"" help:"Add up the metered use of a team."`
	Version versionCmd      `cmd:"" help:"Print what this program was built from."`
	OpenAPI openapiCmd      `cmd:"" name:"openapi" help:"Print the interface description."`
	Analyze analyze.Cmd     `cmd:"" help:"Analyse CAD files without a server."`
	Plan    plancmd.PlanCmd `cmd:"" help:"Plan how a part is made, without a server."`
	Program plancmd.Cmd     `cmd:"" help:"Make a proven program of a part, without a server."`
	kernelCommand
}

type kernelCommand struct {
	Kernel stagechild.Cmd `cmd:"" hidden:"" help:"Read one CAD file in this process, driven by a worker."`
}

// grammar returns the definition of the command line. The kernel, which starts for every job, does not load the
// definitions of all commands: they take a third of the start.
func grammar(args []string) any {
	if len(args) > 0 && args[0] == "kernel" {
		return &kernelCommand{}
	}
	return &commands{}
}

// Exit statuses other than 0.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	parser := kong.Must(grammar(os.Args[1:]),
		kong.Name("millwright"),
		kong.Description("A machining engine: CAD files in, machining knowledge out."),
		kong.DefaultEnvars("MILLWRIGHT"),
		kong.Vars{"posts": strings.Join(machining.Posts, ", ")},
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.TypeMapper(durationType, kong.MapperFunc(mapDuration)),
		kong.NamedMapper(secretFileType, kong.MapperFunc(mapSecretFile)),
	)
	command, err := parser.Parse(os.Args[1:])
	if err == nil {
		err = refuseSecrets(command.Path)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "millwright: %v\nTry 'millwright --help'.\n", err)
		os.Exit(exitUsage)
	}
	if err := command.Run(); err != nil {
		if !errors.Is(err, analyze.ErrSomeFailed) { // those were printed one by one
			fmt.Fprintf(os.Stderr, "millwright: %v\n", err)
		}
		stop()
		os.Exit(exitFailed)
	}
}
