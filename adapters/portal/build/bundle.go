package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"
)

// errNotPossible is returned where packages cannot be installed: npm or the npm registry is missing.
var errNotPossible = errors.New("packages cannot be installed")

// npmUnreachable matches the errors of npm without a network.
var npmUnreachable = regexp.MustCompile(
	`ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED`)

// copied are the sources that become built files without a change.
var copied = []string{"index.html", "icon.svg"}

// build returns the built files by name. The same sources give the same bytes.
func build(ctx context.Context, web string) (map[string][]byte, error) {
	folder, err := os.MkdirTemp("", "portal-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	// The bundler names inputs by their real path.
	if folder, err = filepath.EvalSymlinks(folder); err != nil {
		return nil, err
	}
	if err := os.CopyFS(folder, os.DirFS(web)); err != nil {
		return nil, err
	}
	if err := install(ctx, folder); err != nil {
		return nil, err
	}
	check := exec.CommandContext(ctx, filepath.Join("node_modules", ".bin", "tsc"), "--project", ".")
	check.Dir = folder
	if out, err := check.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("check types: %w\n%s", err, out)
	}
	files, err := bundle(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range copied {
		if files[name], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// install puts the packages of the lock file into a folder, without running their scripts.
func install(ctx context.Context, folder string) error {
	npm, err := exec.LookPath("npm")
	if err != nil {
		return fmt.Errorf("%w: npm is missing", errNotPossible)
	}
	cmd := exec.CommandContext(ctx, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	if err != nil && npmUnreachable.Match(out) {
		return fmt.Errorf("%w: the npm registry does not answer\n%s", errNotPossible, out)
	}
	if err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	return nil
}

// bundle returns app.js, the files that it loads, the worker playback.js, app.css and licenses.txt of the sources in a
// folder.
func bundle(folder string) (map[string][]byte, error) {
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: folder,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "src/main.tsx", OutputPath: "app"},
			{InputPath: "src/playback/worker.ts", OutputPath: "playback"},
			{InputPath: "app.css", OutputPath: "app"},
		},
		Outdir:            "out",
		Bundle:            true,
		Splitting:         true, // modules that are imported later get separate files
		ChunkNames:        "[name]-[hash]",
		Metafile:          true,
		Format:            api.FormatESModule,
		Platform:          api.PlatformBrowser,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone,
		MinifySyntax:      true,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		LogLevel:          api.LogLevelSilent,
	})
	if len(result.Errors)+len(result.Warnings) > 0 {
		text := append(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}),
			api.FormatMessages(result.Warnings, api.FormatMessagesOptions{Kind: api.WarningMessage})...)
		return nil, fmt.Errorf("bundle: %q", text)
	}
	files := map[string][]byte{}
	for _, f := range result.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	found, err := packages(folder, result.Metafile)
	if err != nil {
		return nil, err
	}
	if err := checkLicenses(found); err != nil {
		return nil, err
	}
	files["licenses.txt"] = licenseText(found)
	return files, nil
}

// compressedSize is the number of bytes that a browser loads.
func compressedSize(data []byte) int {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
	_, _ = w.Write(data)                                  // a Buffer takes all
	_ = w.Close()
	return b.Len()
}
