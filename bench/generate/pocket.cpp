// Pockets with a closed wall, their rims, and bosses.
#include <algorithm>
#include <cmath>

#include "recipe.hpp"

namespace {

Outline outline(const PocketSpec& q) {
  const double x = q.length / 2, y = q.width / 2;
  switch (q.shape) {
    case PocketSpec::kSlot:
      return Outline::slot(q.length, q.width);
    case PocketSpec::kAngle:
      return Outline::polygon({{-x, -y}, {x, -y}, {x, 0}, {0, 0}, {0, y}, {-x, y}}, q.corner);
    case PocketSpec::kRegular:
      return Outline::regular(q.sides, q.width / 2);
    default:
      return Outline::rectangle(q.length, q.width, q.corner);
  }
}

// clearing is the radius of the largest tool that leaves no more than 2 % of a rectangle in its corners.
double clearing(const PocketSpec& q) {
  const double corner = 4 - M_PI, area = q.length * q.width - corner * q.corner * q.corner;
  return std::sqrt(q.corner * q.corner + 0.02 * area / corner);
}

void pocketFacts(Feature& f, const PocketSpec& q) {
  Json& j = f.facts;
  j.set("kind", "Pocket");
  j.set("isOpen", false);
  j.set("isThrough", q.through);
  j.set("floorRadius", q.fillet);
  j.set("islandCount", 0);
  if (!q.through) j.set("floorTiltDeg", 0);
  switch (q.shape) {
    case PocketSpec::kSlot:
      j.set("shape", "slot");
      j.set("length", q.length);
      j.set("width", q.width);
      j.set("minCornerRadius", q.width / 2);
      j.set("narrowestWidth", q.width);
      j.set("maxClearingDiameter", q.width);
      break;
    case PocketSpec::kAngle:
      j.set("shape", "general");
      j.set("minCornerRadius", q.corner);
      break;
    case PocketSpec::kRegular:
      j.set("shape", "general");
      j.set("minCornerRadius", 0);
      break;
    default:
      j.set("shape", "rectangular");
      j.set("length", q.length);
      j.set("width", q.width);
      j.set("minCornerRadius", q.corner);
      j.set("narrowestWidth", q.width);
      j.set("maxClearingDiameter", std::min(q.width, 2 * clearing(q)));
  }
}

std::string nameOf(const PocketSpec& q) {
  const std::string what = q.through ? " passage" : " pocket";
  switch (q.shape) {
    case PocketSpec::kSlot:
      return "obround" + what;
    case PocketSpec::kAngle:
      return "L-shaped" + what;
    case PocketSpec::kRegular:
      return (q.sides == 3 ? "triangular" : q.sides == 6 ? "hexagonal" : "five-sided") + what;
    default:
      return "rectangular" + what;
  }
}

}  // namespace

PocketSpec anyPocket(Random& r, const Spot& s, bool through) {
  PocketSpec q;
  q.through = through;
  const int64_t shape = r.below(8);
  q.shape = shape < 4   ? PocketSpec::kRectangle
            : shape < 6 ? PocketSpec::kSlot
            : shape < 7 ? PocketSpec::kAngle
                        : PocketSpec::kRegular;
  q.length = r.between(0.55 * s.length, 0.95 * s.length, 0.5);
  q.width = r.between(0.5 * s.width, 0.95 * s.width, 0.5);
  if (q.length < q.width) std::swap(q.length, q.width);
  if (q.length > s.length) q.length = s.length;
  if (q.shape == PocketSpec::kSlot) q.width = std::min(q.width, 0.6 * q.length);
  if (q.shape == PocketSpec::kRegular) {
    q.width = q.length = std::min(s.length, s.width) * 0.9;
    q.sides = 3 + int(r.below(4));
    if (q.sides == 4) q.sides = 6;
  }
  q.depth = through ? s.through : r.between(std::max(2.0, 0.35 * s.depth), s.depth, 0.1);
  const double room = q.shape == PocketSpec::kAngle ? q.width / 4 : q.width / 2;
  if (q.shape == PocketSpec::kAngle || (q.shape == PocketSpec::kRectangle && r.chance(0.75)))
    q.corner = r.between(1, std::min(8.0, 0.8 * room), 0.25);
  const double most =
      std::min({q.shape == PocketSpec::kSlot ? 0.6 * q.width / 2 : 0.8 * q.corner, 0.6 * q.depth, 4.0});
  if (!through && most >= 0.5 && r.chance(0.4)) q.fillet = r.between(0.5, most, 0.25);
  return q;
}

Hollow pocket(Part& p, const Spot& s, const PocketSpec& q) {
  Hollow h;
  h.wall = p.tag();
  const Tag floor = p.tag(), blend = p.tag();
  const double out = q.through ? s.through + 1 : q.depth;
  Body tool = prism(outline(q), -out, s.above, {h.wall, q.through ? kNone : floor, kNone});
  if (q.fillet > 0) tool.blend(tool.between(h.wall, floor), q.fillet, blend);
  const Body there = tool.moved(s.at);
  const double volume = s.flat && !p.interacts ? p.body.overlap(there) : 0;
  p.body.cut(there);
  Feature f;
  f.kind = "Pocket";
  f.direction = s.up();
  f.name = nameOf(q);
  f.tags = {h.wall, floor, blend};
  if (!q.through) f.floors = {floor};
  Body ideal = prism(outline(q), q.through ? -s.through : -q.depth, 0, {h.wall, floor, kNone});
  if (q.fillet > 0) ideal.blend(ideal.between(h.wall, floor), q.fillet, blend);
  f.keeps(ideal);
  for (const char* name : {"isOpen", "shape", "length", "width", "depth", "minCornerRadius", "narrowestWidth",
                           "maxClearingDiameter"})
    f.needs[name] = {h.wall};
  f.sense = q.through ? Sense::kEither : Sense::kOne;
  pocketFacts(f, q);
  if (s.flat) {
    f.facts.set("depth", q.through ? s.through : q.depth);
    if (!p.interacts) f.facts.set("volume", volume);
  } else {
    f.measureZ = false;
  }
  f.ifAlone = {"volume", "isOpen"};
  h.feature = p.add(f);
  h.floor = s.shifted(0, 0, -q.depth);
  h.floor.plane = floor;
  h.floor.flat = true;
  h.floor.rank = s.rank + 1;
  h.floor.above = q.depth + s.above;
  h.floor.depth = s.depth - q.depth;
  h.floor.through = s.through > 0 && !q.through ? s.through - q.depth : 0;
  const double margin = 2 * (q.fillet + 1);
  if (!q.through && q.shape != PocketSpec::kAngle && q.shape != PocketSpec::kRegular) {
    h.floor.length = (q.shape == PocketSpec::kSlot ? q.length - q.width : q.length - 2 * q.corner) - margin;
    h.floor.width = q.width - margin - (q.shape == PocketSpec::kSlot ? 0 : 2 * q.corner);
    if (q.shape == PocketSpec::kRectangle && q.corner <= 2) {  // its corners are no more than nibbled at
      h.floor.length += 1.4 * q.corner;
      h.floor.width += 1.4 * q.corner;
    }
  }
  return h;
}

void rim(Part& p, Random& r, const Spot& s, const Hollow& h) {
  const double across = r.between(0.5, 1.2, 0.1), down = r.chance(0.7) ? across : r.between(0.5, 1.2, 0.1);
  Feature& pocket = p.features[h.feature];
  for (const char* name : {"depth", "volume", "length", "width", "narrowestWidth", "maxClearingDiameter"})
    pocket.facts.drop(name);
  pocket.measureZ = false;
  edgeChamfer(p, p.body.between(h.wall, s.plane), s.plane, across, down, s.up(), true);
}

BossSpec anyBoss(Random& r, const Spot& s, double highest) {
  BossSpec b;
  b.round = r.chance(0.6);
  const double across = std::min(s.length, s.width);
  b.height = r.between(std::min(2.0, highest), highest, 0.1);
  if (b.height < 1) throw Failed("no room for a boss");
  b.length = b.width = r.between(0.35 * across, std::min(0.75 * across, 30.0), 0.5);
  if (!b.round) {
    b.length = r.between(b.width, std::max(b.width, 0.8 * s.length), 0.5);
    b.corner = r.chance(0.6) ? r.between(0.5, std::max(0.5, 0.3 * b.width), 0.25) : 0;
  }
  if (b.width < 3) throw Failed("no room for a boss");
  const int64_t extra = r.below(6);
  if (extra == 0) b.draft = r.between(1, 5, 0.5);
  const double most = std::min({2.0, 0.3 * b.height, 0.15 * b.width});
  if (extra == 1 && most >= 0.4 && (b.round || b.corner > 0)) b.foot = r.between(0.4, most, 0.1);
  if (extra == 2 && most >= 0.4) b.top = BossSpec::kChamfered;
  if (extra == 3 && most >= 0.4 && (b.round || b.corner > most)) b.top = BossSpec::kRounded;
  b.edge = std::max(0.4, most * 0.8);
  return b;
}

namespace {

void bossFacts(Feature& f, const BossSpec& b) {
  Json& j = f.facts;
  j.set("kind", "Boss");
  j.set("height", b.height);
  j.set("shape", b.round ? (b.draft > 0 ? "general" : "cylindrical") : "rectangular");
  if (b.draft > 0) j.drop("shape");
  j.set("draftDeg", b.draft);
  if (b.foot == 0) {
    j.set("length", b.length);
    j.set("width", b.round ? b.length : b.width);
  }
  if (b.round && b.foot == 0)
    j.set("diameter", b.length);
  else if (!b.round)
    j.set("diameter", Json());
  if (b.top ==
      BossSpec::kChamfered) {  // whether the height is that of the wall or of the top is not ours to say
    j.drop("height");
    f.measureZ = false;
  }
}

}  // namespace

Spot boss(Part& p, const Spot& s, const BossSpec& b, Hollow* in) {
  const Tag wall = p.tag(), top = p.tag(), blend = p.tag();
  const double root = b.root;
  Body tool;
  if (b.round && b.draft > 0) {
    const double t = std::tan(b.draft * kDegree), r = b.length / 2;
    tool = turned({{r - t * b.height, b.height}, {r + t * root, -root}}, false, wall, NAN);
    tool = Body(tool.shape(), [&](const TopoDS_Face&, const gp_Pnt& c) {
      return std::abs(c.Z() - b.height) < 1e-9 ? top : std::abs(c.Z() + root) < 1e-9 ? kNone : wall;
    });
  } else {
    const Outline o =
        b.round ? Outline::circle(b.length / 2) : Outline::rectangle(b.length, b.width, b.corner);
    tool = prism(o, -root, b.height, {wall, kNone, top});
    if (b.draft > 0) tool.draft(wall, b.draft * kDegree);
  }
  if (b.top == BossSpec::kRounded) tool.blend(tool.between(wall, top), b.edge, blend);
  p.body.fuse(tool.moved(s.at));
  if (b.foot > 0) p.body.blend(p.body.between(wall, s.plane), b.foot, blend);
  Feature f;
  f.kind = "Boss";
  f.name = b.round ? (b.draft > 0 ? "conical boss" : "round boss") : "rectangular boss";
  f.direction = s.up();
  f.tags = {wall, blend};
  bossFacts(f, b);
  f.needs = {{"shape", {wall}}};
  p.add(f);
  p.face(top, s.up());
  if (b.top == BossSpec::kChamfered)
    edgeChamfer(p, p.body.between(wall, top), top, b.edge, b.edge, s.up(), true);
  if (in) {
    Feature& pocket = p.features[in->feature];
    pocket.facts.set("islandCount", 1);
    for (const char* name : {"narrowestWidth", "maxClearingDiameter", "volume"}) pocket.facts.drop(name);
  }
  Spot on = s.shifted(0, 0, b.height);
  on.plane = top;
  on.rank = s.rank + 1;
  on.depth = s.depth + b.height;
  on.through = s.through > 0 ? s.through + b.height : 0;
  on.above = s.above;
  const double lost = 2 * (b.edge + b.height * std::tan(b.draft * kDegree) + 1);
  on.length = std::max(0.0, b.length - lost);
  on.width = std::max(0.0, (b.round ? b.length : b.width) - lost);
  return on;
}
