// Holes: turned tools, and what a drawing would say of them.
#include <algorithm>
#include <cmath>

#include "recipe.hpp"

namespace {

Json segment(const Spot& s, const char* shape, Ring top, Ring bottom) {
  Json j = Json::object();
  j.set("shape", shape);
  j.set("zMin", s.level(bottom.z));
  j.set("zMax", s.level(top.z));
  j.set("diameterTop", 2 * top.r);
  j.set("diameterBottom", 2 * bottom.r);
  return j;
}

// segments describes the half profile from its top at the plane; the first ring lies above it.
Json segments(const Spot& s, const std::vector<Ring>& rings, double top, bool ball, bool through) {
  Json out = Json::array();
  const Ring last = rings.back();
  for (size_t i = 1; i < rings.size(); i++) {
    Ring a = rings[i - 1], b = rings[i];
    if (i == 1) a = {top, 0};
    if (through && i + 1 == rings.size()) b.z = -s.through;
    const char* shape = a.z == b.z ? "plane" : a.r == b.r ? "cylinder" : "cone";
    out.push(segment(s, shape, a, b));
  }
  if (ball) out.push(segment(s, "torus", last, {0, last.z - last.r}));
  if (!ball && !through && last.r > 0) out.push(segment(s, "plane", last, {0, last.z}));
  return out;
}

}  // namespace

HoleSpec anyHole(Random& r, const Spot& s, double widest) {
  HoleSpec h;
  h.through = s.through > 0 && r.chance(0.55);
  const double depth = h.through ? s.through : s.depth;
  const int64_t kind = r.below(10);
  if (s.flat && kind >= 6 && widest >= 6 && depth >= 6)
    h.kind = kind < 8 ? HoleKind::kCounterbored : kind < 9 ? HoleKind::kCountersunk : HoleKind::kStepped;
  const double share = h.kind == HoleKind::kSimple ? 1 : 0.5;
  h.diameter = r.between(2.5, std::min({14.0, widest * share, std::max(3.0, depth * 1.2)}), 0.1);
  static const char* const bottoms[] = {"flat", "conical", "conical", "spherical"};
  h.bottom = h.through ? "through" : bottoms[r.below(4)];
  if (h.kind != HoleKind::kSimple && h.bottom == "spherical") h.bottom = "flat";
  static const double tips[] = {118, 120, 135, 140, 90};
  h.tip = tips[r.below(5)];
  double end = 0;
  if (h.bottom == "conical") end = h.diameter / 2 / std::tan(h.tip / 2 * kDegree);
  if (h.bottom == "spherical") end = h.diameter / 2;
  h.depth = h.through ? s.through : r.between(std::max(2.0, 0.4 * (s.depth - end)), s.depth - end, 0.1);
  if (!s.flat && !h.through) h.depth = s.depth - end;  // well below the surface wherever it is
  if (h.depth < 1.5) throw Failed("no room for a hole");
  return h;
}

namespace {

// Bore is the tool of a hole: its half profile, from above the plane downwards, and what stands on a drawing.
struct Bore {
  std::vector<Ring> rings;
  double top = 0;  // radius at the plane
  Json bore, sink;
};

Bore boreOf(Random& r, const Spot& s, const HoleSpec& h) {
  Bore b;
  const double radius = h.diameter / 2;
  b.top = radius;
  if (h.kind == HoleKind::kCounterbored || h.kind == HoleKind::kStepped) {
    const double wide = radius * r.between(1.5, 1.9, 0.05);
    const double deep = r.between(0.2 * h.depth, 0.5 * h.depth, 0.05);
    b.top = wide;
    b.rings = {{wide, s.above}, {wide, -deep}};
    if (h.kind == HoleKind::kStepped) {
      const double mid = (wide + radius) / 2, further = deep + (h.depth - deep) * 0.4;
      b.rings.insert(b.rings.end(), {{mid, -deep}, {mid, -further}, {radius, -further}});
    } else {
      b.rings.push_back({radius, -deep});
      b.bore = Json::object();
      b.bore.set("diameter", 2 * wide);
      b.bore.set("depth", deep);
    }
  } else if (h.kind == HoleKind::kCountersunk) {
    const double half = (r.chance(0.7) ? 45 : r.chance(0.5) ? 41 : 60) * kDegree;
    b.top = radius * r.between(1.4, 1.9, 0.05);
    const double deep = (b.top - radius) / std::tan(half);
    if (deep > 0.6 * h.depth) throw Failed("no room for a countersink");
    const double above = std::min(s.above, 1.0);  // higher up the cone would reach what stands around
    b.rings = {{b.top + above * std::tan(half), above}, {radius, -deep}};
    b.sink = Json::object();
    b.sink.set("diameter", 2 * b.top);
    b.sink.set("angleDeg", 2 * half / kDegree);
    b.sink.set("depth", deep);
  } else {
    b.rings = {{radius, s.above}};
  }
  const double out = h.through ? s.through + 1 : h.depth;
  b.rings.push_back({radius, -out});
  if (h.bottom == "conical") b.rings.push_back({0, -out - radius / std::tan(h.tip / 2 * kDegree)});
  return b;
}

std::string nameOf(const HoleSpec& h) {
  switch (h.kind) {
    case HoleKind::kCounterbored:
      return "counterbored hole";
    case HoleKind::kCountersunk:
      return "countersunk hole";
    case HoleKind::kStepped:
      return "stepped hole";
    default:
      return h.through ? "through hole" : "blind hole";
  }
}

}  // namespace

size_t drill(Part& p, Random& r, const Spot& s, const HoleSpec& h) {
  Feature f;
  f.kind = "Hole";
  f.direction = s.up();
  const Bore b = boreOf(r, s, h);
  const Tag t = p.tag(), end = p.tag();
  const bool ball = h.bottom == "spherical";
  const double out = h.through ? -s.through - 1 : NAN;
  auto ends = [&](const Body& tool) {  // what lies below the bore gets a tag of its own
    return Body(tool.shape(), [&](const TopoDS_Face& g, const gp_Pnt& c) {
      return tool.tag(g) == t && !h.through && c.Z() < -h.depth + 1e-6 ? end : tool.tag(g);
    });
  };
  p.body.cut(ends(turned(b.rings, ball, t, out)).moved(s.at));
  f.name = nameOf(h);
  f.diameter = h.diameter;
  f.tags = {t, end};
  std::vector<Ring> below = b.rings;
  below.front() = {b.top, 0};
  if (h.through) below.back().z = -s.through;
  f.keeps(ends(turned(below, ball, t, h.through ? -s.through : NAN)));
  f.needs = {{"bottom", {end}}, {"tipAngleDeg", {end}}, {"sweepDeg", {t}}, {"entryTiltDeg", {t}}};
  if (!h.through) f.needs["isThrough"] = {end};
  f.facts.set("kind", "Hole");
  f.facts.set("diameter", h.diameter);
  f.facts.set("isThrough", h.through);
  if (h.kind != HoleKind::kStepped) f.facts.set("bottom", h.bottom);
  if (h.bottom == "conical")
    f.facts.set("tipAngleDeg", h.tip);
  else
    f.facts.set("tipAngleDeg", Json());
  f.facts.set("sweepDeg", 360);
  if (s.flat) {
    f.facts.set("depth", h.depth);
    f.facts.set("entryTiltDeg", 0);
    f.facts.set("crossesVoid", false);
    if (h.kind != HoleKind::kStepped) f.facts.set("counterbore", b.bore);
    f.facts.set("countersink", b.sink);
    f.facts.set("center", vec(s.point(0, 0, 0).XYZ()));
    f.facts.set("axis", vec(s.up().XYZ()));
    f.facts.set("segments", segments(s, b.rings, b.top, ball, h.through));
  } else {
    f.measureZ = false;
  }
  if (h.through && !s.oneWay && (h.kind == HoleKind::kSimple || !s.flat)) {
    f.sense = Sense::kEither;
    for (const char* name : {"center", "axis", "segments"}) f.facts.drop(name);
  }
  for (const char* name : {"depth", "counterbore", "countersink", "center", "segments"})
    f.needs[name] = {t, end};
  f.ifAlone = {"crossesVoid"};
  return p.add(f);
}
