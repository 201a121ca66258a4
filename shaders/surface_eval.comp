#version 430
#include "prelude.glsl"
#include "surface_sample.glsl"

// EvalSurface for planes and for surfaces of revolution of a meridian (rho(v), z(v)). The processor has reduced the
// angles to [-π, π], and counts lengths from the middle of their range.
//
// With e = cos u·X + sin u·Y the normal is along ±(z'·e - rho'·Z). The principal curvatures are those along
// u, -z'/(|rho|·|(rho', z')|), and along the meridian. Next to the axis rho has lost its digits: doubtful.

struct Record {
	vec4 x; // axis, kind
	vec4 y; // axis, 1 in a right-handed frame and -1 in a mirrored one
	vec4 z; // axis, reach of the batch
	vec4 o; // origin of the frame, radius at v = 0 (major radius of a torus)
	vec4 c; // tangent, cosine and sine of a half angle; minor radius of a torus; side of its normal, 0 = sign of rho
};
layout(std430, binding = 2) readonly buffer Records { Record records[]; };

const int PLANE = 0, CONE = 1, SPHERE = 2, TORUS = 3;

// The built-in functions guarantee no accuracy. These are within 2 units for |x| ≤ 2π: a reduction to ±π/4 by π/2 in
// three parts and the polynomials of Moshier's Cephes library (sinf.c).
vec2 cosSin(float x) {
	float k = roundEven(x * 0.63661977);
	precise float r = ((x - k * 1.5703125) - k * 4.837512969970703125e-4) - k * 7.54978995489188216e-8;
	float s = r * r;
	float sine = r + r * s * ((-1.9515295891e-4 * s + 8.3321608736e-3) * s - 1.6666654611e-1);
	float cosine = 1.0 - 0.5 * s + s * s * ((2.443315711809948e-5 * s - 1.388731625493765e-3) * s + 4.166664568298827e-2);
	int quadrant = int(k) & 3;
	vec2 cs = (quadrant & 1) == 0 ? vec2(cosine, sine) : vec2(-sine, cosine);
	return (quadrant & 2) == 0 ? cs : -cs;
}

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	Record r = records[owners[i]];
	vec2 uv = parameters[i];
	int kind = int(r.x.w);
	float hand = r.y.w;
	if (kind == PLANE) {
		answer(i, r.o.xyz + uv.x * r.x.xyz + uv.y * r.y.xyz, r.z.xyz * hand, vec2(0.0), true);
		return;
	}
	vec2 cu = cosSin(uv.x);
	vec3 e = cu.x * r.x.xyz + cu.y * r.y.xyz;
	float rho, z, side;
	vec2 across; // normal along e and Z, before its side
	vec2 k;
	if (kind == CONE) {
		rho = r.o.w + uv.y * r.c.x;
		z = uv.y;
		side = rho < 0.0 ? -1.0 : 1.0;
		across = vec2(r.c.y, -r.c.z);
		k = vec2(-hand * r.c.y / abs(rho), 0.0);
	} else {
		vec2 cv = cosSin(uv.y);
		float radius = kind == SPHERE ? r.o.w : r.c.x;
		rho = kind == SPHERE ? radius * cv.x : r.o.w + radius * cv.x;
		z = radius * cv.y;
		float outside = rho < 0.0 ? -1.0 : 1.0;
		side = r.c.w == 0.0 ? outside : r.c.w;
		across = cv;
		k = vec2(kind == SPHERE ? -hand * outside / radius : -hand * cv.x / abs(rho), -hand * outside / radius);
	}
	vec3 n = side * hand * (across.x * e + across.y * r.z.xyz);
	answer(i, r.o.xyz + rho * e + z * r.z.xyz, n, k, abs(rho) > r.z.w * AXIS);
}
