// Shared by the passes of the visibility primitive: the scene seen along several directions.

layout(std430, binding = 0) readonly buffer Axes { double axes[]; }; // per direction x, y and z of the view

// turn rounds a position in steps to whole steps along the axes of a view; float represents these exactly.
vec3 turn(uint view, dvec3 p) {
	uint a = 9u * view;
	dvec3 q = dvec3(
		axes[a] * p.x + axes[a + 1u] * p.y + axes[a + 2u] * p.z,
		axes[a + 3u] * p.x + axes[a + 4u] * p.y + axes[a + 5u] * p.z,
		axes[a + 6u] * p.x + axes[a + 7u] * p.y + axes[a + 8u] * p.z);
	return vec3(round(q));
}
