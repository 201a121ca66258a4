// Shared by both shaders of EvalSurface: input samples, and output results with their state. With POINTS_ONLY the
// results are only points, which are within their bound everywhere.

layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer Parameters { vec2 parameters[]; };
layout(std430, binding = 1) readonly buffer Owners { uint owners[]; }; // record of each sample
// Declared by the shaders: 2 records, 3 control points.
layout(std430, binding = 4) writeonly buffer Points { vec4 points[]; }; // from the batch's origin, and the state

// States. A doubtful sample might miss an error bound and is evaluated again in float64.
const float CERTAIN = 1.0, DOUBTFUL = 2.0;

const float UNIT = 5.9604645e-8; // 2⁻²⁴, the unit of rounding

#ifdef POINTS_ONLY
void answer(uint i, vec3 p, vec3 n, vec2 k, bool certain) { points[i] = vec4(p, CERTAIN); }
#else
layout(std430, binding = 5) writeonly buffer Normals { vec4 normals[]; }; // and the smaller principal curvature
layout(std430, binding = 6) writeonly buffer Larger { float larger[]; };  // the other one

void answer(uint i, vec3 p, vec3 n, vec2 k, bool certain) {
	points[i] = vec4(p, certain ? CERTAIN : DOUBTFUL);
	normals[i] = vec4(n, min(k.x, k.y));
	larger[i] = max(k.x, k.y);
}
#endif
