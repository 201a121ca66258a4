// Package progress shows on a terminal how far stages have come.
package progress

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"millwright.dev/millwright/core/pipeline"
)

// Bars shows one bar per running file on a terminal and nothing anywhere else.
type Bars struct {
	container *mpb.Progress // nil: not a terminal
}

// New shows bars on a terminal that is f.
func New(f *os.File, files int) *Bars {
	if files == 0 || !term.IsTerminal(int(f.Fd())) {
		return &Bars{}
	}
	return &Bars{container: mpb.New(mpb.WithOutput(io.Writer(f)), mpb.WithWidth(40))}
}

// Bar is the progress of one file.
type Bar struct {
	bar   *mpb.Bar
	stage chan string
}

// Add shows the bar of another file.
func (p *Bars) Add(name string) *Bar {
	if p.container == nil {
		return &Bar{}
	}
	b := &Bar{stage: make(chan string, 1)}
	current := "waiting"
	b.bar = p.container.AddBar(100,
		mpb.PrependDecorators(decor.Name(name, decor.WCSyncSpaceR)),
		mpb.AppendDecorators(decor.Percentage(decor.WCSyncSpace), decor.Any(func(decor.Statistics) string {
			select {
			case current = <-b.stage:
			default:
			}
			return " " + current
		})),
		mpb.BarRemoveOnComplete(),
	)
	return b
}

// Set shows the progress of the file.
func (b *Bar) Set(p pipeline.Progress) {
	if b.bar == nil {
		return
	}
	select {
	case <-b.stage: // only the newest stage is worth showing
	default:
	}
	select {
	case b.stage <- p.Doing:
	default:
	}
	b.bar.SetCurrent(int64(p.Percent))
}

// Done takes the bar away.
func (b *Bar) Done() {
	if b.bar != nil {
		b.bar.SetTotal(-1, true)
	}
}

// Wait waits until all bars are gone.
func (p *Bars) Wait() {
	if p.container != nil {
		p.container.Wait()
	}
}
