#version 430
#include "prelude.glsl"
#include "visibility_view.glsl"

// Rotates the points of the mesh into every view: an invocation per point and view.

layout(local_size_x = 128) in;
layout(std430, binding = 1) readonly buffer Points { double points[]; }; // x, y, z
layout(std430, binding = 2) writeonly buffer Turned { float turned[]; }; // per view and point x, y, z

uniform uint count; // points

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	uint p = 3u * (i % count);
	vec3 q = turn(i / count, dvec3(points[p], points[p + 1u], points[p + 2u]));
	turned[3u * i] = q.x;
	turned[3u * i + 1u] = q.y;
	turned[3u * i + 2u] = q.z;
}
