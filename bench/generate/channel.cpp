// Slots, steps, T-slots and dovetails that reach the sides of the part, and chamfers of its edges.
#include <BRepAdaptor_Surface.hxx>
#include <algorithm>
#include <cmath>

#include "recipe.hpp"

namespace {

constexpr double kOver = 1;  // mm, by which tools reach beyond the part

// finish cuts a tool and describes what is left as an open pocket.
Hollow finish(Part& p, const Spot& s, const std::string& name, const Body& tool, Tag wall, Tag floor,
              double depth, double fillet) {
  const Body there = tool.moved(s.at);
  const double volume = p.interacts ? 0 : p.body.overlap(there);
  p.body.cut(there);
  Hollow h;
  h.wall = wall;
  Feature f;
  f.kind = "Pocket";
  f.name = name;
  f.direction = s.up();
  f.tags = {wall, floor};
  f.floors = {floor};
  f.facts.set("kind", "Pocket");
  f.facts.set("depth", depth);
  f.facts.set("isOpen", true);
  f.facts.set("isThrough", false);
  f.facts.set("floorRadius", fillet);
  f.facts.set("floorTiltDeg", 0);
  f.facts.set("islandCount", 0);
  if (!p.interacts) f.facts.set("volume", volume);
  f.ifAlone = {"volume", "length", "isOpen", "narrowestWidth", "maxClearingDiameter"};
  h.feature = p.add(f);
  h.floor = s.shifted(0, 0, -depth);
  h.floor.plane = floor;
  h.floor.rank = s.rank + 1;
  h.floor.above = depth + s.above;
  h.floor.depth = s.depth - depth;
  h.floor.through = s.through > 0 ? s.through - depth : 0;
  return h;
}

// across returns a tool along y from a cross-section in x and z, one tag for all its sides and none for
// the others, with the ends of the channel: open ones reach over the part, a closed one has a wall.
Body across(const std::vector<Point>& xz, const Spot& s, const std::vector<Tag>& sides, int openEnds,
            double stop, Tag end) {
  const double y1 = s.width / 2 + kOver, y0 = openEnds == 2 ? -y1 : stop;
  const Body drawn = extruded(xz, y0, y1, 0, 1000, 1001);
  Body tool(drawn.shape(), [&](const TopoDS_Face& f, const gp_Pnt&) {
    const Tag t = drawn.tag(f);
    if (t == 1000) return openEnds == 2 ? kNone : end;
    return t == 1001 ? kNone : sides[size_t(t)];
  });
  return tool;
}

// whole throws Failed where others had taken a side of a channel before it was cut.
void whole(const Feature& f, Tag t, int surfaces) {
  const auto it = f.left.find(t);
  if (it == f.left.end() || it->second.first < surfaces) throw Failed("a channel lacks a side");
}

}  // namespace

Hollow slot(Part& p, const Spot& s, const ChannelSpec& c) {
  const Tag wall = p.tag(), floor = p.tag();
  const double w = c.width / 2, y1 = s.width / 2 + kOver;
  Body tool;
  if (c.openEnds == 1 && c.round) {
    const double y0 = c.stop, length = y1 - y0 + c.width;
    gp_Trsf along;
    along.SetRotation(gp::OZ(), M_PI / 2);
    gp_Trsf out;
    out.SetTranslation(gp_Vec(0, y0 + length / 2, 0));
    tool = prism(Outline::slot(length, c.width), -c.depth, s.above, {wall, floor, kNone}).moved(out * along);
  } else {
    tool = across({{-w, -c.depth}, {w, -c.depth}, {w, s.above}, {-w, s.above}}, s, {floor, wall, kNone, wall},
                  c.openEnds, c.stop, wall);
  }
  if (c.fillet > 0) tool.blend(tool.between(wall, floor), c.fillet, wall);
  Hollow h = finish(p, s, c.openEnds == 2 ? "through slot" : "blind slot", tool, wall, floor, c.depth, c.fillet);
  Json& j = p.features[h.feature].facts;
  j.set("width", c.width);
  j.set("narrowestWidth", c.width);
  if (c.openEnds == 2 || c.round) j.set("maxClearingDiameter", c.width);
  j.set("length", c.openEnds == 2 ? s.width : s.width / 2 - c.stop);
  if (c.openEnds == 2)
    j.set("minCornerRadius", Json());
  else
    j.set("minCornerRadius", c.round ? w : 0);
  h.floor.length = c.width - 2 * c.fillet - 2;
  h.floor.width = s.width - 8;
  if (c.openEnds == 1) h.floor.length = h.floor.width = 0;
  return h;
}

Hollow step(Part& p, const Spot& s, double edge, double depth, double fillet) {
  const Tag wall = p.tag(), floor = p.tag();
  const double x1 = s.length / 2 + kOver;
  Body tool = across({{edge, -depth}, {x1, -depth}, {x1, s.above}, {edge, s.above}}, s,
                     {floor, kNone, kNone, wall}, 2, 0, kNone);
  if (fillet > 0) tool.blend(tool.between(wall, floor), fillet, wall);
  Hollow h = finish(p, s, "step", tool, wall, floor, depth, fillet);
  Json& j = p.features[h.feature].facts;
  const double w = s.length / 2 - edge;
  j.set("length", std::max(s.width, w));
  j.set("width", std::min(s.width, w));
  j.set("minCornerRadius", Json());
  h.floor = h.floor.shifted(edge + w / 2, 0, 0);
  h.floor.length = w - 2 * fillet - 3;
  h.floor.width = s.width - 6;
  return h;
}

Hollow notch(Part& p, const Spot& s, double edge, double stop, double depth, double corner) {
  const Tag wall = p.tag(), floor = p.tag();
  const double x1 = s.length / 2 + kOver, y1 = s.width / 2 + kOver;
  const double far = corner + kOver;  // the other corners of the tool are rounded too, outside the part
  const Outline o =
      Outline::polygon({{edge, stop}, {x1 + far, stop}, {x1 + far, y1 + far}, {edge, y1 + far}}, corner);
  const Body drawn = prism(o, -depth, s.above, {wall, floor, kNone});
  Hollow h = finish(p, s, "blind step", drawn, wall, floor, depth, 0);
  Json& j = p.features[h.feature].facts;
  const double w = s.length / 2 - edge, l = s.width / 2 - stop;
  j.set("length", std::max(w, l));
  j.set("width", std::min(w, l));
  j.set("minCornerRadius", corner);
  return h;
}

Hollow vee(Part& p, const Spot& s, double width, double lean) {
  const Tag wall = p.tag();
  const double w = width / 2, t = std::tan(lean * kDegree), up = std::min(s.above, 2.0);
  const Body tool =
      across({{0, -w / t}, {w + up * t, up}, {-w - up * t, up}}, s, {wall, kNone, wall}, 2, 0, kNone);
  Hollow h = finish(p, s, "V-groove", tool, wall, kNone, w / t, 0);
  whole(p.features[h.feature], wall, 2);
  Feature& f = p.features[h.feature];
  f.floors.clear();
  for (const char* name : {"floorRadius", "floorTiltDeg", "isThrough"}) f.facts.drop(name);
  f.measureZ = false;
  h.floor.plane = kNone;
  return h;
}

Hollow ballSlot(Part& p, const Spot& s, double width, double depth) {
  const Tag wall = p.tag(), floor = p.tag();
  const double high = 2 * (depth + s.above), y = s.width / 2 + kOver;
  gp_Trsf lay;  // the outline's length becomes the height, its ends the bottom and what reaches over the part
  lay.SetDisplacement(gp_Ax3(gp::XOY()), gp_Ax3(gp_Pnt(0, 0, -depth + high / 2), gp::DY(), gp::DZ()));
  const Body drawn = prism(Outline::slot(high, width), -y, y, {wall, kNone, kNone});
  const Body lying = drawn.moved(lay);
  const Body tool(lying.shape(), [&](const TopoDS_Face& f, const gp_Pnt& c) {
    if (lying.tag(f) == kNone) return kNone;
    if (BRepAdaptor_Surface(f).GetType() != GeomAbs_Cylinder) return wall;
    return c.Z() < 0 ? floor : kNone;
  });
  Hollow h = finish(p, s, "ball-bottomed slot", tool, wall, floor, depth, width / 2);
  Feature& f = p.features[h.feature];
  f.facts.drop("floorTiltDeg");
  f.measureZ = false;
  h.floor.plane = kNone;
  return h;
}

Hollow slantedStep(Part& p, const Spot& s, double edge, double depth, double lean) {
  const Tag wall = p.tag(), floor = p.tag();
  const double x1 = s.length / 2 + kOver, t = std::tan(lean * kDegree), up = std::min(s.above, 3.0);
  const Body tool = across({{edge, -depth}, {x1, -depth}, {x1, up}, {edge - (depth + up) * t, up}}, s,
                           {floor, kNone, kNone, wall}, 2, 0, kNone);
  return finish(p, s, "slanted step", tool, wall, floor, depth, 0);
}

Hollow corner(Part& p, const Spot& s, const std::string& name, const Outline& o, double depth) {
  const Tag wall = p.tag(), floor = p.tag();
  return finish(p, s, name, prism(o, -depth, s.above, {wall, floor, kNone}), wall, floor, depth, 0);
}

size_t tslot(Part& p, const Spot& s, double neck, double neckDepth, double head, double headHeight,
             int openEnds, double stop) {
  const Tag t = p.tag();
  const double n = neck / 2, h = head / 2, z1 = -neckDepth, z0 = z1 - headHeight;
  const std::vector<Point> xz = {{-h, z0},     {h, z0},       {h, z1},  {n, z1},
                                 {n, s.above}, {-n, s.above}, {-n, z1}, {-h, z1}};
  p.body.cut(across(xz, s, {t, t, t, t, kNone, t, t, t}, openEnds, stop, t).moved(s.at));
  Feature f;
  f.kind = "Tslot";
  f.direction = s.up();
  f.tags = {t};
  f.facts.set("kind", "Tslot");
  f.facts.set("neckWidth", neck);
  f.facts.set("neckDepth", neckDepth);
  f.facts.set("slotWidth", head);
  f.facts.set("slotHeight", headHeight);
  f.facts.set("cornerRadius", 0);
  f.facts.set("openEnds", openEnds);
  f.ifAlone = {"openEnds"};
  const size_t made = p.add(f);
  whole(p.features[made], t, openEnds == 2 ? 7 : 8);
  return made;
}

size_t dovetail(Part& p, const Spot& s, double neck, double angle, double depth, double corner) {
  const Tag flank = p.tag(), floor = p.tag();
  const double n = neck / 2, t = std::tan(angle * kDegree), h = n + depth / t,
               up = std::min(s.above, 0.5 * n * t);
  const std::vector<Point> xz = {{-h, -depth}, {h, -depth}, {n - up / t, up}, {-n + up / t, up}};
  Body tool = across(xz, s, {floor, flank, kNone, flank}, 2, 0, kNone);
  if (corner > 0) tool.blend(tool.between(flank, floor), corner, flank);
  p.body.cut(tool.moved(s.at));
  Feature f;
  f.kind = "Dovetail";
  f.direction = s.up();
  f.tags = {flank, floor};
  f.facts.set("kind", "Dovetail");
  f.facts.set("angleDeg", angle);
  f.facts.set("neckWidth", neck);
  if (corner == 0) f.facts.set("floorWidth", 2 * h);
  f.facts.set("depth", depth);
  f.facts.set("cornerRadius", corner);
  f.facts.set("openEnds", 2);
  f.ifAlone = {"openEnds"};
  const size_t made = p.add(f);
  whole(p.features[made], flank, corner > 0 ? 4 : 2);
  return made;
}

size_t ringGroove(Part& p, const Spot& s, const GrooveSpec& g) {
  const Tag outer = p.tag(), inner = p.tag(), floor = p.tag(), blend = p.tag();
  auto ring = [&](double above) {
    const double l = g.length - 2 * g.across, w = g.width - 2 * g.across;
    if (l < 3 || w < 3) throw Failed("no room inside a groove");
    Body tool = prism(g.round ? Outline::circle(g.length / 2) : Outline::rectangle(g.length, g.width, g.corner),
                      -g.depth, above, {outer, floor, kNone});
    const Outline in = g.round ? Outline::circle(l / 2) : Outline::rectangle(l, w, g.corner - g.across);
    tool.hollow(prism(in, -g.depth - 1, above + 1, {inner, inner, inner}));
    return tool;
  };
  p.body.cut(ring(s.above).moved(s.at));
  if (g.rim > 0) {
    std::vector<TopoDS_Edge> rims;
    for (Tag t : {outer, inner})
      for (const TopoDS_Edge& e : p.body.between(t, s.plane)) rims.push_back(e);
    if (rims.empty()) throw Failed("no rim to round");
    p.body.blend(rims, g.rim, blend);
  }
  Feature f;
  f.kind = "Pocket";
  f.name = g.round ? "ring groove" : "racetrack groove";
  if (g.rim > 0) f.name += " with rounded rims";
  f.direction = s.up();
  f.tags = {outer, inner, floor, blend};
  f.floors = {floor};
  f.outer = {outer};
  f.keeps(ring(0));
  f.facts.set("kind", "Pocket");
  f.facts.set("isOpen", false);
  f.facts.set("isThrough", false);
  f.facts.set("depth", g.depth);
  f.facts.set("floorTiltDeg", 0);
  f.facts.set("floorRadius", 0);
  if (g.rim == 0) f.facts.set("narrowestWidth", g.across);
  for (const char* name : {"isOpen", "depth", "narrowestWidth"}) f.needs[name] = {outer, inner};
  return p.add(f);
}

size_t edgeChamfer(Part& p, const std::vector<TopoDS_Edge>& edges, Tag on, double a, double down,
                   const gp_Dir& dir, bool closed) {
  if (edges.empty()) throw Failed("no edge to chamfer");
  for (const TopoDS_Edge& e : edges)
    if (!p.body.isConvex(e)) throw Failed("an inner edge has no chamfer");
  const Tag t = p.tag();
  p.body.bevel(edges, a, down, on, t);
  Feature f;
  f.kind = "Chamfer";
  f.direction = dir;
  f.tags = {t};
  Json bevel = Json::object();
  bevel.set("angleDeg", std::atan2(a, down) / kDegree);
  bevel.set("slant", std::hypot(a, down));
  f.facts.set("kind", "Chamfer");
  f.facts.set("bevel", bevel);
  if (closed) f.facts.set("isClosed", true);
  f.facts.set("isConvexEdge", true);
  f.ifAlone = {"isClosed"};
  return p.add(f);
}
