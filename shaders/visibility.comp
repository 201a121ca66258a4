#version 430
#include "prelude.glsl"
#include "visibility_view.glsl"

// Casts a ray from every sample along every direction: an invocation per sample and view. In the view a ray is a
// point with a height. Skip pointers traverse the hierarchy, without a stack. Where float does not represent a number
// exactly, double does: coordinates are whole steps below 2^24, so edge functions are below 2^53, and the two
// triangles at an edge get the same signs.

layout(local_size_x = 64) in;

struct Node {
	float lo[3], hi[3];
	int skip;
	uint leaf;
};

layout(std430, binding = 1) readonly buffer Nodes { Node nodes[]; };
layout(std430, binding = 2) readonly buffer Turned { float turned[]; };
layout(std430, binding = 3) readonly buffer Corners { int corners[]; };
layout(std430, binding = 4) readonly buffer Boxes { float boxes[]; };
layout(std430, binding = 5) readonly buffer Samples { float samples[]; }; // x, y, z about the origin
layout(std430, binding = 6) readonly buffer Normals { float normals[]; }; // x, y, z; or one number
layout(std430, binding = 7) readonly buffer Origin { double origin[]; };  // steps; then steps per mm
layout(std430, binding = 8) writeonly buffer Bits { uint bits[]; };

uniform uint nodeCount;
uniform uint pointCount;
uniform uint sampleCount;
uniform uint words; // of a view, 32 samples each; even
uniform uint hasNormals;
uniform float grazing;

shared uint gathered[2];

vec3 corner(uint view, uint c) {
	uint i = 3u * (view * pointCount + uint(corners[c]));
	return vec3(turned[i], turned[i + 1u], turned[i + 2u]);
}

// side is twice the area of the triangle of s and the side from p to q, positive if s is on its right: a triangle
// that rays enter is clockwise.
double side(vec3 p, vec3 q, vec3 s) {
	return double(q.y - p.y) * double(s.x - p.x) - double(q.x - p.x) * double(s.y - p.y);
}

// stops reports whether the ray from s enters the triangle.
bool stops(vec3 p, vec3 q, vec3 r, vec3 s) {
	if (s.z >= max(p.z, max(q.z, r.z))) return false;
	if (side(p, q, r) <= 0.0) return false;
	double u = side(q, r, s), v = side(r, p, s), w = side(p, q, s);
	if (u < 0.0 || v < 0.0 || w < 0.0) return false;
	return u * double(p.z) + v * double(q.z) + w * double(r.z) > double(s.z) * (u + v + w);
}

bool free(uint view, vec3 s) {
	uint base = view * nodeCount;
	uint i = 0u;
	while (i < nodeCount) {
		uint b = 5u * (base + i);
		Node n = nodes[i];
		if (s.z >= boxes[b + 4u] || s.x < boxes[b] || s.x > boxes[b + 1u] || s.y < boxes[b + 2u] ||
			s.y > boxes[b + 3u]) {
			i = uint(n.skip);
			continue;
		}
		uint first = n.leaf >> 4, end = first + (n.leaf & 15u);
		for (uint t = first; t < end; t++) {
			if (stops(corner(view, 3u * t), corner(view, 3u * t + 1u), corner(view, 3u * t + 2u), s)) return false;
		}
		i++;
	}
	return true;
}

bool visible(uint view, uint k) {
	uint a = 9u * view + 6u;
	if (hasNormals != 0u) {
		vec3 n = vec3(normals[3u * k], normals[3u * k + 1u], normals[3u * k + 2u]);
		if (dot(n, vec3(axes[a], axes[a + 1u], axes[a + 2u])) < -grazing) return false;
	}
	dvec3 p = dvec3(samples[3u * k], samples[3u * k + 1u], samples[3u * k + 2u]);
	return free(view, turn(view, p * origin[3] + dvec3(origin[0], origin[1], origin[2])));
}

void main() {
	uint i = itemIndex();
	if (gl_LocalInvocationIndex < 2u) gathered[gl_LocalInvocationIndex] = 0u;
	barrier();
	uint view = i / (32u * words), k = i % (32u * words);
	if (i < itemCount() && k < sampleCount && visible(view, k)) {
		atomicOr(gathered[gl_LocalInvocationIndex >> 5], 1u << (k & 31u));
	}
	barrier();
	if ((gl_LocalInvocationIndex & 31u) == 0u && i < itemCount()) {
		bits[i >> 5] = gathered[gl_LocalInvocationIndex >> 5];
	}
}
