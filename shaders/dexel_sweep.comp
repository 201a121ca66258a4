#version 430
#include "prelude.glsl"

// Sweep: each work group cuts one tile of rays with the straight legs that may reach it, in their order. Each
// invocation processes some of the rays. The method is the processor's for oblique rays (compute/sweep, skew.go),
// which applies to rays of any direction. The least and greatest s with o + s·d - t·v within a slab for some t in [0,
// 1] are among these points: points of a conic with a tangent along t, its intersections with the ends of the move
// and with the heights of the slab, and corners. All computations are in float64.

layout(local_size_x = 256) in;
struct Slab { double z0, z1, r0, r1, zero, bend, lean, square; };
struct Leg { double from[3], by[3], top, part; };
layout(std430, binding = 0) buffer Spans { vec2 spans[]; };   // ROOM per ray, tile by tile
layout(std430, binding = 1) buffer Counts { uint counts[]; }; // spans of each ray, or OVER: capacity exceeded
layout(std430, binding = 2) readonly buffer Slabs { Slab slabs[]; };
layout(std430, binding = 3) readonly buffer Legs { Leg legs[]; };
layout(std430, binding = 4) readonly buffer Ranges { uvec4 ranges[]; }; // per tile: range in lists, position
layout(std430, binding = 5) readonly buffer Lists { uint lists[]; };
layout(std430, binding = 6) writeonly buffer Removed { uint removed[]; }; // per number in lists, in units of length
layout(std430, binding = 7) buffer Updates { uint updates[]; };           // per tile
layout(std430, binding = 8) readonly buffer Rays { double frame[12]; };   // origin, right, up, direction
layout(std430, binding = 9) readonly buffer Parts { uvec4 parts[]; };     // of the tool: first slab, slabs, touches only
#ifdef GUARD
layout(std430, binding = 10) writeonly buffer Deepest { uint deepest[]; }; // per number in lists, units above the ray
layout(std430, binding = 11) readonly buffer KeptStarts { uint keptStarts[]; };
layout(std430, binding = 12) readonly buffer Kept { vec2 kept[]; };
uniform float slack; // mm
shared uint gouged[64];
uint entry; // index of the current leg between two barriers
#endif

uniform uint firstTile; // of the buffers of rays
uniform uvec4 layoutOf; // columns and rows of rays, tiles across
uniform uvec2 pass;     // counts of finished and of current list entries of a tile
uniform float unit;     // mm

const uint RAYS = SIDE * SIDE, OVER = 0xffu;
const int PART = 64; // legs between two barriers
const double SLACK = 1e-9lf, FAR = 1e30lf, JOINT = 1e-7lf;

shared uint cut[PART];
shared uint struck;

dvec3 d, v, o; // ray direction, move, ray start relative to the tool at the start of the move
double lo, hi;

// take counts a point in, unless a coordinate is not a number.
void take(double s) {
	if (abs(s) < FAR) {
		lo = min(lo, s);
		hi = max(hi, s);
	}
}

// roots solves a·x² + 2b·x + c = 0; a missing solution is FAR.
dvec2 roots(double a, double b, double c) {
	double q = b * b - a * c;
	if (q < 0.0lf) return dvec2(FAR);
	q = b < 0.0lf ? sqrt(q) - b : -sqrt(q) - b;
	return dvec2(abs(a) > 0.0lf ? q / a : FAR, abs(q) > 0.0lf ? c / q : FAR);
}

void offer(Slab b, double s, double t) {
	double z = o.z + s * d.z - t * v.z, h = SLACK * (b.z1 - b.z0);
	if (abs(s) < FAR && t >= -SLACK && t <= 1.0lf + SLACK && z >= b.z0 - h && z <= b.z1 + h) take(s);
}

// cap takes the points of the disc of radius r at height z: the points where the ray passes its inside at the ends of
// the move, and its rim. At that height the point of the ray is at (s, t) = from + w·(v.z, d.z) for any w, however
// small the slopes of ray and move are.
void cap(double z, double r) {
	double n = d.z * d.z + v.z * v.z;
	if (n == 0.0lf) return;
	if (d.z != 0.0lf) {
		double s0 = (z - o.z) / d.z, s1 = v.z / d.z, most = r * r * (1.0lf + SLACK);
		dvec2 p = o.xy + s0 * d.xy, q = p + s1 * d.xy - v.xy;
		if (dot(p, p) <= most) take(s0);
		if (dot(q, q) <= most) take(s0 + s1);
	}
	dvec2 from = (z - o.z) / n * dvec2(d.z, -v.z);
	dvec2 p = o.xy + from.x * d.xy - from.y * v.xy, m = v.z * d.xy - d.z * v.xy;
	dvec2 w = roots(dot(m, m), dot(p, m), dot(p, p) - r * r);
	for (int k = 0; k < 2; k++) {
		double t = from.y + w[k] * d.z;
		if (abs(w[k]) < FAR && t >= -SLACK && t <= 1.0lf + SLACK) take(from.x + w[k] * v.z);
	}
}

// meet computes lo and hi of a slab; lo > hi where the ray misses it.
void meet(Slab k) {
	lo = FAR;
	hi = -FAR;
	double w = o.z - k.zero;
	double a = dot(d.xy, d.xy) - k.bend * d.z * d.z;
	double b = k.bend * d.z * v.z - dot(d.xy, v.xy);
	double c = dot(v.xy, v.xy) - k.bend * v.z * v.z;
	double e = dot(o.xy, d.xy) - (k.bend * w + k.lean) * d.z;
	double f = (k.bend * w + k.lean) * v.z - dot(o.xy, v.xy);
	double g = dot(o.xy, o.xy) - (k.bend * w + 2.0lf * k.lean) * w - k.square;
	if (c != 0.0lf) {
		dvec2 s = roots(a - b * b / c, e - b * f / c, g - f * f / c);
		offer(k, s.x, -(b * s.x + f) / c);
		offer(k, s.y, -(b * s.y + f) / c);
	}
	dvec2 s = roots(a, e, g);
	offer(k, s.x, 0.0lf);
	offer(k, s.y, 0.0lf);
	s = roots(a, b + e, c + 2.0lf * f + g);
	offer(k, s.x, 1.0lf);
	offer(k, s.y, 1.0lf);
	cap(k.z0, k.r0);
	cap(k.z1, k.r1);
}

// erase removes [from, to] from the spans of a ray and returns the length removed.
float erase(uint ray, float from, float to) {
	uint n = counts[ray], base = ray * ROOM, kept = 0u;
	if (n == OVER || !(from < to)) return 0.0;
	float gone = 0.0;
	vec2 late = vec2(0.0); // the upper part of a span that was cut in two
	for (uint k = 0u; k < n; k++) {
		vec2 s = spans[base + k];
		if (late.y > late.x) { // all spans from here on lie above the cut: shift them
			spans[base + kept++] = late;
			late = s;
			continue;
		}
		if (s.y <= from || s.x >= to) {
			spans[base + kept++] = s;
			continue;
		}
		gone += min(s.y, to) - max(s.x, from);
		bool lower = s.x < from, upper = s.y > to;
		if (lower) spans[base + kept++] = vec2(s.x, from);
		if (upper && lower) late = vec2(to, s.y);
		else if (upper) spans[base + kept++] = vec2(to, s.y);
	}
	if (late.y > late.x) {
		if (kept >= ROOM) {
			counts[ray] = OVER;
			return gone;
		}
		spans[base + kept++] = late;
	}
	counts[ray] = kept;
	return gone;
}

// within returns the length of the intersection of a ray's spans with [from, to].
float within(uint ray, float from, float to) {
	uint n = counts[ray], base = ray * ROOM;
	float sum = 0.0;
	for (uint k = 0u; k < n && n != OVER; k++) sum += max(min(spans[base + k].y, to) - max(spans[base + k].x, from), 0.0);
	return sum;
}

#ifdef GUARD
// guard records the depth of the cut [from, to] into the target spans of a ray.
void guard(uint ray, float from, float to) {
	uint n = counts[ray], base = ray * ROOM;
	if (n == OVER) return;
	for (uint q = keptStarts[ray]; q < keptStarts[ray + 1u]; q++) {
		float a = max(kept[q].x, from), b = min(kept[q].y, to);
		for (uint k = 0u; k < n && a < b; k++) {
			float depth = min(spans[base + k].y, b) - max(spans[base + k].x, a);
			if (depth > slack) atomicMax(gouged[entry], uint(ceil(depth / unit)) * RAYS + RAYS - 1u - ray % RAYS);
		}
	}
}
#endif

// act removes [from, to] from a ray, or measures it, and returns the length.
float act(uint ray, float from, float to, bool touches) {
	float length = 0.0;
	if (touches) {
		length = within(ray, from, to);
	} else {
#ifdef GUARD
		guard(ray, from, to);
#endif
		length = erase(ray, from, to);
	}
	return length;
}

// strike intersects a ray with one leg; the slabs of the tool are in ascending order, and touching ones form one cut.
float strike(uint ray, double top, uvec4 piece) {
	double from = FAR, to = -FAR;
	float gone = 0.0;
	bool hit = false;
	for (uint k = piece.x; k < piece.x + piece.y; k++) {
		if (slabs[k].z0 > top) break;
		meet(slabs[k]);
		if (lo > hi) continue;
		hit = true;
		if (from <= to && (lo > to + JOINT || hi < from - JOINT)) {
			gone += act(ray, float(from), float(to), piece.z != 0u);
			from = lo;
			to = hi;
		} else {
			from = min(from, lo);
			to = max(to, hi);
		}
	}
	if (hit) {
		gone += act(ray, float(from), float(to), piece.z != 0u);
		atomicAdd(struck, 1u);
	}
	return gone;
}

void main() {
	uint tile = groupIndex(), me = gl_LocalInvocationIndex;
	uint at = firstTile + tile;
	uint first = ranges[at].x + pass.x, last = min(ranges[at].y, first + pass.y);
	uvec2 corner = uvec2(ranges[at].z % layoutOf.z, ranges[at].z / layoutOf.z) * SIDE;
	dvec3 origin = dvec3(frame[0], frame[1], frame[2]), right = dvec3(frame[3], frame[4], frame[5]);
	dvec3 up = dvec3(frame[6], frame[7], frame[8]);
	d = dvec3(frame[9], frame[10], frame[11]);
	if (me == 0u) struck = 0u;
	for (uint part = first; part < last; part += PART) {
		if (me < PART) cut[me] = 0u;
#ifdef GUARD
		if (me < PART) gouged[me] = 0u;
#endif
		barrier();
		uint end = min(last, part + PART);
		for (uint k = part; k < end; k++) {
			Leg leg = legs[lists[k]];
			v = dvec3(leg.by[0], leg.by[1], leg.by[2]);
			uvec4 piece = parts[uint(leg.part)];
#ifdef GUARD
			entry = k - part;
#endif
			for (uint r = me; r < RAYS; r += gl_WorkGroupSize.x) {
				uvec2 place = corner + uvec2(r % SIDE, r / SIDE);
				if (place.x >= layoutOf.x || place.y >= layoutOf.y || counts[tile * RAYS + r] == 0u) continue;
				o = origin + double(place.x) * right + double(place.y) * up;
				o -= dvec3(leg.from[0], leg.from[1], leg.from[2]);
				float gone = strike(tile * RAYS + r, leg.top, piece);
				if (gone > 0.0) atomicAdd(cut[k - part], uint(ceil(gone / unit)));
			}
		}
		barrier();
		if (part + me < end && me < PART) removed[part + me] = cut[me];
#ifdef GUARD
		if (part + me < end && me < PART) deepest[part + me] = gouged[me];
#endif
		barrier();
	}
	barrier();
	if (me == 0u && first < last) updates[tile] += struck;
}
