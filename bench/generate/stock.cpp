#include "stock.hpp"

#include <BRepAdaptor_Surface.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <Geom_BSplineSurface.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColgp_Array2OfPnt.hxx>
#include <algorithm>
#include <cmath>

gp_Dir outward(const TopoDS_Face& f) {
  const gp_Dir n = BRepAdaptor_Surface(f).Plane().Axis().Direction();
  const bool left = BRepAdaptor_Surface(f).Plane().Direct();
  const bool flip = (f.Orientation() == TopAbs_REVERSED) == left;
  return flip ? n.Reversed() : n;
}

namespace {

bool isPlane(const TopoDS_Face& f) { return BRepAdaptor_Surface(f).GetType() == GeomAbs_Plane; }

}  // namespace

Spot Stock::plan(const Part& p) const {
  Spot s;
  s.at = p.place * frame(gp_Pnt(0, 0, height), gp::DZ(), gp::DX());
  s.length = length, s.width = width, s.plane = top;
  s.depth = 0.5 * height, s.through = height;
  return s;
}

Spot Stock::under(const Part& p) const {
  Spot s = plan(p);
  s.at = p.place * frame(gp::Origin(), gp::DZ().Reversed(), gp::DX());
  s.plane = bottom;
  return s;
}

Spot Stock::side(const Part& p, int i) const {
  Spot s;
  const double a = i * M_PI / 2;
  const gp_Dir n(std::round(std::cos(a)), std::round(std::sin(a)), 0);
  const double out = (i % 2 == 0 ? length : width) / 2;
  s.at = p.place * frame(gp_Pnt(n.X() * out, n.Y() * out, height / 2), n, gp::DZ().Crossed(n));
  s.length = i % 2 == 0 ? width : length;
  s.width = height, s.plane = planes[size_t(i)];
  s.depth = 2 * out / 2, s.through = 2 * out;
  return s;
}

Stock raise(Part& p, const Outline& o, double length, double width, double height) {
  Stock s;
  s.length = length, s.width = width, s.height = height;
  s.top = p.tag(), s.bottom = p.tag();
  struct Side {
    Tag tag;
    gp_Dir normal;
  };
  std::vector<Side> sides;
  const Body plain = prism(o, 0, height, {0, 1, 2});
  p.body = Body(plain.shape(), [&](const TopoDS_Face& f, const gp_Pnt&) {
             if (plain.tag(f) == 1) return s.bottom;
             if (plain.tag(f) == 2) return s.top;
             const Tag t = p.tag();
             if (isPlane(f))
               sides.push_back({t, outward(f)});
             else
               s.curved.push_back(t);
             return t;
           }).moved(p.place);
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    auto turn = [](const gp_Dir& d) {
      const double t = std::atan2(d.Y(), d.X());
      return t < -0.1 ? t + 2 * M_PI : t;
    };
    return turn(a.normal) < turn(b.normal);
  });
  p.face(s.top, gp::DZ().Transformed(p.place));
  p.face(s.bottom, gp::DZ().Reversed().Transformed(p.place));
  Feature f;
  f.kind = "Profile";
  f.direction = gp::DZ().Transformed(p.place);
  f.sense = Sense::kEither;
  f.tags.insert(s.curved.begin(), s.curved.end());
  bool square = true;
  for (const Side& side : sides) {
    s.planes.push_back(side.tag);
    f.tags.insert(side.tag);
    square = square && std::abs(std::sin(2 * std::atan2(side.normal.Y(), side.normal.X()))) < 1e-9;
    p.face(side.tag, side.normal.Transformed(p.place));
  }
  s.isBox = square && s.curved.empty();
  if (!s.isBox) {
    f.facts.set("kind", "Profile");
    f.facts.set("isOuter", true);
    f.facts.set("height", height);
    f.facts.set("draftDeg", 0);
    f.facts.set("minConcaveRadius", Json());
    f.facts.set("perimeter", (areaOf(p.body.shape()) - 2 * volumeOf(p.body.shape()) / height) / height);
    f.ifAlone = {"height", "perimeter"};
    s.profile = p.add(f);
  }
  return s;
}

Angle angle(Part& p, Random& r) {
  struct {
    double length, width, height;
  } s = {r.between(60, 120, 1), r.between(40, 80, 1), r.between(8, 16, 0.5)};
  const double t = r.between(8, 16, 0.5), tall = s.height + r.between(0.4, 0.75, 0.01) * (s.length - t);
  const double x = s.length / 2;
  const Tag first = p.tag();
  for (int i = 0; i < 5; i++) p.tag();
  const Tag low = p.tag(), high = p.tag(), fillet = p.tag();
  // The sides in this order: bottom, end, floor of the step, its wall, top, back.
  p.body = extruded({{-x, 0}, {x, 0}, {x, s.height}, {-x + t, s.height}, {-x + t, tall}, {-x, tall}},
                    -s.width / 2, s.width / 2, first, low, high)
               .moved(p.place);
  const Tag floor = first + 2, wall = first + 3;
  auto face = [&](Tag tag, gp_Dir n) { p.face(tag, n.Transformed(p.place)); };
  face(first, gp::DZ().Reversed());
  face(first + 1, gp::DX());
  face(first + 4, gp::DZ());
  face(first + 5, gp::DX().Reversed());
  face(low, gp::DY().Reversed());
  face(high, gp::DY());
  const double radius = r.chance(0.5) ? r.between(2, 6, 0.5) : 0;
  const double full = tall * s.length * s.width, before = volumeOf(p.body.shape());
  if (radius > 0) p.body.blend(p.body.between(floor, wall), radius, fillet);
  Feature f;
  f.kind = "Pocket";
  f.direction = gp::DZ().Transformed(p.place);
  f.tags = {floor, wall, fillet};
  f.facts.set("kind", "Pocket");
  f.facts.set("depth", tall - s.height);
  f.facts.set("isOpen", true);
  f.facts.set("isThrough", false);
  f.facts.set("length", std::max(s.length - t, s.width));
  f.facts.set("width", std::min(s.length - t, s.width));
  f.facts.set("minCornerRadius", Json());
  f.facts.set("floorRadius", radius);
  f.facts.set("floorTiltDeg", 0);
  f.facts.set("volume", full - before - (volumeOf(p.body.shape()) - before));
  f.ifAlone = {"volume"};
  p.add(f);
  Angle a;
  const double free = s.length - t - radius;
  a.base.at = p.place * frame(gp_Pnt(x - free / 2, 0, s.height), gp::DZ(), gp::DX());
  a.base.length = free - 10, a.base.width = s.width - 10;
  a.base.depth = 0.6 * s.height, a.base.through = s.height, a.base.plane = floor, a.base.rank = 1;
  a.upright.at =
      p.place * frame(gp_Pnt(-x + t, 0, s.height + (tall - s.height + radius) / 2), gp::DX(), gp::DY());
  a.upright.length = s.width - 8, a.upright.width = tall - s.height - radius - 8;
  a.upright.depth = 0.6 * t, a.upright.through = t, a.upright.plane = wall, a.upright.rank = 1;
  return a;
}

void lid(Part& p, Random& r, Stock& s, double swing) {
  const int n = 5 + int(r.below(3)), degree = 3;
  TColgp_Array2OfPnt poles(1, n, 1, n);
  const double x = s.length / 2 + 6, y = s.width / 2 + 6, z = s.height - swing;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      poles(i, j) = gp_Pnt(-x + 2 * x * (i - 1) / (n - 1), -y + 2 * y * (j - 1) / (n - 1),
                           z + swing * (2 * r.unit() - 1));
  const int spans = n - degree;
  TColStd_Array1OfReal knots(1, spans + 1);
  TColStd_Array1OfInteger times(1, spans + 1);
  for (int i = 1; i <= spans + 1; i++) {
    knots(i) = double(i - 1) / spans;
    times(i) = i == 1 || i == spans + 1 ? degree + 1 : 1;
  }
  Handle(Geom_BSplineSurface) surface =
      new Geom_BSplineSurface(poles, knots, knots, times, times, degree, degree);
  const TopoDS_Face f = BRepBuilderAPI_MakeFace(surface, 1e-7).Face();
  const TopoDS_Shape solid = BRepPrimAPI_MakePrism(f, gp_Vec(0, 0, 4 * s.height), true).Shape();
  const Tag t = p.tag();
  const Body tool(solid, [&](const TopoDS_Face& g, const gp_Pnt& c) {
    return BRepAdaptor_Surface(g).GetType() == GeomAbs_BSplineSurface && c.Z() < 2 * s.height ? t : kNone;
  });
  p.body.cut(tool.moved(p.place));
  p.features.erase(p.features.begin());  // the face of the top
  if (s.profile != SIZE_MAX) {
    s.profile--;
    p.features[s.profile].sense = Sense::kEither;
    p.features[s.profile].facts.drop("height");
  }
  Feature three;
  three.kind = "Three";
  three.direction = gp::DZ().Transformed(p.place);
  three.sense = Sense::kAny;
  three.tags = {t};
  three.facts.set("kind", "Three");
  p.add(three);
  s.top = t;
}

Stock slanted(Part& p, Random& r) {
  const double l = r.between(70, 120, 1), w = r.between(40, 70, 1), h = r.between(25, 45, 1);
  const double bulge = r.between(3, 0.2 * w, 0.5), lean = r.between(25, 38, 1) * kDegree;
  Stock s = raise(p, Outline::bulged(l, w, bulge), l, w, h);
  // Its sides are no profile: one of them leans. The plane at -x goes, the arc at +x is a wall.
  p.features.erase(p.features.begin() + long(s.profile));
  s.profile = SIZE_MAX;
  const Tag gone = s.planes[1];
  p.features.erase(std::remove_if(p.features.begin(), p.features.end(),
                                  [&](const Feature& f) { return f.tags.count(gone); }),
                   p.features.end());
  const Tag slope = p.tag(), far = p.tag();
  const double t = std::tan(lean), x0 = -l / 2 + 2, out = -l / 2 - 5;
  const Body drawn =
      extruded({{out, -2}, {x0 - 2 * t, -2}, {x0 + (h + 2) * t, h + 2}, {out, h + 2}}, -w, w, 0, 4, 5);
  const Body tool(drawn.shape(),
                  [&](const TopoDS_Face& f, const gp_Pnt&) { return drawn.tag(f) == 1 ? slope : kNone; });
  p.body.cut(tool.moved(p.place));
  p.face(slope, gp_Dir(-std::cos(lean), 0, std::sin(lean)).Transformed(p.place));
  Feature f;
  f.kind = "Wall";
  f.direction = gp::DZ().Transformed(p.place);
  f.sense = Sense::kEither;
  f.tags = {s.curved[0], far};
  f.facts.set("kind", "Wall");
  f.facts.set("height", h);
  const double radius = (w * w / 4 + bulge * bulge) / (2 * bulge);
  f.facts.set("length", 2 * radius * std::asin(w / 2 / radius));
  f.facts.set("isClosed", false);
  f.facts.set("draftDeg", 0);
  f.facts.set("minConcaveRadius", Json());
  f.facts.set("floorRadius", 0);
  p.add(f);
  return s;
}
