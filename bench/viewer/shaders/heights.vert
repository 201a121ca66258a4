#version 430
#include "camera.glsl"

// The surface through the heights at the centers of cells: from blue for the lowest to yellow for the highest. With TIP
// it is the surface of the tool's tip, blue where the tip reaches the surface below and red where it does not.

layout(std430, binding = 0) readonly buffer Heights { uint heights[]; }; // in the layout of heightmap.comp
#ifdef TIP
layout(std430, binding = 1) readonly buffer Tips { float tips[]; }; // in the layout of height_offset.comp
#endif

uniform uvec2 size;                      // cells
uniform vec3 first, across, down, along; // the first cell; then per cell, per cell and per mm of height
uniform vec2 span;                       // mm, range of the colors

const float EMPTY = -1e30;

float surface(uint cell) {
	uint key = heights[cell];
	if (key == 0u) return EMPTY;
	return uintBitsToFloat((key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key);
}

float height(uint cell) {
#ifdef TIP
	return tips[cell];
#else
	return surface(cell);
#endif
}

vec3 tint(float t) {
	t = clamp(t, 0.0, 1.0);
#ifdef TIP
	return mix(vec3(0.2, 0.45, 0.9), vec3(0.95, 0.25, 0.15), t);
#else
	const vec3 low = vec3(0.2, 0.15, 0.7), middle = vec3(0.1, 0.65, 0.6), high = vec3(0.98, 0.9, 0.2);
	return t < 0.5 ? mix(low, middle, 2.0 * t) : mix(middle, high, 2.0 * t - 1.0);
#endif
}

void main() {
	const uvec2 corners[6] = uvec2[](uvec2(0, 0), uvec2(1, 0), uvec2(1, 1), uvec2(0, 0), uvec2(1, 1), uvec2(0, 1));
	uint v = uint(gl_VertexID), q = v / 6u, wide = size.x - 1u;
	uvec2 low = uvec2(q % wide, q / wide), c = low + corners[v % 6u];
	uint at = low.y * size.x + low.x;
	if (min(min(height(at), height(at + 1u)), min(height(at + size.x), height(at + size.x + 1u))) <= EMPTY) {
		hide();
		return;
	}
	uint cell = c.y * size.x + c.x;
	float h = height(cell);
	vec3 p = first + float(c.x) * across + float(c.y) * down + h * along;
#ifdef TIP
	float below = surface(cell);
	show(p, below <= EMPTY ? vec3(0.55) : tint((h - below - span.x) / (span.y - span.x)));
#else
	show(p, tint((h - span.x) / (span.y - span.x)));
#endif
}
