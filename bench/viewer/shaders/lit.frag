#version 430

// A light next to the eye; facets are shaded flat.

in vec3 colour;
in vec3 place;
uniform vec3 eye;
out vec4 seen;

void main() {
	vec3 n = cross(dFdx(place), dFdy(place));
	float size = length(n), facing = size > 0.0 ? abs(dot(n, eye)) / size : 1.0;
	seen = vec4(colour * (0.35 + 0.65 * facing), 1.0);
}
