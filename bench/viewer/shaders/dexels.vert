#version 430
#include "camera.glsl"

// The ends of the spans of a bundle of dexels, each a square of one cell. Ends within the block were cut by the tool and
// have the color of the bundle; ends on its sides are gray.

layout(std430, binding = 0) readonly buffer Spans { vec2 spans[]; };   // in the layout of dexel_sweep.comp
layout(std430, binding = 1) readonly buffer Counts { uint counts[]; };

uniform uvec4 layoutOf;                 // as in dexel_sweep.comp: columns and rows of rays, tiles across
uniform vec3 first, across, down, along; // start of ray 0; then per ray, per ray and per mm
uniform float ends;                     // mm, length of the block along the rays
uniform vec3 tint;

void main() {
	const vec2 corners[6] = vec2[](
		vec2(-.5, -.5), vec2(.5, -.5), vec2(.5, .5), vec2(-.5, -.5), vec2(.5, .5), vec2(-.5, .5));
	uint v = uint(gl_VertexID), k = v / 12u % ROOM, ray = v / (12u * ROOM);
	uvec2 at = uvec2(ray % layoutOf.x, ray / layoutOf.x), tile = at / SIDE, own = at % SIDE;
	uint slot = (tile.y * layoutOf.z + tile.x) * SIDE * SIDE + own.y * SIDE + own.x;
	if (k >= counts[slot]) {
		hide();
		return;
	}
	vec2 s = spans[slot * ROOM + k];
	float h = v / 6u % 2u == 0u ? s.x : s.y;
	vec2 c = vec2(at) + corners[v % 6u];
	bool cut = h > 1e-4 * ends && h < (1.0 - 1e-4) * ends;
	show(first + c.x * across + c.y * down + h * along, cut ? tint : vec3(0.55));
}
