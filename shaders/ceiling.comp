#version 430
#include "prelude.glsl"

// Peak rates of the device, the reference for the primitives: with COPY each invocation moves a vec4, otherwise it
// does ROUNDS × 8 multiply-adds in registers.

layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer Given { vec4 given[]; };
layout(std430, binding = 1) writeonly buffer Taken { vec4 taken[]; };

void main() {
	uint i = itemIndex();
	if (i >= itemCount()) return;
	vec4 a = given[i];
#ifdef ROUNDS
	vec4 b = a + 1.0;
	for (int k = 0; k < ROUNDS; k++) {
		a = a * 0.999 + b;
		b = b * 0.998 + a;
	}
	a += b;
#endif
	taken[i] = a;
}
