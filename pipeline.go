package millwright

import (
	"context"
	"io"
	"maps"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/pipeline"
)

// Pipeline returns the stages of this package with their readers, writers and computations, for programs that store
// artifacts under keys, as the service does. Package pipeline describes them.
func Pipeline(o Options) *pipeline.Pipeline {
	engine := o.Engine
	if engine == nil {
		engine = compute.OnCPU(0)
	}
	return &pipeline.Pipeline{
		Reader: reader{o.Converter}, Tessellator: tessellator{engine}, Visibility: engine, Mill: engine,
		Writers: maps.Clone(partFiles), JobWriters: maps.Clone(programFiles),
	}
}

type reader struct{ converter cad.Converter }

// Read implements pipeline.Reader.
func (r reader) Read(
	ctx context.Context, src io.ReaderAt, size int64, fileName string, found func(format string),
) (*brep.Model, error) {
	of := cad.Reader{Converter: r.converter, Found: func(f cad.Format) { found(string(f)) }}
	m, _, err := of.Read(ctx, src, size, fileName)
	return m, err
}

type tessellator struct{ engine *compute.Engine }

// Tessellate implements pipeline.Tessellator.
func (t tessellator) Tessellate(
	ctx context.Context, m *brep.Model, chord, angle float64, progress func(done, total int),
) (pipeline.Tessellation, error) {
	r, err := tessellate.Mesh(ctx, m, tessellate.Options{
		ChordTolerance: chord, AngleTolerance: angle, Progress: progress, Runner: t.engine,
	})
	if err != nil {
		return pipeline.Tessellation{}, err
	}
	return pipeline.Tessellation{
		Mesh: r.Mesh, EdgeLines: r.EdgeLines, Watertight: r.Report.Watertight, Warnings: r.Warnings,
		ChordTolerance: r.ChordTolerance, AngleTolerance: r.AngleTolerance,
	}, nil
}
