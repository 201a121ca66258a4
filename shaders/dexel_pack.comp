#version 430
#include "prelude.glsl"

// Sweep, first and last pass: conversion between packed spans of rays, as they are transferred, and the ROOM span
// slots that each ray has while it is cut. One ray per invocation.

layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Spans { vec2 spans[]; };
layout(std430, binding = 1) readonly buffer Counts { uint counts[]; }; // spans of each ray
layout(std430, binding = 2) readonly buffer Starts { uint starts[]; }; // of each ray in the packed spans
layout(std430, binding = 3) buffer Sent { vec2 sent[]; };

void main() {
	uint ray = itemIndex();
	if (ray >= itemCount()) return;
	for (uint k = 0u; k < counts[ray]; k++) {
#ifdef UNPACK
		spans[ray * ROOM + k] = sent[starts[ray] + k];
#else
		sent[starts[ray] + k] = spans[ray * ROOM + k];
#endif
	}
}
