#version 430
#include "prelude.glsl"

// Casts arbitrary rays: an invocation per line. The method is that of the processor (compute/raycast) on the
// binary hierarchy: the nearer child first, the other on a stack. A triangle is sheared onto the line, each corner to
// the same place in all triangles, and tested in float; where that leaves it possible, the signs of the exact edge
// functions decide, whose products double holds exactly. ANY takes the first hit found.

layout(local_size_x = 64) in;

struct Node {
	float lo[3], hi[3]; // mm, about the middle
	int skip;           // node after the subtree
	uint leaf;          // first triangle << 4 | count, 0 for an inner node
};

struct Line {
	float origin[3];
	float from;
	float direction[3];
	float to;
};

layout(std430, binding = 0) readonly buffer Nodes { Node nodes[]; };
layout(std430, binding = 1) readonly buffer Points { float points[]; };    // x, y, z
layout(std430, binding = 2) readonly buffer Corners { int corners[]; };    // three of each triangle
layout(std430, binding = 3) readonly buffer Numbers { int numbers[]; };    // of the triangles in the mesh
layout(std430, binding = 4) readonly buffer Lines { Line lines[]; };
layout(std430, binding = 5) writeonly buffer Hits { uvec2 hits[]; };       // place as float, number of the triangle

uniform float slack; // mm, by which boxes are tested beyond the ends of a line

const float LEAST = 1e-18; // part of a direction
const int NONE = -1;

vec3 org, inv;  // of the line
vec3 base;      // its origin along the axes of the shear
vec2 slope;
ivec3 axis;
double scale;   // of the third to mm along the line
float from, to; // of the line
float reach;    // where a box has to be entered at most

float best;
int found;

// enters returns where the line enters a box, or more than reach where it does not.
float enters(Node n) {
	vec3 p = (vec3(n.lo[0], n.lo[1], n.lo[2]) - org) * inv;
	vec3 q = (vec3(n.hi[0], n.hi[1], n.hi[2]) - org) * inv;
	vec3 near = min(p, q), far = max(p, q);
	float enter = max(max(near.x, near.y), max(near.z, from - slack));
	float leave = min(min(far.x, far.y), min(far.z, reach));
	return enter <= leave ? enter : uintBitsToFloat(0x7F800000u);
}

// sheared moves a corner along the line into the plane through its origin; z is how far along the third axis.
vec3 sheared(uint corner) {
	uint i = 3u * uint(corners[corner]);
	precise float z = points[i + uint(axis.z)] - base.z;
	precise float x = points[i + uint(axis.x)] - base.x;
	precise float y = points[i + uint(axis.y)] - base.y;
	precise float mx = slope.x * z;
	precise float my = slope.y * z;
	precise float sx = x - mx;
	precise float sy = y - my;
	return vec3(sx, sy, z);
}

// edge returns p.x q.y - p.y q.x; the sign is right or it is 0.
float edge(vec3 p, vec3 q) {
	precise float a = p.x * q.y;
	precise float b = p.y * q.x;
	precise float d = a - b;
	return d;
}

double exactEdge(vec3 p, vec3 q) {
	precise double a = double(p.x) * double(q.y);
	precise double b = double(p.y) * double(q.x);
	precise double d = a - b;
	return d;
}

bool mixed(double u, double v, double w) {
	return (u < 0.0LF || v < 0.0LF || w < 0.0LF) && (u > 0.0LF || v > 0.0LF || w > 0.0LF);
}

// meet tests a triangle; of two at one place the one of the lower number counts.
void meet(uint t) {
	vec3 a = sheared(3u * t), b = sheared(3u * t + 1u), c = sheared(3u * t + 2u);
	float u0 = edge(c, b), v0 = edge(a, c), w0 = edge(b, a);
	if (min(u0, min(v0, w0)) < 0.0 && max(u0, max(v0, w0)) > 0.0) return;
	double u = exactEdge(c, b), v = exactEdge(a, c), w = exactEdge(b, a);
	if (mixed(u, v, w)) return;
	double area = u + v + w;
	if (area == 0.0LF) return;
	float at = float(scale * (u * double(a.z) + v * double(b.z) + w * double(c.z)) / area);
	if (!(at > from && at < to)) return;
	int number = numbers[t];
	if (at < best || at == best && number < found) {
		best = at;
		found = number;
		reach = min(reach, at + slack);
	}
}

// test looks at the triangles of a leaf.
void test(Node n) {
	uint first = n.leaf >> 4, end = first + (n.leaf & 15u);
	for (uint t = first; t < end; t++) meet(t);
}

void start(Line l) {
	org = vec3(l.origin[0], l.origin[1], l.origin[2]);
	vec3 d = vec3(l.direction[0], l.direction[1], l.direction[2]);
	for (int k = 0; k < 3; k++) inv[k] = 1.0 / (d[k] < 0.0 ? min(d[k], -LEAST) : max(d[k], LEAST));
	axis.z = 0;
	for (int k = 1; k < 3; k++) {
		if (abs(d[k]) > abs(d[axis.z])) axis.z = k;
	}
	axis.x = (axis.z + 1) % 3;
	axis.y = (axis.z + 2) % 3;
	scale = 1.0LF / double(d[axis.z]);
	slope = vec2(float(double(d[axis.x]) / double(d[axis.z])), float(double(d[axis.y]) / double(d[axis.z])));
	base = vec3(org[axis.x], org[axis.y], org[axis.z]);
	from = l.from;
	to = l.to;
	reach = l.to + slack;
	best = uintBitsToFloat(0x7F800000u);
	found = NONE;
}

void walk() {
	uint stack[DEPTH];
	float entered[DEPTH];
	int height = 0;
	uint i = 0u;
	if (enters(nodes[0]) > reach) return;
	for (;;) {
		Node n = nodes[i];
		bool down = n.leaf == 0u;
		if (down) {
			uint p = i + 1u, q = uint(nodes[p].skip);
			float ep = enters(nodes[p]), eq = enters(nodes[q]);
			if (eq < ep) {
				uint swapped = p;
				p = q;
				q = swapped;
				float e = ep;
				ep = eq;
				eq = e;
			}
			if (eq <= reach) {
				stack[height] = q;
				entered[height] = eq;
				height++;
			}
			i = p;
			down = ep <= reach;
		} else {
			test(n);
#ifdef ANY
			if (found != NONE) return;
#endif
		}
		while (!down) {
			if (height == 0) return;
			height--;
			i = stack[height];
			down = entered[height] <= reach;
		}
	}
}

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	start(lines[i]);
	walk();
	hits[i] = uvec2(floatBitsToUint(best), uint(found));
}
