package cpu

import (
	"context"

	"millwright/compute/cpu/height"
	"millwright/compute/kernel"
)

// HeightMap returns the upper envelope of a mesh, seen along the axis of a frame.
func (e *Engine) HeightMap(ctx context.Context, in kernel.HeightMapInput) (kernel.HeightMapOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.HeightMapOutput{}, err
	}
	return height.Map(ctx, &in, e.each)
}

// OffsetHeight returns how low the tip of a tool may come above every cell of a height map.
func (e *Engine) OffsetHeight(ctx context.Context, in kernel.OffsetHeightInput) (kernel.OffsetHeightOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.OffsetHeightOutput{}, err
	}
	return height.Offset(ctx, &in, e.each)
}

// DropCutter returns how low the tip of a tool may come above every cell of a grid without cutting into a mesh.
func (e *Engine) DropCutter(ctx context.Context, in kernel.DropCutterInput) (kernel.DropCutterOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.DropCutterOutput{}, err
	}
	return height.Drop(ctx, &in, e.each)
}
