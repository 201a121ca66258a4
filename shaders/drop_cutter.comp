#version 430
#include "prelude.glsl"

// DropCutter: each work group finds the heights of the tool's tip above one tile of cells, an invocation each. It
// processes the elements that the tool can touch there, the highest first, until no element can raise the cell. The
// method is that of the processor (compute/dropcutter, cpu.go): facets moved to the contact of the tool, sides in
// closed form except at corner radii, and corners. All computations are in float64. Columns and rows count from cell
// 0.

layout(local_size_x = TILE, local_size_y = TILE) in;
layout(std430, binding = 0) readonly buffer Starts { uint starts[]; }; // of the items of each tile
layout(std430, binding = 1) readonly buffer Items { uvec2 items[]; }; // number << 2 | kind, and maximum as float
layout(std430, binding = 2) readonly buffer Facets { double facets[]; };   // three corners, the move in u and v, the lift
layout(std430, binding = 3) readonly buffer Sides { double sides[]; };     // both ends
layout(std430, binding = 4) readonly buffer Corners { double corners[]; };
layout(std430, binding = 5) readonly buffer Tool { double spans[]; };      // see SPAN; then the kinks
layout(std430, binding = 6) writeonly buffer Tips { float tips[]; };

uniform ivec2 size;       // cells
uniform uvec2 toolCounts; // spans and kinks
uniform float empty;      // minus infinity
uniform uvec2 lengths;    // mm, as the two words of a double: a step; and
uniform uvec2 reachOf;    // the radius of the tool

const uint SPAN = 8u; // from, to, height at from, height at to, radius, center across and along, slope
const uint FACET = 12u, SIDE = 6u, CORNER = 3u;
const double FAR = 1e300lf, SLACK = 1.0lf / 1048576.0lf; // cells
const double NEAR = 1e-9lf;

float best;
double stepMM, rim;

void propose(double z) {
	if (z > double(best)) best = float(z);
}

double span(uint k, uint what) { return spans[SPAN * k + what]; }

// under returns the height of the tool at r mm from its axis.
double under(double r) {
	for (uint k = 0u; k < toolCounts.x; k++) {
		double to = span(k, 1u);
		if (r > to) continue;
		double from = span(k, 0u), radius = span(k, 4u);
		if (r >= to) return span(k, 3u);
		if (r <= from) return span(k, 2u);
		if (radius == 0.0lf) return span(k, 2u) + (span(k, 3u) - span(k, 2u)) * ((r - from) / (to - from));
		double d = r - span(k, 5u);
		return span(k, 6u) - radius + d * d / (radius + sqrt(max(radius * radius - d * d, 0.0lf)));
	}
	return FAR;
}

// The intersection of a row with a triangle: column and height at both ends.
dvec4 row;

void widen(double u, double z) {
	if (u < row.x || u == row.x && z > row.y) row.xy = dvec2(u, z);
	if (u > row.z || u == row.z && z > row.w) row.zw = dvec2(u, z);
}

void crossing(dvec3 a, dvec3 b, double v) {
	if (a.y > b.y || a.y == b.y && a.x > b.x) {
		dvec3 c = a;
		a = b;
		b = c;
	}
	if (v < a.y || v > b.y) return;
	if (a.y == b.y || v == a.y) widen(a.x, a.z);
	if (a.y == b.y || v == b.y) {
		widen(b.x, b.z);
		return;
	}
	if (v == a.y) return;
	double d = v - a.y, per = b.y - a.y;
	double u = a.x + d * ((b.x - a.x) / per), z = a.z + d * ((b.z - a.z) / per);
	widen(clamp(u, min(a.x, b.x), max(a.x, b.x)), clamp(z, min(a.z, b.z), max(a.z, b.z)));
}

void facet(uint base, dvec2 cell) {
	dvec3 a = dvec3(facets[base], facets[base + 1u], facets[base + 2u]);
	dvec3 b = dvec3(facets[base + 3u], facets[base + 4u], facets[base + 5u]);
	dvec3 c = dvec3(facets[base + 6u], facets[base + 7u], facets[base + 8u]);
	dvec2 move = dvec2(facets[base + 9u], facets[base + 10u]);
	double least = min(a.y, min(b.y, c.y)), most = max(a.y, max(b.y, c.y));
	if (cell.y < least + move.y - SLACK || cell.y > most + move.y + SLACK) return;
	double v = clamp(cell.y - move.y, least, most);
	row = dvec4(FAR, 0.0lf, -FAR, 0.0lf);
	crossing(a, b, v);
	crossing(b, c, v);
	crossing(c, a, v);
	if (cell.x < row.x + move.x - SLACK || cell.x > row.z + move.x + SLACK) return;
	double lower = min(row.y, row.w), upper = max(row.y, row.w), z = upper;
	double width = row.z - row.x, t = cell.x - move.x - row.x;
	if (width > 0.0lf && abs(row.w - row.y) < FAR * width) z = clamp(row.y + t * ((row.w - row.y) / width), lower, upper);
	propose(z + facets[base + 11u]);
}

void corner(uint base, dvec2 cell) {
	dvec2 d = (cell - dvec2(corners[base], corners[base + 1u])) * stepMM;
	double d2 = dot(d, d);
	if (d2 <= rim * rim) propose(corners[base + 2u] - under(sqrt(d2)));
}

// A side under the tool, in mm. It rises by rise per mm. The axis passes it at the distance off, next to the point
// with the height foot. The ends of the side are back and ahead of that point.
double foot, rise, off, back, ahead;

// touching proposes the contact at d mm from the axis, uphill.
void touching(double d) {
	double w = sqrt(max((d - off) * (d + off), 0.0lf));
	if (rise < 0.0lf) w = -w;
	if (w < back - SLACK * stepMM || w > ahead + SLACK * stepMM) return;
	propose(foot + rise * max(min(w, ahead), back) - under(d));
}

// torus returns the contact of a rounded corner with the side: see touchTorus in cutter.go.
double torus(uint k, double steep) {
	double radius = span(k, 4u), across = span(k, 5u), m2 = steep * steep, r2 = radius * radius;
	double lo = max(radius * steep / sqrt(1.0lf + m2), off - across), hi = radius, x = 0.5lf * (lo + hi);
	for (int round = 0; round < 60; round++) {
		double d = across + x, clear = (d - off) * (d + off), bow = m2 * (r2 - x * x);
		double g = x * x * clear - bow * d * d;
		if (g < 0.0lf) lo = x;
		else hi = x;
		double slope = 2.0lf * (x * clear + x * x * d + m2 * x * d * d - bow * d);
		double next = abs(slope) > 0.0lf ? x - g / slope : lo;
		if (!(next > lo && next < hi)) next = 0.5lf * (lo + hi);
		bool done = abs(next - x) <= NEAR * radius;
		x = next;
		if (done) break;
	}
	return across + x;
}

void side(uint base, dvec2 cell) {
	dvec3 a = dvec3(sides[base], sides[base + 1u], sides[base + 2u]);
	dvec3 b = dvec3(sides[base + 3u], sides[base + 4u], sides[base + 5u]);
	dvec2 way = (b.xy - a.xy) * stepMM, from = (cell - a.xy) * stepMM;
	double far = sqrt(dot(way, way));
	way /= far;
	double along = dot(from, way);
	off = abs(from.x * way.y - from.y * way.x);
	double beyond = along - clamp(along, 0.0lf, far);
	if (off * off + beyond * beyond > rim * rim) return;
	rise = (b.z - a.z) / far;
	foot = a.z + rise * along;
	back = -along;
	ahead = far - along;
	if (rise == 0.0lf) {
		touching(off);
		return;
	}
	double steep = abs(rise);
	for (uint k = 0u; k < toolCounts.x; k++) {
		double radius = span(k, 4u), d;
		if (span(k, 1u) < off) continue;
		if (radius == 0.0lf) {
			double slope = span(k, 7u);
			if (slope <= steep) continue;
			d = off * slope / sqrt((slope - steep) * (slope + steep));
		} else if (span(k, 5u) == 0.0lf) {
			double w2 = (radius - off) * (radius + off) / (1.0lf + steep * steep) * steep * steep;
			d = sqrt(max(w2, 0.0lf) + off * off);
		} else {
			d = torus(k, steep);
		}
		if (d >= span(k, 0u) && d <= span(k, 1u)) touching(d);
	}
	for (uint k = 0u; k < toolCounts.y; k++) {
		double d = spans[SPAN * toolCounts.x + k];
		if (d >= off) touching(d);
	}
}

void main() {
	uvec3 tile = groupID();
	ivec2 at = ivec2(tile.xy * gl_WorkGroupSize.xy + gl_LocalInvocationID.xy);
	if (at.x >= size.x || at.y >= size.y) return;
	stepMM = packDouble2x32(lengths);
	rim = packDouble2x32(reachOf);
	best = empty;
	dvec2 cell = dvec2(at);
	uint number = tile.y * mwGroups.x + tile.x;
	for (uint k = starts[number]; k < starts[number + 1u]; k++) {
		uvec2 item = items[k];
		if (uintBitsToFloat(item.y) <= best) break;
		uint which = item.x >> 2, kind = item.x & 3u;
		if (kind == 0u) facet(FACET * which, cell);
		else if (kind == 1u) side(SIDE * which, cell);
		else corner(CORNER * which, cell);
	}
	tips[at.y * size.x + at.x] = best;
}
