// Command bench runs the benchmarks that need whole programs: the pipeline against its peers.
//
//	go run ./bench account PART… [--config builtin] [--programs DIR] [--millwright PROGRAM] [--jobs 1] [--json]
//	go run ./bench chaos [--stack embedded|production] [--jobs 10000] [--workers 4] [--seed 1] [--json]
//	go run ./bench clearing --peer PATH/freecadcmd [--pockets 50] [--seed 1] [--json] PART…
//	go run ./bench corpus DIR [--truth FILE] [--oracle PATH/occt_oracle] [--json]
//	go run ./bench damage DIR [--seed 1] [--cases 6] [--kind flag] [--half a|b] [--case NAME] [--keep DIR]
//	go run -tags gpu ./bench device [--device gpu|software] [--out DIR] [--budget 8m] [--small]
//	go run ./bench dropcutter --peer PROGRAM MESH.stl [--tool ball:10,…] [--grid 1000]
//	go run ./bench features [--set mfcad|mftrcad|vlm|generated] [--dir DIR] [--details] [--json]
//	go run ./bench finishing [--shapes NAME,…] [--radius 3] [--corner 0] [--scallop 0.02] [--json] PART.step…
//	go run ./bench followup [--baseline PROGRAM] PART
//	go run ./bench fuzzapi [--requests 100000] [--seed 1] [--stack embedded|production]
//	go run ./bench holding PATH… [--config builtin] [--only NAME] [--limit 2m] [--json]
//	go run ./bench kernels [--device auto|cpu|gpu|software] [--mesh FILE.stl] [--json] [--baseline FILE]
//	go run ./bench growth [--megabytes 1,10,100] PART.step
//	go run ./bench load [--stack embedded|production] [--uploads 200] [--soak 20m]
//	go run ./bench mutants [--count 200] [--cells 100] [--step 0.5] PART…
//	go run ./bench numbers [--half a|b] [--figure NAME] [--details] PATH…
//	go run ./bench offsets --peer PROGRAM [--count 100] [--by -0.25]
//	go run ./bench peer --oracle PATH/occt_oracle FILE…
//	go run ./bench programs DIR [--config builtin,large] [--parts var/parts] [--only NAME] [--alone] [--gate] [--json]
//	go run ./bench programs --files PATH,… [--config builtin] [--picture FILE.svg]
//	go run ./bench reach PART… --programs DIR [--config builtin] [--entries 100] [--seed 1] [--jobs 1] [--json]
//	go run ./bench recognition [--faces 1000,10000,100000] [--repeat 3] [--wall] PART…
//	go run ./bench rewrites [--dir DIR] [--only NAME] [--details] PART…
//	go run -tags gpu,glfw ./bench view [--kernel NAME] [--step N] [--shot FILE.png] MESH.stl
//	go run ./bench visibility --embree PATH/embree_peer MESH.stl…
//
// Every ratio that it prints comes from runs of both programs on the same files in the same invocation.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"

	"millwright.dev/millwright/cmd/millwright/stagechild"
)

var cli struct {
	Account     accountCmd     `cmd:"" help:"Measure what programs leave by a replay, and hold their accounts to it."`
	Chaos       chaosCmd       `cmd:"" help:"Run jobs while processes and servers are killed, and audit that each ended exactly once."`
	Clearing    clearingCmd    `cmd:"" help:"Compare the clearing of pockets with FreeCAD."`
	Corpus      corpusCmd      `cmd:"" help:"Compare every CAD file below a folder with a reference kernel."`
	Author      authorCmd      `cmd:"" help:"Write a large STEP file: copies of a part."`
	Damage      damageCmd      `cmd:"" help:"Damage every CAD file below a folder in small ways, and report the results."`
	Device      deviceCmd      `cmd:"" help:"Run all checks for a machine with a graphics device: acceptance figures, conformance, every primitive."`
	Kernels     kernelsCmd     `cmd:"" help:"Measure the compute primitives on the processor and the graphics device."`
	Features    featuresCmd    `cmd:"" help:"Compare recognized features with labeled parts."`
	Finishing   finishingCmd   `cmd:"" help:"Judge finishing passes and parallel ones by what they leave of surfaces."`
	Followup    followupCmd    `cmd:"" help:"Measure jobs on a part that was analyzed before, compared with another build of the program."`
	FuzzAPI     fuzzAPICmd     `cmd:"" name:"fuzzapi" help:"Send valid, almost valid and hostile requests to a running server."`
	Growth      growthCmd      `cmd:"" help:"Measure time and memory per megabyte on files of growing size."`
	Holding     holdingCmd     `cmd:"" help:"Audit how the setups of programs are held, by brute force."`
	Load        loadCmd        `cmd:"" help:"Measure reads against a bare handler, concurrent uploads, and memory over time."`
	Bare        bareCmd        `cmd:"" hidden:"" help:"Answer the bytes of a file."`
	Mutants     mutantsCmd     `cmd:"" help:"Spoil programs of parts, and hold the proof and the replay to each other."`
	Numbers     numbersCmd     `cmd:"" help:"Measure the figures of datasheets a second time, by brute force."`
	Offsets     offsetsCmd     `cmd:"" help:"Compare offsets of a pocket with another program for them."`
	Peer        peerCmd        `cmd:"" help:"Compare millwright analyze with the OCCT oracle on the same files."`
	Portal      portalCmd      `cmd:"" help:"Measure the pages of the portal in Chromium."`
	Programs    programsCmd    `cmd:"" help:"Make programs of known parts, and hold them to what programs must be."`
	Reach       reachCmd       `cmd:"" help:"Ask by brute force what tools get at of the material that accounts say nothing reaches."`
	Replay      replayCmd      `cmd:"" help:"Play a program for LinuxCNC a second time, by its interpreter and another simulator."`
	Rewrites    rewritesCmd    `cmd:"" help:"Hold features and datasheets of parts against those of the same parts written in other ways."`
	DropCutter  dropCutterCmd  `cmd:"" name:"dropcutter" help:"Compare tool-tip heights with another drop-cutter."`
	Recognition recognitionCmd `cmd:"" help:"Measure the stages of recognition, and how they grow with faces."`
	View        viewCmd        `cmd:"" help:"Show what the kernels make of a mesh: visibility, height map, tip map, dexels."`
	Visibility  visibilityCmd  `cmd:"" help:"Compare visibility along parallel rays with Embree on the same meshes."`
	Measure     measureCmd     `cmd:"" hidden:"" help:"Measure one file."`
	Kernel      stagechild.Cmd `cmd:"" hidden:"" help:"Read one CAD file in this process, driven by another."`
}

func main() {
	interrupted, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx := kong.Parse(&cli, kong.Name("bench"), kong.Description("Benchmarks of whole programs."),
		kong.BindTo(interrupted, (*context.Context)(nil)))
	ctx.FatalIfErrorf(ctx.Run())
}
