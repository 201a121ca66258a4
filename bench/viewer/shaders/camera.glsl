// Projection of positions to points of the picture: a parallel view. Positions are in mm from the middle of the part.

uniform vec3 right, up, eye; // unit vectors of the picture, the last one toward the eye
uniform vec3 scale;          // of those axes, per mm

out vec3 colour;
out vec3 place;

void show(vec3 p, vec3 c) {
	place = p;
	colour = c;
	gl_Position = vec4(vec3(dot(p, right), dot(p, up), -dot(p, eye)) * scale, 1.0);
}

// hide discards a vertex; all vertices of a discarded triangle call it.
void hide() {
	place = colour = vec3(0.0);
	gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}
