#version 430
#include "prelude.glsl"
#include "surface_sample.glsl"

// EvalSurface for B-splines, each polynomial piece as a Bézier patch relative to its middle, with parameters in [0,
// 1] within it. Points are sums of control points weighted by the Bernstein polynomials. Derivatives are sums of the
// differences of control points weighted by those of a lower degree: they lose no accuracy where a patch is flat.
//
// The processor has bounded the errors of the derivatives per patch (see patchErrors in compute/evalsurface). Here
// they are propagated to the normal and the curvatures; a sample that might miss a bound is doubtful.
//
// ORDER is the maximum number of control points of a side.

struct Patch {
	vec4 middle; // from the batch's origin; 1 over the greatest distance of a control point from it
	vec4 slack;  // errors of the derivatives: u, v, uu, uv
	vec4 more;   // vv
	uvec4 net;   // first control point, degrees in u and v, 1 when rational
};
layout(std430, binding = 2) readonly buffer Patches { Patch patches[]; };
layout(std430, binding = 3) readonly buffer Controls { vec4 controls[]; }; // weight·(point from middle), weight

// bernstein computes the polynomials of degree p, p-1 and p-2 at t, with zeros after them.
void bernstein(float t, int p, out float b[ORDER], out float b1[ORDER], out float b2[ORDER]) {
	for (int k = 0; k < ORDER; k++) b[k] = b1[k] = b2[k] = 0.0;
	b[0] = 1.0;
	float s = 1.0 - t;
	for (int d = 1; d <= p; d++) {
		if (d == p) b1 = b;
		if (d == p - 1) b2 = b;
		float carried = 0.0;
		for (int k = 0; k < d; k++) {
			float below = b[k];
			b[k] = carried + s * below;
			carried = t * below;
		}
		b[d] = carried;
	}
}

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	Patch patch_ = patches[owners[i]];
	int p = int(patch_.net.y), q = int(patch_.net.z);
	uint row = uint(q + 1);
	float bu[ORDER], bu1[ORDER], bu2[ORDER], bv[ORDER], bv1[ORDER], bv2[ORDER];
	bernstein(parameters[i].x, p, bu, bu1, bu2);
	bernstein(parameters[i].y, q, bv, bv1, bv2);

#ifdef POINTS_ONLY
	vec4 h = vec4(0.0);
	for (int r = 0; r <= p; r++) {
		vec4 s = vec4(0.0);
		uint at = patch_.net.x + uint(r) * row;
		for (int c = 0; c <= q; c++) s += bv[c] * controls[at + uint(c)];
		h += bu[r] * s;
	}
	if (patch_.net.w != 0u) h.xyz *= 1.0 / h.w;
	answer(i, patch_.middle.xyz + h.xyz, vec3(0.0), vec2(0.0), true);
#else
	vec4 a = vec4(0.0), au = a, av = a, auu = a, auv = a, avv = a;
	for (int r = 0; r <= p; r++) {
		vec4 s = vec4(0.0), su = s, sv = s, suu = s, suv = s, svv = s;
		uint at = patch_.net.x + uint(r) * row;
		uint next = r < p ? at + row : at, after = r + 1 < p ? next + row : next;
		for (int c = 0; c <= q; c++) {
			uint one = c < q ? 1u : 0u, two = c + 1 < q ? 2u : one;
			vec4 x = controls[at], xu = controls[next] - x, xv = controls[at + one] - x;
			s += bv[c] * x;
			su += bv[c] * xu;
			sv += bv1[c] * xv;
			suu += bv[c] * ((controls[after] - controls[next]) - xu);
			suv += bv1[c] * ((controls[next + one] - controls[next]) - xv);
			svv += bv2[c] * ((controls[at + two] - controls[at + one]) - xv);
			at++, next++, after++;
		}
		a += bu[r] * s;
		au += bu1[r] * su;
		av += bu[r] * sv;
		auu += bu2[r] * suu;
		auv += bu1[r] * suv;
		avv += bu[r] * svv;
	}
	au *= float(p), av *= float(q), auv *= float(p * q);
	auu *= float(p * (p - 1)), avv *= float(q * (q - 1));
	if (patch_.net.w != 0u) { // quotients: The NURBS Book, A4.4
		float inv = 1.0 / a.w;
		a.xyz *= inv;
		au.xyz = (au.xyz - au.w * a.xyz) * inv;
		av.xyz = (av.xyz - av.w * a.xyz) * inv;
		auu.xyz = (auu.xyz - 2.0 * au.w * au.xyz - auu.w * a.xyz) * inv;
		avv.xyz = (avv.xyz - 2.0 * av.w * av.xyz - avv.w * a.xyz) * inv;
		auv.xyz = (auv.xyz - au.w * av.xyz - av.w * au.xyz - auv.w * a.xyz) * inv;
	}

	vec3 across = cross(au.xyz, av.xyz);
	float lu = length(au.xyz), lv = length(av.xyz), area = length(across);
	float sine = area / (lu * lv);
	vec3 n = across / area;
	float turn = (patch_.slack.x / lu + patch_.slack.y / lv + 8.0 * UNIT) / sine; // error of n, rad

	float e = lu * lu, f = dot(au.xyz, av.xyz);
	float l = dot(auu.xyz, n), m = dot(auv.xyz, n), k = dot(avv.xyz, n);
	float along = l / e, mean = (e * k - 2.0 * f * m + lv * lv * l) / (2.0 * area * area);
	float root = length(vec2(mean - along, (m - f * along) / area));
	vec2 bend = vec2(mean - root, mean + root);
	float second = patch_.slack.z / e + 2.0 * patch_.slack.w / (lu * lv) + patch_.more.x / (lv * lv);
	float size = length(auu.xyz) / e + 2.0 * length(auv.xyz) / (lu * lv) + length(avv.xyz) / (lv * lv);
	float off = (second + 8.0 * (turn + 8.0 * UNIT) * size) / (sine * sine); // error of the curvatures
	float allowed = CURVATURE_ERROR * max(max(abs(bend.x), abs(bend.y)), patch_.middle.w);
	// Comparisons are false for values that are not a number.
	answer(i, patch_.middle.xyz + a.xyz, n, bend, turn < NORMAL_ERROR && off < allowed && sine > 1e-3);
#endif
}
