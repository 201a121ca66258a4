#version 430
#include "camera.glsl"

// An arrow that faces the eye.

uniform vec3 from, to; // mm

void main() {
	const vec2 corners[9] = vec2[](
		vec2(0, -.02), vec2(.7, -.02), vec2(.7, .02), vec2(0, -.02), vec2(.7, .02), vec2(0, .02),
		vec2(.7, -.12), vec2(1, 0), vec2(.7, .12));
	vec3 by = to - from, side = cross(by, eye);
	float wide = length(side);
	vec2 c = corners[gl_VertexID];
	show(from + c.x * by + (wide > 0.0 ? c.y * length(by) / wide : 0.0) * side, vec3(0.95));
}
