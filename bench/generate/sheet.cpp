// Flats, bends and what is cut into them.
#include "sheet.hpp"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <TopExp.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <algorithm>

namespace {

constexpr double kNear = 1e-6;  // mm
constexpr double kFar = 1e4;    // mm, beyond every part

// Strip is the section of a bend with the flats on either side, in x and z: the sheet comes along x under z = 0,
// from x = -before, and is bent from x = 0 on. What cuts through it is thicker by grow on both sides.
struct Strip {
  Bend bend;
  double thickness, before, grow;

  // side is the end of the bend at a distance from its axis, towards its outer side.
  Point side(double radius) const {
    return {radius * std::sin(bend.angle), bend.radius - radius * std::cos(bend.angle)};
  }
  Point along() const { return {std::cos(bend.angle), std::sin(bend.angle)}; }
  double inner() const { return bend.radius - grow; }
  double outer() const { return bend.radius + thickness + grow; }

  TopoDS_Wire wire(double y) const {
    BRepBuilderAPI_MakeWire w;
    auto at = [&](Point p) { return gp_Pnt(p.x, y, bend.up ? p.y : -thickness - p.y); };
    auto line = [&](Point a, Point b) {
      if (std::hypot(a.x - b.x, a.y - b.y) > kNear) w.Add(BRepBuilderAPI_MakeEdge(at(a), at(b)).Edge());
    };
    auto arc = [&](double radius, bool back) {
      if (radius < kNear) return;
      const double half = bend.angle / 2;
      const Point a{0, bend.radius - radius}, b = side(radius),
                  m{radius * std::sin(half), bend.radius - radius * std::cos(half)};
      const gp_Pnt from = at(back ? b : a), till = at(back ? a : b);
      w.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(from, at(m), till).Value()).Edge());
    };
    const Point d = along(), in = side(inner()), out = side(outer());
    const Point inEnd{in.x + bend.length * d.x, in.y + bend.length * d.y},
        outEnd{out.x + bend.length * d.x, out.y + bend.length * d.y};
    const Point low{-before, -thickness - grow}, high{-before, grow};
    if (bend.sharpOuter) {
      const Point tip{outer() * std::tan(bend.angle / 2), low.y};
      line(low, tip), line(tip, outEnd);
    } else {
      line(low, {0, low.y}), arc(outer(), false), line(out, outEnd);
    }
    line(outEnd, inEnd), line(inEnd, in), arc(inner(), true), line({0, grow}, high), line(high, low);
    return w.Wire();
  }

  TopoDS_Shape solid(double width) const {
    const TopoDS_Face section = BRepBuilderAPI_MakeFace(wire(-width / 2), true).Face();
    return BRepPrimAPI_MakePrism(section, gp_Vec(0, width, 0), true).Shape();
  }

  // far returns how far a point lies from the plane of the flat behind the bend, on its inner or outer side.
  double far(const gp_Pnt& c, double radius) const {
    const double z = bend.up ? c.Z() : -thickness - c.Z();
    const Point p = side(radius), d = along();
    return std::abs((c.X() - p.x) * d.y - (z - p.y) * d.x);
  }
};

bool isPlane(const TopoDS_Face& f) { return BRepAdaptor_Surface(f).GetType() == GeomAbs_Plane; }

gp_Trsf shift(double x, double y, double z) {
  gp_Trsf t;
  t.SetTranslation(gp_Vec(x, y, z));
  return t;
}

Json sizes(double depth) {
  Json j = Json::object();
  j.set("depth", depth);
  j.set("isThrough", true);
  return j;
}

}  // namespace

Tag Sheet::fresh(const char* kind) {
  Feature f;
  f.kind = kind;
  f.tags = {part.tag()};
  part.add(f);
  return *f.tags.begin();
}

bool Sheet::isCovered(const gp_Trsf& to, const Outline& o, bool over) const {
  const Body way = over ? prism(o, kNear, kFar, {0, 0, 0}) : prism(o, -kFar, -thickness - kNear, {0, 0, 0});
  return part.body.overlap(way.moved(to)) > kNear;
}

void Sheet::start(const gp_Trsf& place, double length, double width, const Outline& outline) {
  Flat f;
  f.at = place, f.length = length, f.width = width;
  f.top = part.tag(), f.bottom = part.tag();
  const Body plain = prism(outline, -thickness, 0, {0, 1, 2});
  part.body = Body(plain.shape(), [&](const TopoDS_Face& g, const gp_Pnt&) {
                if (plain.tag(g) == 2) return f.top;
                if (plain.tag(g) == 1) return f.bottom;
                if (rim != kNone) return rim;
                sides.push_back(part.tag());
                return sides.back();
              }).moved(place);
  part.face(f.top, gp::DZ().Transformed(place));
  part.face(f.bottom, gp::DZ().Reversed().Transformed(place));
  flats.push_back(f);
}

gp_Trsf Sheet::at(size_t flat, int side, double along) const {
  gp_Trsf turn;
  turn.SetRotation(gp::OZ(), side * M_PI / 2);
  return flats[flat].at * turn * shift(flats[flat].reach(side), along, 0);
}

gp_Trsf Sheet::on(size_t flat, double x, double y) const { return flats[flat].at * shift(x, y, 0); }

void Sheet::punch(const gp_Trsf& to, const Outline& o, Tag wall) {
  part.body.cut(prism(o, -1.2 * thickness, 0.2 * thickness, {wall, kNone, kNone}).moved(to));
}

size_t Sheet::grow(const gp_Trsf& edge, Tag top, Tag bottom, double width, const Bend& b) {
  const Strip s{b, thickness, 0, 0};
  Flat f;
  f.length = b.length, f.width = width, f.isFree[2] = false;
  f.top = b.length > 0 ? part.tag() : kNone, f.bottom = b.length > 0 ? part.tag() : kNone;
  const Tag in = b.up ? f.top : f.bottom, out = b.up ? f.bottom : f.top;
  const Body piece = Body(s.solid(width), [&](const TopoDS_Face& g, const gp_Pnt& c) {
                       if (!isPlane(g)) return bend;
                       if (std::abs(std::abs(c.Y()) - width / 2) < kNear) return rim;
                       if (std::abs(c.X()) < kNear && c.Z() > -thickness && c.Z() < 0) return kNone;
                       if (b.length > 0 && s.far(c, b.radius) < kNear) return in;
                       if (b.length > 0 && s.far(c, b.radius + thickness) < kNear) return out;
                       if (b.sharpOuter && std::abs(c.Z() - (b.up ? -thickness : 0)) < kNear)
                         return b.up ? bottom : top;
                       return rim;
                     }).moved(edge);
  if (part.body.overlap(piece) > kNear) throw Failed("a flat runs into another");
  part.body.fuse(piece, true);
  const double radius = b.up ? b.radius : b.radius + thickness;  // of the side that is the top
  const Point start = s.side(radius), d = s.along();
  const double x = start.x + b.length / 2 * d.x, z = start.y + b.length / 2 * d.y;
  f.at = edge * (b.up ? frame(gp_Pnt(x, 0, z), gp_Dir(-d.y, 0, d.x), gp_Dir(d.x, 0, d.y))
                      : frame(gp_Pnt(x, 0, -thickness - z), gp_Dir(d.y, 0, d.x), gp_Dir(d.x, 0, -d.y)));
  const gp_Pnt middle(0, 0, b.up ? b.radius : -thickness - b.radius);
  const Line axis{middle.Transformed(edge), gp::DY().Transformed(edge)};
  if (std::none_of(bends.begin(), bends.end(), [&](const Line& o) {
        return o.along.IsParallel(axis.along, kNear) &&
               gp_Vec(o.at, axis.at).Crossed(gp_Vec(o.along)).Magnitude() < kNear;
      }))
    bends.push_back(axis);
  if (b.length > 0) {
    part.face(f.top, gp::DZ().Transformed(f.at));
    part.face(f.bottom, gp::DZ().Reversed().Transformed(f.at));
  }
  flats.push_back(f);
  return flats.size() - 1;
}

size_t Sheet::fold(size_t flat, int side, double along, double width, const Bend& b) {
  const Tag top = flats[flat].top, bottom = flats[flat].bottom;
  flats[flat].isFree[side] = false;
  return grow(at(flat, side, along), top, bottom, width, b);
}

void Sheet::relieve(size_t flat, int side, double along, double width, double across, double deep,
                    bool round) {
  for (double end : {-1.0, 1.0}) {
    const Outline o = round ? Outline::slot(4 * deep, across) : Outline::rectangle(2 * deep, across);
    const Body tool = prism(o, -1.5 * thickness, 0.5 * thickness, {rim, kNone, kNone});
    const double place = along + end * (width + across) / 2;
    part.body.cut(tool.moved(at(flat, side, place) * shift(round ? deep : 0, 0, 0)));
  }
}

void Sheet::corner(size_t flat, double x, double y, double size, bool round) {
  const gp_Pnt middle = gp_Pnt(x, y, -thickness / 2).Transformed(flats[flat].at);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(part.body.shape(), TopAbs_EDGE, edges);
  for (int i = 1; i <= edges.Extent(); i++) {
    const TopoDS_Edge e = TopoDS::Edge(edges(i));
    BRepAdaptor_Curve c(e);
    if (c.Value((c.FirstParameter() + c.LastParameter()) / 2).Distance(middle) > kNear) continue;
    Tag tag = rim;
    if (rim == kNone) sides.push_back(tag = part.tag());
    if (round)
      part.body.blend({e}, size, tag);
    else
      part.body.bevel({e}, size, size, rim, tag);
    return;
  }
}

void Sheet::notch(size_t flat, int side, double along, double across, double deep, bool round) {
  const Outline o = round ? Outline::slot(std::max(2 * deep, 1.01 * across), across)
                          : Outline::rectangle(2 * deep, across);
  Tag tag = rim;
  if (rim == kNone) notches.push_back(tag = part.tag());
  punch(at(flat, side, along), o, tag);
}

void Sheet::hole(size_t flat, double x, double y, double diameter) {
  Feature f;
  f.kind = "Hole", f.sense = Sense::kEither;
  f.tags = {part.tag()};
  f.direction = gp::DZ().Transformed(flats[flat].at);
  punch(on(flat, x, y), Outline::circle(diameter / 2), *f.tags.begin());
  f.facts = sizes(thickness);
  f.facts.set("diameter", diameter);
  part.add(f);
}

void Sheet::sunk(size_t flat, double x, double y, double diameter, double deep) {
  Feature f;
  f.kind = "Hole";
  // One that no tool can reach through what stands over it may be taken for one from below.
  const bool isCovered = this->isCovered(on(flat, x, y), Outline::circle(diameter / 2 + deep), true);
  f.sense = isCovered ? Sense::kEither : Sense::kOne;
  f.tags = {part.tag()};
  f.direction = gp::DZ().Transformed(flats[flat].at);
  const double r = diameter / 2, over = 0.1 * thickness, end = -1.2 * thickness;
  part.body.cut(turned({{r + deep + over, over}, {r, -deep}, {r, end}}, false, *f.tags.begin(), end)
                    .moved(on(flat, x, y)));
  f.facts.set("isThrough", true);
  f.facts.set("diameter", diameter);
  part.add(f);
}

void Sheet::collared(size_t flat, double x, double y, double diameter, double wall, double height) {
  const Tag outside = fresh("free");
  const gp_Trsf to = on(flat, x, y);
  part.body.fuse(prism(Outline::circle(diameter / 2 + wall), 0, height, {outside, kNone, outside}).moved(to));
  Feature f;
  f.kind = "Hole", f.sense = Sense::kEither;
  f.tags = {part.tag()};
  f.direction = gp::DZ().Transformed(flats[flat].at);
  const Body tool = prism(Outline::circle(diameter / 2), -1.2 * thickness, height + thickness,
                          {*f.tags.begin(), kNone, kNone});
  part.body.cut(tool.moved(to));
  f.facts = sizes(thickness + height);
  f.facts.set("diameter", diameter);
  part.add(f);
}

void Sheet::window(size_t flat, double x, double y, const Outline& o, double corner) {
  Feature f;
  f.kind = "Pocket", f.sense = Sense::kEither;
  f.tags = {part.tag()};
  f.direction = gp::DZ().Transformed(flats[flat].at);
  const gp_Trsf to = on(flat, x, y);
  punch(to, o, *f.tags.begin());
  f.isOptional = isCovered(to, o, true) && isCovered(to, o, false);  // it is seen from nowhere
  f.facts = sizes(thickness);
  f.facts.set("isOpen", false);
  f.facts.set("minCornerRadius", corner);
  part.add(f);
}

void Sheet::across(size_t flat, int side, double along, double width, double before, double behind,
                   const Bend& b) {
  Bend way = b;
  way.length = behind;
  const Strip s{way, thickness, before, std::min(0.3 * thickness, b.radius / 2)};
  Feature f;
  f.kind = "Pocket", f.sense = Sense::kAny;
  f.tags = {part.tag()};
  const Tag wall = *f.tags.begin();
  const Body tool(s.solid(width), [&](const TopoDS_Face& g, const gp_Pnt& c) {
    const bool isSide = isPlane(g) && std::abs(std::abs(c.Y()) - width / 2) < kNear;
    const gp_Pnt end(c.X(), c.Y(), b.up ? c.Z() : -thickness - c.Z());
    const Point d = s.along(), in = s.side(s.inner());
    const double ahead = (end.X() - in.x) * d.x + (end.Z() - in.y) * d.y;
    const bool isEnd = isPlane(g) && (std::abs(c.X() + before) < kNear || std::abs(ahead - behind) < kNear);
    return isSide || isEnd ? wall : kNone;
  });
  part.body.cut(tool.moved(at(flat, side, along)));
  f.facts.set("isThrough", true);
  f.facts.set("isOpen", false);
  part.add(f);
}

void Sheet::lance(size_t flat, double x, double y, double width, double gap, const Bend& b) {
  const double reach = (b.radius + thickness) * std::sin(std::min(b.angle, M_PI / 2)) +
                       std::max(0.0, b.length * std::cos(b.angle)) + thickness;
  const Tag wall = fresh("Pocket"), top = flats[flat].top, bottom = flats[flat].bottom;
  part.features.back().isOptional = true;
  part.features.back().sense = Sense::kAny;
  punch(on(flat, x, y), Outline::rectangle(reach, width + 2 * gap), wall);
  grow(on(flat, x - reach / 2, y), top, bottom, width, b);
}

void Sheet::emboss(size_t flat, double x, double y, const Outline& o, double height) {
  const gp_Trsf to = on(flat, x, y);
  const Tag tag = fresh("free");
  part.body.cut(prism(o, -1.2 * thickness, height - thickness, {tag, kNone, tag}).moved(to));
  part.body.fuse(prism(o, 0, height, {tag, kNone, tag}).moved(to));
}

void Sheet::dimple(size_t flat, double x, double y, double radius, double height, double bendRadius) {
  const gp_Trsf to = on(flat, x, y);
  const Tag tag = fresh("free");
  const double t = thickness, a = 45 * kDegree, r = bendRadius, s = std::sin(a), c = std::cos(a);
  const double slant = (height - (2 * r + t) * (1 - c)) / s;
  if (slant < 0.2 * t) throw Failed("a dome is too low");
  // Bends up round an axis over the sheet, then back round one under the top of the dome.
  const double in = radius - (2 * r + t) * s - slant * c;  // where its top ends
  if (in < t) throw Failed("a dome is too narrow");
  auto at = [](double u, double z) { return gp_Pnt(u, 0, z); };
  BRepBuilderAPI_MakeWire w;
  auto line = [&](gp_Pnt p, gp_Pnt q) { w.Add(BRepBuilderAPI_MakeEdge(p, q).Edge()); };
  auto arc = [&](double u, double z, double rad, double from, double till) {
    auto way = [&](double g) { return at(u + rad * std::sin(g), z + rad * std::cos(g)); };
    w.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(way(from), way((from + till) / 2), way(till)).Value())
              .Edge());
    return way(till);
  };
  const double low = r, high = height - t - r;  // of the axes
  line(at(radius, -t), at(radius, 0));
  gp_Pnt p = arc(radius, low, r, -M_PI, -M_PI + a);
  gp_Pnt q = at(in + (r + t) * s, high + (r + t) * c);
  line(p, q), p = arc(in, high, r + t, a, 0);
  line(p, at(0, height)), line(at(0, height), at(0, height - t)), line(at(0, height - t), at(in, height - t));
  p = arc(in, high, r, 0, a);
  q = at(radius - (r + t) * s, low - (r + t) * c);
  line(p, q), arc(radius, low, r + t, -M_PI + a, -M_PI);
  const TopoDS_Face section = BRepBuilderAPI_MakeFace(w.Wire(), true).Face();
  const TopoDS_Shape dome = BRepPrimAPI_MakeRevol(section, gp::OZ(), true).Shape();
  const Body made(dome, [&](const TopoDS_Face& g, const gp_Pnt&) {
    const BRepAdaptor_Surface face(g);
    const bool isRim =
        face.GetType() == GeomAbs_Cylinder && std::abs(face.Cylinder().Radius() - radius) < kNear;
    return isRim ? kNone : tag;
  });
  part.body.hollow(prism(Outline::circle(radius), -1.2 * t, 0.2 * t, {kNone, kNone, kNone}).moved(to));
  part.body.fuse(made.moved(to));
}
