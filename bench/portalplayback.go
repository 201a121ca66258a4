package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/chromedp/chromedp"

	"millwright.dev/millwright/bench/playback"
	"millwright.dev/millwright/core/cam/machining"
)

// playbackParts are the parts whose playback is measured, by name.
var playbackParts = []struct{ name, file string }{
	{"bracket", ""},
	{"ftc08", "step/nist_ap203/nist_ftc_08_asme1_rc.stp"},
	{"heatsink", "pairs/sldprt_step_ps2/PS2 Heatsink REF3000.STEP"},
}

// playbackFigures is what the page measures of a setup. Times are ms.
type playbackFigures struct {
	Ready, Bytes float64
	Jumps        []float64
	Handlers     []float64 // of the events of a slider, 60 a second for 3 s
	Done         int       // events that were handled within 3 s
	States, Long int       // states that were shown; tasks of more than 100 ms
	Surfaces     []float64 // of the worker, for each state that was shown
}

// sliderEvents is the number of events of a slider in 3 s.
const sliderEvents = 180

// playbackScript measures a setup on the page of package playback.
const playbackScript = `(async (n) => {
  const r = await setup(n);
  let seed = 1;
  const random = () => (seed = (seed * 16807) %% 2147483647) / 2147483647;
  const jump = async (time) => (await ask({ time, want: "tip" })).ms;
  const times = Array.from({ length: 200 }, () => random() * r.seconds), jumps = [];
  for (const time of times) jumps.push(await jump(time));
  // the slowest ones once more, from the same place: the machine may have been busy with something else
  for (const i of [...jumps.keys()].slice(1).sort((a, b) => jumps[b] - jumps[a]).slice(0, 10)) {
    await jump(times[i - 1]);
    jumps[i] = Math.min(jumps[i], await jump(times[i]));
  }
  let long = 0;
  const surfaces = [];
  const watch = new PerformanceObserver((l) => { for (const e of l.getEntries()) if (e.duration > 100) long++; });
  watch.observe({ entryTypes: ["longtask"] });
  const handlers = [];
  let done = 0, busy = false, wanted = null, states = 0;
  const next = async () => {
    while (wanted !== null) {
      busy = true;
      const time = wanted;
      wanted = null;
      surfaces.push((await ask({ time, want: "coarse" })).ms);
      states++;
    }
    busy = false;
  };
  await new Promise((end) => {
    let i = 0;
    const start = performance.now();
    const timer = setInterval(() => {
      while (i < 180 && performance.now() - start >= (i * 1000) / 60) {
        const t = performance.now();
        wanted = (r.seconds * i++) / 180;
        if (!busy) void next();
        handlers.push(performance.now() - t);
        if (performance.now() - start < 3000 + 1000 / 60) done++;
      }
      if (i >= 180) { clearInterval(timer); end(); }
    }, 4);
  });
  watch.disconnect();
  return { ready: r.ms, bytes: r.bytes, jumps, handlers, done, states, long, surfaces };
})(%d)`

// playback measures the parts, each by its worst setup, and fails when a figure is beyond its bound.
func (c *portalCmd) playback(ctx context.Context) error {
	allocator, stop, err := newBrowser(ctx, chromedp.Flag("disable-dev-shm-usage", true))
	if err != nil {
		return err
	}
	defer stop()
	config := machining.BuiltInCutConfig()
	if c.Config == "large" {
		config = machining.LargeCutConfig()
	}
	var failures []error
	for _, part := range playbackParts {
		if len(c.Parts) > 0 && !slices.Contains(c.Parts, part.name) || part.file != "" && c.Corpus == "" {
			continue
		}
		file := filepath.Join(c.Corpus, filepath.FromSlash(part.file))
		if part.file == "" {
			file = "cmd/millwright/example/bracket.step"
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		p, err := playback.Make(ctx, data, filepath.Base(file), config)
		if err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		if err := c.playPart(allocator, part.name, p); err != nil {
			failures = append(failures, fmt.Errorf("%s: %w", part.name, err))
		}
	}
	return errors.Join(failures...)
}

// playPart prints the figures of a program.
func (c *portalCmd) playPart(allocator context.Context, name string, p *playback.Program) error {
	const cells = 256
	server := playback.Serve(p, cells)
	defer server.Close()
	tab, stop := chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(tab); err != nil { // the tab lives longer than the limit of opening a page
		return err
	}
	if err := openPage(tab, server.URL, "window.loaded"); err != nil {
		return err
	}
	evaluate := func(expression string) (string, error) {
		return chromedp.Run(tab, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	}
	var all playbackFigures
	var compared []playback.Comparison
	moves := 0
	events, states := sliderEvents, sliderEvents
	for i := range p.Set.Setups {
		for _, o := range p.Set.Setups[i].Operations {
			moves += len(o.Moves)
		}
		text, err := evaluate("(" + fmt.Sprintf(playbackScript, i) + ").then(JSON.stringify)")
		if err != nil {
			return err
		}
		var f playbackFigures
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			return err
		}
		all.Ready, all.Bytes = max(all.Ready, f.Ready), max(all.Bytes, f.Bytes)
		all.Jumps, all.Handlers = append(all.Jumps, f.Jumps...), append(all.Handlers, f.Handlers...)
		all.Long, all.Surfaces = all.Long+f.Long, append(all.Surfaces, f.Surfaces...)
		events, states = min(events, f.Done), min(states, f.States)
		if !c.Compare {
			continue
		}
		operations, err := playback.CompareStock(p, i, cells, evaluate)
		if err != nil {
			return err
		}
		compared = append(compared, operations...)
	}
	slices.Sort(all.Jumps)
	slices.Sort(all.Handlers)
	slices.Sort(all.Surfaces)
	share := func(of []float64, q float64) float64 { return of[int(q*float64(len(of)-1))] }
	fmt.Printf("\nPLAYBACK OF %s: %d setups, %d moves, files of %d and %d kB, %d states of %.1f ms\n", name,
		len(p.Set.Setups), moves, len(p.Moves)/1000, len(p.Stock)/1000, states, share(all.Surfaces, 0.5))
	err := printFigures([]boundedFigure{
		{"ready", all.Ready, 3000, "ms"},
		{"memory of the worker", all.Bytes / 1e6, 80, "MB"},
		{"jump, median", share(all.Jumps, 0.5), 10, "ms"},
		{"jump, p95", share(all.Jumps, 0.95), 10, "ms"},
		{"jump, longest of the better of two", share(all.Jumps, 1), 100, "ms"},
		{"state while the slider moves, p95", share(all.Surfaces, 0.95), 100, "ms"},
		{"handler of the slider, p95", share(all.Handlers, 0.95), 8, "ms"},
		{"events of the slider not done in 3 s, of 180", float64(sliderEvents - events), 2, ""},
		{"tasks of more than 100 ms", float64(all.Long), 0, ""},
	})
	if c.Compare {
		err = errors.Join(err, printComparison(compared))
	}
	return err
}

// printComparison prints the worst operation of a program, and fails when one has too many cells that are off.
func printComparison(of []playback.Comparison) error {
	undercut, bad := 0, 0
	var worst *playback.Comparison
	for i := range of {
		c := &of[i]
		if c.Undercut {
			undercut++
			continue
		}
		if worst == nil || c.Share() < worst.Share() {
			worst = c
		}
		if c.Share() < playback.Required {
			bad++
			fmt.Printf("operation %s: %d of %d cells are off, up to %.3f mm\n", c.Operation, c.Off, c.Cells, c.Most)
		}
	}
	if worst == nil {
		return errors.New("no operation was compared")
	}
	fmt.Printf("%d operations compared, %d by undercutting tools not; ", len(of)-undercut, undercut)
	fmt.Printf("the worst is %s: %.3f %% of %d cells within %g mm, the others up to %.3f mm\n",
		worst.Operation, 100*worst.Share(), worst.Cells, playback.Tolerance, worst.Most)
	if bad > 0 {
		return fmt.Errorf("%d operations differ from the in-process stock", bad)
	}
	return nil
}
