package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

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
	States, Long int       // states that were shown; tasks of more than 100 ms
	Surfaces     []float64 // of the worker, for each state that was shown
}

// playbackScript measures a setup on the page of package playback.
const playbackScript = `(async (n) => {
  const r = await setup(n);
  let seed = 1;
  const random = () => (seed = (seed * 16807) %% 2147483647) / 2147483647;
  const jumps = [];
  for (let i = 0; i < 200; i++) jumps.push((await ask({ time: random() * r.seconds, want: "tip" })).ms);
  let long = 0;
  const surfaces = [];
  const watch = new PerformanceObserver((l) => { for (const e of l.getEntries()) if (e.duration > 100) long++; });
  watch.observe({ entryTypes: ["longtask"] });
  const handlers = [];
  let busy = false, wanted = null, states = 0;
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
  await new Promise((done) => {
    let i = 0;
    const start = performance.now();
    const timer = setInterval(() => {
      while (i < 180 && performance.now() - start >= (i * 1000) / 60) {
        const t = performance.now();
        wanted = (r.seconds * i++) / 180;
        if (!busy) void next();
        handlers.push(performance.now() - t);
      }
      if (i >= 180) { clearInterval(timer); done(); }
    }, 4);
  });
  watch.disconnect();
  return { ready: r.ms, bytes: r.bytes, jumps, handlers, states, long, surfaces };
})(%d)`

// playback prints a line of figures for each part: of its worst setup.
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
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "part\tsetups\tmoves\tmoves, stock kB\tready ms\tMB\tjump ms: median, p95, most\t"+
		"slider: events, p95 ms\t"+
		"states\tstate ms: median, p95\ttasks > 100 ms")
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
		if err := measurePlayback(allocator, w, part.name, p); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return w.Flush()
}

// measurePlayback prints the worst figures of the setups of a program.
func measurePlayback(allocator context.Context, w *tabwriter.Writer, name string, p *playback.Program) error {
	server := playback.Serve(p, 256)
	defer server.Close()
	tab, stop := chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(tab, chromedp.Navigate(server.URL)); err != nil {
		return err
	}
	var all playbackFigures
	moves, events, states := 0, 180, 180
	for i := range p.Set.Setups {
		for _, o := range p.Set.Setups[i].Operations {
			moves += len(o.Moves)
		}
		text, err := chromedp.Run(tab, chromedp.Evaluate[string](
			"("+fmt.Sprintf(playbackScript, i)+").then(JSON.stringify)", chromedp.EvalAwaitPromise))
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
		events, states = min(events, len(f.Handlers)), min(states, f.States)
	}
	slices.Sort(all.Jumps)
	slices.Sort(all.Handlers)
	slices.Sort(all.Surfaces)
	share := func(of []float64, q float64) float64 { return of[int(q*float64(len(of)-1))] }
	fmt.Fprintf(w, "%s\t%d\t%d\t%d, %d\t%.0f\t%.1f\t%.1f, %.1f, %.1f\t%d, %.2f\t%d\t%.1f, %.1f\t%d\n",
		name, len(p.Set.Setups), moves,
		len(p.Moves)/1000, len(p.Stock)/1000, all.Ready, all.Bytes/1e6, share(all.Jumps, 0.5), share(all.Jumps, 0.95),
		share(all.Jumps, 1), events, share(all.Handlers, 0.95), states,
		share(all.Surfaces, 0.5), share(all.Surfaces, 0.95), all.Long)
	return nil
}
