#include "outline.hpp"

#include <BRepAdaptor_Surface.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <cmath>
#include <gp_Ax1.hxx>
#include <gp_Circ.hxx>

namespace {

constexpr double kSame = 1e-9;  // mm

gp_Pnt at(const Point& p) { return {p.x, p.y, 0}; }

void line(BRepBuilderAPI_MakeWire& w, const Point& a, const Point& b) {
  if (std::hypot(a.x - b.x, a.y - b.y) > kSame) w.Add(BRepBuilderAPI_MakeEdge(at(a), at(b)).Edge());
}

void arc(BRepBuilderAPI_MakeWire& w, const Point& a, const Point& mid, const Point& b) {
  w.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(at(a), at(mid), at(b)).Value()).Edge());
}

bool isFlat(const TopoDS_Face& f) { return BRepAdaptor_Surface(f).GetType() == GeomAbs_Plane; }

}  // namespace

Outline Outline::polygon(const std::vector<Point>& c, double radius) {
  BRepBuilderAPI_MakeWire w;
  const size_t n = c.size();
  std::vector<Point> in(n), mid(n), out(n);
  for (size_t i = 0; i < n; i++) {
    const Point a = c[(i + n - 1) % n], b = c[i], d = c[(i + 1) % n];
    const double la = std::hypot(a.x - b.x, a.y - b.y), ld = std::hypot(d.x - b.x, d.y - b.y);
    const Point u{(a.x - b.x) / la, (a.y - b.y) / la}, v{(d.x - b.x) / ld, (d.y - b.y) / ld};
    const double half = std::acos(u.x * v.x + u.y * v.y) / 2, t = radius / std::tan(half);
    const Point bis{u.x + v.x, u.y + v.y};
    const double lb = std::hypot(bis.x, bis.y), s = radius / std::sin(half) - radius;
    in[i] = {b.x + t * u.x, b.y + t * u.y};
    out[i] = {b.x + t * v.x, b.y + t * v.y};
    mid[i] = {b.x + s * bis.x / lb, b.y + s * bis.y / lb};
  }
  for (size_t i = 0; i < n; i++) {
    if (radius > 0) arc(w, in[i], mid[i], out[i]);
    line(w, out[i], in[(i + 1) % n]);
  }
  return {w.Wire()};
}

Outline Outline::rectangle(double length, double width, double radius) {
  const double x = length / 2, y = width / 2;
  return polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, radius);
}

Outline Outline::regular(int sides, double radius) {
  std::vector<Point> c;
  for (int i = 0; i < sides; i++) {
    const double a = 2 * M_PI * i / sides;
    c.push_back({radius * std::cos(a), radius * std::sin(a)});
  }
  return polygon(c);
}

Outline Outline::circle(double radius) {
  BRepBuilderAPI_MakeWire w(BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp::Origin(), gp::DZ()), radius)).Edge());
  return {w.Wire()};
}

Outline Outline::slot(double length, double width) {
  BRepBuilderAPI_MakeWire w;
  const double r = width / 2, x = length / 2 - r;
  line(w, {-x, -r}, {x, -r});
  arc(w, {x, -r}, {x + r, 0}, {x, r});
  line(w, {x, r}, {-x, r});
  arc(w, {-x, r}, {-x - r, 0}, {-x, -r});
  return {w.Wire()};
}

Outline Outline::bulged(double length, double width, double bulge) {
  BRepBuilderAPI_MakeWire w;
  const double x = length / 2, y = width / 2;
  arc(w, {x, -y}, {x + bulge, 0}, {x, y});
  line(w, {x, y}, {-x, y});
  line(w, {-x, y}, {-x, -y});
  line(w, {-x, -y}, {x, -y});
  return {w.Wire()};
}

Body prism(const Outline& o, double z0, double z1, const Sides& tags) {
  gp_Trsf up;
  up.SetTranslation(gp_Vec(0, 0, z0));
  const TopoDS_Face base =
      TopoDS::Face(BRepBuilderAPI_MakeFace(o.wire, true).Face().Moved(TopLoc_Location(up)));
  const TopoDS_Shape s = BRepPrimAPI_MakePrism(base, gp_Vec(0, 0, z1 - z0), true).Shape();
  return {s, [&](const TopoDS_Face& f, const gp_Pnt& c) {
            if (!isFlat(f)) return tags.side;
            if (std::abs(c.Z() - z0) < kSame) return tags.bottom;
            return std::abs(c.Z() - z1) < kSame ? tags.top : tags.side;
          }};
}

Body extruded(const std::vector<Point>& xz, double y0, double y1, Tag first, Tag low, Tag high) {
  BRepBuilderAPI_MakeWire w;
  const size_t n = xz.size();
  for (size_t i = 0; i < n; i++) {
    const Point a = xz[i], b = xz[(i + 1) % n];
    w.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(a.x, y0, a.y), gp_Pnt(b.x, y0, b.y)).Edge());
  }
  const TopoDS_Face base = BRepBuilderAPI_MakeFace(w.Wire(), true).Face();
  const TopoDS_Shape s = BRepPrimAPI_MakePrism(base, gp_Vec(0, y1 - y0, 0), true).Shape();
  return {s, [&](const TopoDS_Face&, const gp_Pnt& c) {
            if (std::abs(c.Y() - y0) < kSame) return low;
            if (std::abs(c.Y() - y1) < kSame) return high;
            for (size_t i = 0; i < n; i++) {
              const Point a = xz[i], b = xz[(i + 1) % n];
              if (std::hypot(c.X() - (a.x + b.x) / 2, c.Z() - (a.y + b.y) / 2) < 1e-6) return first + Tag(i);
            }
            throw Failed("a side of a polygon is not found again");
          }};
}

Body turned(const std::vector<Ring>& rings, bool ball, Tag wall, double none) {
  BRepBuilderAPI_MakeWire w;
  auto p = [](double r, double z) { return gp_Pnt(r, 0, z); };
  auto go = [&](double r0, double z0, double r1, double z1) {
    if (std::hypot(r0 - r1, z0 - z1) > kSame) w.Add(BRepBuilderAPI_MakeEdge(p(r0, z0), p(r1, z1)).Edge());
  };
  const Ring first = rings.front();
  go(0, first.z, first.r, first.z);
  for (size_t i = 1; i < rings.size(); i++) go(rings[i - 1].r, rings[i - 1].z, rings[i].r, rings[i].z);
  Ring last = rings.back();
  if (ball) {
    const double r = last.r, s = r * std::sqrt(0.5);
    w.Add(
        BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(p(r, last.z), p(s, last.z - s), p(0, last.z - r)).Value())
            .Edge());
    last = {0, last.z - r};
  } else {
    go(last.r, last.z, 0, last.z);
  }
  go(0, last.z, 0, first.z);
  const TopoDS_Face half = BRepBuilderAPI_MakeFace(w.Wire(), true).Face();
  const TopoDS_Shape s = BRepPrimAPI_MakeRevol(half, gp_Ax1(gp::Origin(), gp::DZ()), true).Shape();
  return {s, [&](const TopoDS_Face& f, const gp_Pnt& c) {
            const bool cap =
                isFlat(f) && (std::abs(c.Z() - first.z) < kSame || std::abs(c.Z() - none) < kSame);
            return cap ? kNone : wall;
          }};
}
