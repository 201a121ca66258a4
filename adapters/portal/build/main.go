// Command build bundles the pages of the portal from adapters/portal/web into adapters/portal/assets. It needs npm and
// the npm registry, and installs packages only into a temporary folder. The service embeds the committed result and
// needs neither.
package main

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

func main() {
	web := flag.String("web", "adapters/portal/web", "folder of the sources")
	out := flag.String("out", "adapters/portal/assets", "folder of the built files; other files in it are removed")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *web, *out); err != nil {
		fmt.Fprintln(os.Stderr, "portal:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, web, out string) error {
	files, err := build(ctx, web)
	if err != nil {
		return err
	}
	old, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range old {
		if _, ok := files[e.Name()]; ok || e.IsDir() {
			continue
		}
		if err := os.Remove(filepath.Join(out, e.Name())); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(out, name), files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%-14s %7d bytes, %6d compressed\n", name, len(files[name]), compressedSize(files[name]))
	}
	return nil
}
