#version 430
#include "prelude.glsl"
#include "visibility_view.glsl"

// Computes a box in every view around each node of the hierarchy: an invocation per node and view. The box of a leaf
// bounds its triangles that rays enter, and is empty if there are none. The box of an inner node bounds the rotated
// corners of its own box, and is too large by a factor below the square root of three.

layout(local_size_x = 128) in;

struct Node {
	float lo[3], hi[3]; // steps, about the middle
	int skip;           // node after the subtree
	uint leaf;          // first triangle << 4 | count, 0 for an inner node
};

layout(std430, binding = 1) readonly buffer Nodes { Node nodes[]; };
layout(std430, binding = 2) readonly buffer Turned { float turned[]; };
layout(std430, binding = 3) readonly buffer Corners { int corners[]; };
layout(std430, binding = 4) writeonly buffer Boxes { float boxes[]; }; // x from, to, y from, to, z to
layout(std430, binding = 5) readonly buffer Middle { double middle[]; };

uniform uint nodeCount;
uniform uint pointCount;

const float FAR = 33554432.0; // steps, beyond all coordinates

vec3 corner(uint view, uint c) {
	uint i = 3u * (view * pointCount + uint(corners[c]));
	return vec3(turned[i], turned[i + 1u], turned[i + 2u]);
}

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	uint view = i / nodeCount;
	Node n = nodes[i % nodeCount];
	vec3 lo = vec3(FAR), hi = vec3(-FAR);
	if (n.leaf != 0u) {
		uint first = n.leaf >> 4, end = first + (n.leaf & 15u);
		for (uint t = first; t < end; t++) {
			vec3 p = corner(view, 3u * t), q = corner(view, 3u * t + 1u), r = corner(view, 3u * t + 2u);
			double area = double(r.x - p.x) * double(q.y - p.y) - double(q.x - p.x) * double(r.y - p.y);
			if (area > 0.0) {
				lo = min(lo, min(p, min(q, r)));
				hi = max(hi, max(p, max(q, r)));
			}
		}
	} else {
		dvec3 a = dvec3(n.lo[0], n.lo[1], n.lo[2]), b = dvec3(n.hi[0], n.hi[1], n.hi[2]);
		dvec3 c = 0.5LF * (a + b) + dvec3(middle[0], middle[1], middle[2]), h = 0.5LF * (b - a);
		uint k = 9u * view;
		for (int m = 0; m < 3; m++, k += 3u) {
			double at = axes[k] * c.x + axes[k + 1u] * c.y + axes[k + 2u] * c.z;
			double reach = abs(axes[k]) * h.x + abs(axes[k + 1u]) * h.y + abs(axes[k + 2u]) * h.z;
			lo[m] = float(max(floor(at - reach) - 2.0LF, -double(FAR)));
			hi[m] = float(min(ceil(at + reach) + 2.0LF, double(FAR)));
		}
	}
	uint o = 5u * i;
	boxes[o] = lo.x;
	boxes[o + 1u] = hi.x;
	boxes[o + 2u] = lo.y;
	boxes[o + 3u] = hi.y;
	boxes[o + 4u] = hi.z;
}
