package analyze

import (
	"io"
	"os"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"millwright/core/stage"
)

// progressBars shows one bar per running file on a terminal and nothing anywhere else.
type progressBars struct {
	container *mpb.Progress // nil: not a terminal
}

func newProgressBars(f *os.File, files int) *progressBars {
	if files == 0 || !term.IsTerminal(int(f.Fd())) {
		return &progressBars{}
	}
	return &progressBars{container: mpb.New(mpb.WithOutput(io.Writer(f)), mpb.WithWidth(40))}
}

// bar is the progress of one file.
type bar struct {
	bar   *mpb.Bar
	stage chan string
}

func (p *progressBars) add(name string) *bar {
	if p.container == nil {
		return &bar{}
	}
	b := &bar{stage: make(chan string, 1)}
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

func (b *bar) set(p stage.Progress) {
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

func (b *bar) done() {
	if b.bar != nil {
		b.bar.SetTotal(-1, true)
	}
}

func (p *progressBars) wait() {
	if p.container != nil {
		p.container.Wait()
	}
}
