#version 430
#include "prelude.glsl"

// Distance, second pass: each invocation takes the lower envelope of the parabolas of one row, by the method of
// the processor (compute/distance, transform.go), except that it divides where parabolas enter the envelope. All
// numbers are integers below 2^53, which doubles represent exactly; the remainder corrects a quotient.
//
// With WIDE distances have 64 bits. With MERGE a result replaces the stored one if it is nearer.

layout(local_size_x = 32) in;
layout(std430, binding = 1) readonly buffer Near { int near[]; };
layout(std430, binding = 2) buffer Parts { uint parts[]; }; // column and start, 16 bits each
#ifdef WIDE
layout(std430, binding = 3) buffer Squared { uvec2 squared[]; }; // low word first
#else
layout(std430, binding = 3) buffer Squared { uint squared[]; };
#endif
layout(std430, binding = 4) buffer Nearest { int nearest[]; };

uniform ivec2 size;   // cells
uniform int shift;    // a cell has 1 << shift units
uniform int byRow;    // 1: of equally near sites the one in the lower row wins, else the one in the lower column
uniform uvec2 stride; // of the results, from column to column and from row to row
uniform ivec3 number; // of a site: factors of column and row, and an offset

int row; // row of this invocation

double height(int p) {
	double d = double((row << shift) - p);
	return d * d;
}

uint place(int k) { return uint(k) * uint(size.y) + uint(row); }

void put(int x, int site, double d) {
	uint at = uint(x) * stride.x + uint(row) * stride.y;
#ifdef WIDE
	uint high = uint(d * (1.0lf / 4294967296.0lf));
	uvec2 value = site < 0 ? uvec2(0xffffffffu) : uvec2(uint(d - double(high) * 4294967296.0lf), high);
#else
	uint value = site < 0 ? 0xffffffffu : uint(d);
#endif
#ifdef MERGE
	uvec2 old = squared[at];
	if (value.y > old.y || value.y == old.y && value.x > old.x) return;
	if (value == old && (site < 0 || site > nearest[at])) return;
#endif
	squared[at] = value;
	nearest[at] = site;
}

void main() {
	if (itemIndex() >= itemCount()) return;
	row = int(itemIndex());
	double unit = double(1 << shift);
	unit *= unit;
	int top = -1;
	for (int i = 0; i < size.x; i++) {
		int p = near[place(i)];
		if (p < 0) continue;
		double g = height(p);
		precise double n = 0.0lf;
		double gap = 0.0lf;
		bool wins = false; // a tie
		while (top >= 0) {
			uint part = parts[place(top)];
			int k = int(part & 0xffffu), q = near[place(k)];
			gap = double(i - k);
			n = g - height(q) + gap * double(i + k) * unit;
			wins = byRow == 1 && p >> shift < q >> shift;
			precise double v = n - 2.0lf * double(part >> 16) * gap * unit;
			if (v > 0.0lf || v == 0.0lf && !wins) break;
			top--;
		}
		double start = 0.0lf;
		if (top >= 0) {
			if (wins) n -= 1.0lf;
			double m = 2.0lf * gap * unit;
			precise double q = floor(n / m);
			precise double r = n - q * m;
			if (r < 0.0lf) q -= 1.0lf;
			if (r >= m) q += 1.0lf;
			start = q + 1.0lf;
		}
		if (start >= double(size.x)) continue;
		top++;
		parts[place(top)] = uint(start) << 16 | uint(i);
	}
	if (top < 0) {
		for (int x = 0; x < size.x; x++) put(x, -1, 0.0lf);
		return;
	}
	for (int k = 0; k <= top; k++) {
		uint part = parts[place(k)];
		int c = int(part & 0xffffu), p = near[place(c)];
		int end = k < top ? int(parts[place(k + 1)] >> 16) : size.x;
		int site = c * number.x + (p >> shift) * number.y + number.z;
		double g = height(p);
		for (int x = int(part >> 16); x < end; x++) {
			double d = double((x - c) << shift);
			put(x, site, g + d * d);
		}
	}
}
