#version 430
#include "prelude.glsl"

// Distance, first pass: each invocation takes one column and finds the nearest site above or below each of its
// cells; of two equally near sites it takes the lower one. The rows of the result are its columns, so that the
// invocations of the second pass read adjacent words.

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Sites { uint sites[]; }; // 16 bits per cell: 0 or 1 + offset
layout(std430, binding = 1) buffer Near { int near[]; };             // row position, or -1

uniform ivec2 size; // cells
uniform int shift;  // a cell has 1 << shift units

int site(int i, int j) {
	uint at = uint(j) * uint(size.x) + uint(i);
	uint v = sites[at >> 1] >> (16u * (at & 1u)) & 0xffffu;
	return v == 0u ? -1 : j << shift | int(v - 1u);
}

void main() {
	if (itemIndex() >= itemCount()) return;
	int i = int(itemIndex());
	uint base = uint(i) * uint(size.y);
	int last = -1;
	for (int j = 0; j < size.y; j++) {
		near[base + uint(j)] = last;
		int p = site(i, j);
		if (p >= 0) last = p;
	}
	last = -1;
	for (int j = size.y - 1; j >= 0; j--) {
		int p = site(i, j), y = j << shift, below = near[base + uint(j)];
		if (p >= 0) last = p;
		if (last >= 0 && (below < 0 || last - y < y - below)) near[base + uint(j)] = last;
	}
}
