// Recipes: what is cut into a spot or set upon it, with the facts that follow from its dimensions.
#pragma once
#include "outline.hpp"
#include "part.hpp"

constexpr double kDegree = M_PI / 180;

// Holes.
enum class HoleKind { kSimple, kCounterbored, kCountersunk, kStepped };
struct HoleSpec {
  HoleKind kind = HoleKind::kSimple;
  double diameter = 5;
  double depth = 10;  // of the cylinder; the spot's through where the hole goes through
  bool through = false;
  std::string bottom = "flat";  // of a blind hole
  double tip = 118;             // degrees, of a conical bottom
};
HoleSpec anyHole(Random& r, const Spot& s, double widest);
size_t drill(Part& p, Random& r, const Spot& s, const HoleSpec& h);

// Hollow is a pocket that was cut.
struct Hollow {
  size_t feature = 0;
  Tag wall = kNone;
  Spot floor;  // its plane, made smaller by the fillets; no size in a through pocket
};
struct PocketSpec {
  enum Shape { kRectangle, kSlot, kAngle, kRegular } shape = kRectangle;
  double length = 20, width = 15, depth = 5;
  double corner = 0;  // radius
  double fillet = 0;  // radius between wall and floor
  int sides = 6;      // of a regular one
  bool through = false;
};
PocketSpec anyPocket(Random& r, const Spot& s, bool through);
Hollow pocket(Part& p, const Spot& s, const PocketSpec& q);
// rim breaks the edge between a pocket's wall and the plane around it.
void rim(Part& p, Random& r, const Spot& s, const Hollow& h);

// Bosses. Returned is the spot on the top.
struct BossSpec {
  bool round = true;
  double length = 10, width = 10;  // the diameter is the length
  double height = 5, corner = 0, draft = 0, foot = 0;
  double root = 0.5;  // into the material
  enum Top { kSharp, kChamfered, kRounded } top = kSharp;
  double edge = 1;  // of the top's chamfer or rounding
};
BossSpec anyBoss(Random& r, const Spot& s, double highest);
Spot boss(Part& p, const Spot& s, const BossSpec& b, Hollow* in);

// Channels run along y of a spot, over its whole width, which is that of the part.
struct ChannelSpec {
  double width = 10, depth = 6;
  double fillet = 0;
  int openEnds = 2;  // 1: it ends at y = stop, square or round
  double stop = 0;
  bool round = true;
};
Hollow slot(Part& p, const Spot& s, const ChannelSpec& c);
// step takes away a side of the part: x > edge, notch a corner of it: also y > stop.
Hollow step(Part& p, const Spot& s, double edge, double depth, double fillet);
Hollow notch(Part& p, const Spot& s, double edge, double stop, double depth, double corner);
// vee is a groove of two planes that lean by an angle from the vertical and meet at its bottom.
Hollow vee(Part& p, const Spot& s, double width, double lean);
// ballSlot has a bottom that is half round; nothing but that where its depth is half its width.
Hollow ballSlot(Part& p, const Spot& s, double width, double depth);
// slantedStep is a step whose wall leans away from its floor.
Hollow slantedStep(Part& p, const Spot& s, double edge, double depth, double lean);
// corner cuts an outline out of a corner of a part, or out of its side.
Hollow corner(Part& p, const Spot& s, const std::string& name, const Outline& o, double depth);
size_t tslot(Part& p, const Spot& s, double neck, double neckDepth, double head, double headHeight,
             int openEnds, double stop);
size_t dovetail(Part& p, const Spot& s, double neck, double angle, double depth, double corner);

// Grooves for seals run round a middle.
struct GrooveSpec {
  bool round = true;
  double length = 20, width = 20;  // of the outer wall; the diameter is the length
  double across = 3, depth = 2;
  double corner = 5;  // of the outer wall where it is not round
  double rim = 0;     // radius of both edges at the plane
};
size_t ringGroove(Part& p, const Spot& s, const GrooveSpec& g);

// Edges of the stock.
size_t edgeChamfer(Part& p, const std::vector<TopoDS_Edge>& edges, Tag on, double across, double down,
                   const gp_Dir& dir, bool closed);
