#version 430
#include "prelude.glsl"

// OffsetHeight: the greatest height less tap over the cells under a tool, one cell per invocation. Taps do not
// decrease along a row, so a row ends where even the greatest height of the map could no longer raise the cell.
// Rounding is monotonic, so the early end does not change any bit.

layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer Given { float given[]; };
layout(std430, binding = 1) readonly buffer Taps { float taps[]; };   // rows of taps, one after the other
layout(std430, binding = 2) readonly buffer Starts { int starts[]; }; // of the rows, and the end of the last
layout(std430, binding = 3) writeonly buffer Taken { float taken[]; };

uniform ivec2 size;  // cells
uniform int reach;   // rows of taps less one
uniform float most;  // greatest height given
uniform float empty; // minus infinity

void main() {
	ivec2 at = ivec2(groupID().xy * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
	if (at.x >= size.x || at.y >= size.y) return;
	precise float z = empty;
	for (int j = 0; j <= reach; j++) {
		int first = starts[j], count = starts[j + 1] - first;
		if (count > 0 && most - taps[first] <= z) break;
		int below = at.y - j, above = at.y + j;
		if (below < 0 && above >= size.y) break;
		if (below < 0) below = above;
		if (above >= size.y) above = below;
		for (int i = 0; i < count; i++) {
			precise float h = taps[first + i];
			if (most - h <= z) break;
			int left = at.x - i, right = at.x + i;
			if (left < 0 && right >= size.x) break;
			if (left < 0) left = right;
			if (right >= size.x) right = left;
			float greatest = max(
				max(given[below * size.x + left], given[below * size.x + right]),
				max(given[above * size.x + left], given[above * size.x + right]));
			z = max(z, greatest - h);
		}
	}
	taken[at.y * size.x + at.x] = z;
}
