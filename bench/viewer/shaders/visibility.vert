#version 430
#include "camera.glsl"

// Pieces of the triangles of a mesh, each in the color of its sample: green where it is visible, else red.

layout(std430, binding = 0) readonly buffer Corners { float corners[]; };
layout(std430, binding = 1) readonly buffer Bits { uint bits[]; }; // in the layout of visibility.comp

void main() {
	uint v = uint(gl_VertexID), t = v / 3u;
	bool visible = (bits[t >> 5] >> (t & 31u) & 1u) != 0u;
	vec3 p = vec3(corners[3u * v], corners[3u * v + 1u], corners[3u * v + 2u]);
	show(p, visible ? vec3(0.25, 0.8, 0.3) : vec3(0.9, 0.2, 0.15));
}
