#version 430
#include "prelude.glsl"

// Engagement arcs: an invocation per sample counts the parts of its half circle whose middles are in material, where
// the bilinear field is negative. The method is that of the processor (compute/engage); positions and weights are
// float64.

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Field { float field[]; };
layout(std430, binding = 1) readonly buffer Middles { dvec2 middles[]; }; // cells: ahead, to the left
layout(std430, binding = 2) readonly buffer Samples { dvec4 samples[]; }; // center in cells, direction
layout(std430, binding = 3) writeonly buffer Counts { uint counts[]; };

uniform ivec2 size; // cells
uniform uint parts; // of a half circle

void main() {
	if (itemIndex() >= itemCount()) return;
	dvec4 s = samples[itemIndex()];
	dvec2 end = dvec2(size - 1);
	ivec2 last = max(size - 2, ivec2(0)), next = min(size - 1, ivec2(1)) * ivec2(1, size.x);
	uint n = 0u;
	for (uint k = 0u; k < parts; k++) {
		dvec2 m = middles[k];
		dvec2 p = s.xy + m.x * s.zw + m.y * dvec2(-s.w, s.z);
		if (!(p.x >= 0.0LF && p.x <= end.x && p.y >= 0.0LF && p.y <= end.y)) continue;
		ivec2 c = min(ivec2(p), last);
		dvec2 f = p - dvec2(c), g = 1.0LF - f;
		int at = c.y * size.x + c.x;
		double low = double(field[at]) * g.x + double(field[at + next.x]) * f.x;
		double high = double(field[at + next.y]) * g.x + double(field[at + next.x + next.y]) * f.x;
		if (low * g.y + high * f.y < 0.0LF) n++;
	}
	counts[itemIndex()] = n;
}
