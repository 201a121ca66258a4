// Closed outlines in the plane z = 0, and the solids that they sweep.
#pragma once
#include <TopoDS_Wire.hxx>
#include <vector>

#include "body.hpp"

struct Point {
  double x, y;
};

class Outline {
 public:
  // polygon runs counter-clockwise; its corners are rounded by radius where it is not 0.
  static Outline polygon(const std::vector<Point>& corners, double radius = 0);
  static Outline rectangle(double length, double width, double radius = 0);  // around the origin
  static Outline regular(int sides, double radius);
  static Outline circle(double radius);
  static Outline slot(double length, double width);  // round ends, over all, along x
  // bulged is a rectangle whose side at +x is an arc that stands out by bulge.
  static Outline bulged(double length, double width, double bulge);

  TopoDS_Wire wire;
};

// The tags of a prism's faces.
struct Sides {
  Tag side, bottom, top;
};

Body prism(const Outline& o, double z0, double z1, const Sides& tags);

// extruded is a prism along y, from a polygon in x and z around the middle of a width; side i of the polygon,
// from corner i to the next, has tag first + i, the ends those of the last two arguments.
Body extruded(const std::vector<Point>& xz, double y0, double y1, Tag first, Tag low, Tag high);

// Ring is a point of the half profile that is turned about z.
struct Ring {
  double r, z;
};

// turned starts at its top and ends on the axis or at its bottom; a ball closes it with half a sphere.
Body turned(const std::vector<Ring>& rings, bool ball, Tag wall, double none);
