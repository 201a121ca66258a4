//go:build depskeep

package millwright

import (
	_ "github.com/alecthomas/kong"
	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/danielgtaylor/huma/v2/adapters/humamux"
	_ "github.com/google/uuid"
	_ "github.com/gorilla/mux"
	_ "github.com/pressly/goose/v3"
	_ "github.com/qmuntal/gltf"
	_ "github.com/vbauerster/mpb/v8"
	_ "github.com/vbauerster/mpb/v8/decor"
	_ "golang.org/x/image/vector"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "gonum.org/v1/gonum/integrate/quad"
	_ "gonum.org/v1/gonum/mat"
	_ "gonum.org/v1/gonum/optimize"
	_ "modernc.org/sqlite"
	_ "pgregory.net/rapid"
)
