// The bodies that parts are cut from, with the features of their own faces.
#pragma once
#include "recipe.hpp"

struct Stock {
  double length = 0, width = 0, height = 0;
  Tag top = kNone, bottom = kNone;
  std::vector<Tag> planes;  // upright, in the order +x, +y, -x, -y where there are four
  std::vector<Tag> curved;
  size_t profile = SIZE_MAX;  // feature, where there is one
  bool isBox = false;         // four upright planes square to one another and nothing else

  // plan is the spot of the top, side that of an upright plane of a box: 0 to 3 as above.
  Spot plan(const Part& p) const;
  Spot under(const Part& p) const;
  Spot side(const Part& p, int i) const;
};

// outward is the normal of a plane, out of the material.
gp_Dir outward(const TopoDS_Face& f);

// raise makes a body of an outline, whose corners at right angles to one another make a box.
Stock raise(Part& p, const Outline& o, double length, double width, double height);
// angle is the stock of a bracket: a base with an upright at its -x end, and the step between them.
struct Angle {
  Spot base, upright;  // what is free of the step's floor and of its wall
};
Angle angle(Part& p, Random& r);
// lid cuts the top of a stock to a free-form surface.
void lid(Part& p, Random& r, Stock& s, double swing);
// slanted cuts the -x side of a bulged stock off at an angle, so that its +x side is a wall by itself.
Stock slanted(Part& p, Random& r);
