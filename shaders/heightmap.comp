#version 430
#include "prelude.glsl"

// HeightMap: each invocation rasterizes one triangle within one tile of TILE × TILE cells of a block of the grid. The
// method is that of the processor (compute/raster, scan.go, and compute/heightmap, cover.go) in float32. A row cuts
// the sides of a triangle, by the same operations for both triangles of a side, and the cells between the cuts get
// heights between those at the cuts. COVER follows the sides through all cells they touch. It rasterizes once more at
// the uphill corners of the cells, where cells are wider by slack, which exceeds the rounding of coordinates.
//
// Coordinates are in mm, and columns and rows from the middle of the grid, so that the centers of cells are exact.

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Points { vec4 points[]; };
layout(std430, binding = 1) readonly buffer Corners { uint corners[]; };
layout(std430, binding = 2) readonly buffer Tasks { uvec2 tasks[]; }; // triangle, column and row of the tile
layout(std430, binding = 3) buffer Heights { uint heights[]; };       // keys, 0 if empty

uniform ivec2 size;   // cells
uniform ivec2 first;  // cell of the block
uniform ivec2 extent; // cells of the block
uniform float wide;  // half width of a cell with slack
uniform float raise; // mm added to heights so that they are never too low

const float FAR = 1e30;

ivec2 lower, upper; // cells of the tile
vec2 middle;        // of the grid, from cell 0

// propose raises a cell. Keys of greater floats are greater.
void propose(int i, int j, float z) {
	uint bits = floatBitsToUint(z + raise);
	uint key = (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
	uint at = uint(j - first.y) * uint(extent.x) + uint(i - first.x);
	if (key > heights[at]) atomicMax(heights[at], key);
}

// cut returns the crossing of the side from a to b with row v, which it reaches: column and height.
vec2 cut(vec3 a, vec3 b, float v) {
	if (a.y > b.y || a.y == b.y && a.x > b.x) {
		vec3 swap = a;
		a = b;
		b = swap;
	}
	if (v == a.y) return a.xz;
	if (v == b.y) return b.xz;
	precise float d = v - a.y;
	precise float t = d / (b.y - a.y);
	precise vec2 p = a.xz + t * (b.xz - a.xz);
	return clamp(p, min(a.xz, b.xz), max(a.xz, b.xz));
}

void widen(inout vec4 c, vec2 p) { // column and height at the left end, then at the right
	if (p.x < c.x || p.x == c.x && p.y > c.y) c.xy = p;
	if (p.x > c.z || p.x == c.z && p.y > c.w) c.zw = p;
}

void crossing(inout vec4 c, vec3 a, vec3 b, float v) {
	if (v < min(a.y, b.y) || v > max(a.y, b.y)) return;
	if (a.y == b.y) {
		widen(c, a.xz);
		widen(c, b.xz);
		return;
	}
	widen(c, cut(a, b, v));
}

// fill rasterizes the triangle at the points of the cells with the offset shift from their centers.
void fill(vec3 a, vec3 b, vec3 c, vec2 shift) {
	float least = min(a.y, min(b.y, c.y)), most = max(a.y, max(b.y, c.y));
	float first = max(ceil(least + middle.y - shift.y) - 1.0, float(lower.y));
	float last = min(floor(most + middle.y - shift.y) + 1.0, float(upper.y));
	for (int j = int(first); float(j) <= last; j++) {
		float v = float(j) - middle.y + shift.y;
		if (v < least || v > most) continue;
		vec4 row = vec4(FAR, 0.0, -FAR, 0.0);
		crossing(row, a, b, v);
		crossing(row, b, c, v);
		crossing(row, c, a, v);
		int from = int(max(ceil(row.x + middle.x - shift.x) - 1.0, float(lower.x)));
		float to = min(floor(row.z + middle.x - shift.x) + 1.0, float(upper.x));
		float width = row.z - row.x;
		for (int i = from; float(i) <= to; i++) {
			float u = float(i) - middle.x + shift.x;
			if (u < row.x || u > row.z) continue;
			float z = max(row.y, row.w);
			if (width > 0.0) {
				float t = clamp((u - row.x) / width, 0.0, 1.0);
				z = clamp(row.y + t * (row.w - row.y), min(row.y, row.w), z);
			}
			propose(i, j, z);
		}
	}
}

// within limits the parameters s of a line from a along d to the range where it runs between lo and hi.
vec2 within(float a, float d, float lo, float hi, vec2 s) {
	if (d == 0.0) return a < lo || a > hi ? vec2(1.0, 0.0) : s;
	float p = (lo - a) / d, q = (hi - a) / d;
	return vec2(max(s.x, min(p, q)), min(s.y, max(p, q)));
}

// follow raises all cells that the side from a to b touches.
void follow(vec3 a, vec3 b) {
	vec3 d = b - a;
	float first = max(floor(min(a.y, b.y) + middle.y - wide), float(lower.y));
	float last = min(ceil(max(a.y, b.y) + middle.y + wide), float(upper.y));
	for (int j = int(first); float(j) <= last; j++) {
		float v = float(j) - middle.y;
		vec2 s = within(a.y, d.y, v - wide, v + wide, vec2(0.0, 1.0));
		if (s.x > s.y) continue;
		float u0 = a.x + s.x * d.x, u1 = a.x + s.y * d.x;
		int from = int(max(floor(min(u0, u1) + middle.x - wide), float(lower.x)));
		float to = min(ceil(max(u0, u1) + middle.x + wide), float(upper.x));
		for (int i = from; float(i) <= to; i++) {
			float u = float(i) - middle.x;
			vec2 r = within(a.x, d.x, u - wide, u + wide, s);
			if (r.x > r.y) continue;
			propose(i, j, min(max(a.z, b.z), a.z + (d.z > 0.0 ? r.y : r.x) * d.z));
		}
	}
}

void main() {
	uint task = itemIndex();
	if (task >= itemCount()) return;
	uint triangle = tasks[task].x, tile = tasks[task].y;
	vec3 a = points[corners[3u * triangle]].xyz;
	vec3 b = points[corners[3u * triangle + 1u]].xyz;
	vec3 c = points[corners[3u * triangle + 2u]].xyz;
	lower = first + ivec2(int(tile & 0xFFFFu), int(tile >> 16)) * TILE;
	upper = min(lower + TILE, first + extent) - 1;
	middle = 0.5 * vec2(size - 1);
#ifdef COVER
	follow(a, b);
	follow(b, c);
	follow(c, a);
	vec3 n = cross(b - a, c - a);
	vec2 uphill = vec2(n.x * n.z > 0.0 ? -1.0 : 1.0, n.y * n.z > 0.0 ? -1.0 : 1.0);
	fill(a, b, c, uphill * wide);
#else
	fill(a, b, c, vec2(0.0));
#endif
}
