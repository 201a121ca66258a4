// Writes bracket.step, the example part: a milled aluminium bearing bracket of two walls, to be made
// in three set-ups. OCCT is needed only to make the file again:
//
//   apt install g++ libocct-data-exchange-dev libocct-modeling-algorithms-dev \
//       libocct-modeling-data-dev libocct-foundation-dev
//   g++ -O1 -w -std=c++17 -I/usr/include/opencascade make_bracket.cpp -o /tmp/make_bracket \
//       -lTKSTEP -lTKSTEPBase -lTKSTEPAttr -lTKXSBase -lTKFillet -lTKBO -lTKBool -lTKOffset -lTKPrim \
//       -lTKShHealing -lTKTopAlgo -lTKGeomAlgo -lTKBRep -lTKGeomBase -lTKG3d -lTKG2d -lTKMath -lTKernel
//   /tmp/make_bracket .
//
// The base lies on z = 0 and reaches from x = 0 to 130, the upright stands on its end at x = 0 … 18,
// the bearing boss looks to -x. All lengths are mm.
#include "../../../adapters/cad/step/testdata/step_file.hpp"

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRep_Tool.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>

#include <cmath>
#include <functional>

namespace {

using Shape = TopoDS_Shape;

const double kPi = 3.14159265358979323846;
const gp_Dir kUp(0, 0, 1), kInX(1, 0, 0);
const double kLength = 130, kWidth = 80, kBase = 16, kWall = 18, kHeight = 92;
const double kAxisY = 40, kAxisZ = 58, kBossFace = -10;  // bearing axis

Shape box(double x, double y, double z, double dx, double dy, double dz) {
  return BRepPrimAPI_MakeBox(gp_Pnt(x, y, z), dx, dy, dz).Shape();
}
Shape cylinder(gp_Pnt base, gp_Dir axis, double diameter, double height) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(base, axis), diameter / 2, height).Shape();
}
Shape cone(gp_Pnt base, gp_Dir axis, double d1, double d2, double height) {
  return BRepPrimAPI_MakeCone(gp_Ax2(base, axis), d1 / 2, d2 / 2, height).Shape();
}
Shape cut(const Shape& a, const Shape& b) { return BRepAlgoAPI_Cut(a, b).Shape(); }
Shape fuse(const Shape& a, const Shape& b) { return BRepAlgoAPI_Fuse(a, b).Shape(); }

Shape unified(const Shape& s) {
  ShapeUpgrade_UnifySameDomain u(s);
  u.Build();
  return u.Shape();
}

using Pick = std::function<bool(gp_Pnt start, gp_Pnt end)>;

// eachEdge calls use for the edges of s whose end points pick accepts.
void eachEdge(const Shape& s, const Pick& pick, const std::function<void(const TopoDS_Edge&)>& use) {
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(s, TopAbs_EDGE, edges);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    if (pick(BRep_Tool::Pnt(TopExp::FirstVertex(e)), BRep_Tool::Pnt(TopExp::LastVertex(e)))) use(e);
  }
}
Shape filleted(const Shape& s, double radius, const Pick& pick) {
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, pick, [&](const TopoDS_Edge& e) { f.Add(radius, e); });
  return f.Shape();
}
Shape chamfered(const Shape& s, double leg, const Pick& pick) {
  BRepFilletAPI_MakeChamfer c(s);
  eachEdge(s, pick, [&](const TopoDS_Edge& e) { c.Add(leg, e); });
  return c.Shape();
}
bool at(double v, double w) { return std::abs(v - w) < 1e-3; }

// tapped removes a blind tapping-size hole with a 118° tip, from an entry point into the material.
Shape tapped(const Shape& s, gp_Pnt entry, gp_Dir into, double diameter, double depth) {
  gp_Pnt end = entry.Translated(gp_Vec(into) * depth);
  double tip = diameter / 2 / std::tan(59 * kPi / 180);
  return cut(s, fuse(cylinder(entry, into, diameter, depth), cone(end, into, diameter, 0, tip)));
}

// screwHole removes a through hole with a counterbore, both from the top of the base.
Shape screwHole(const Shape& s, double x, double y, double diameter, double head, double depth) {
  Shape hole = cylinder(gp_Pnt(x, y, -1), kUp, diameter, kBase + 2);
  return cut(s, fuse(hole, cylinder(gp_Pnt(x, y, kBase - depth), kUp, head, depth + 1)));
}

Shape body() {
  Shape s = unified(fuse(box(0, 0, 0, kLength, kWidth, kBase), box(0, 0, 0, kWall, kWidth, kHeight)));
  auto inner = [](gp_Pnt p) { return at(p.X(), kWall) && at(p.Z(), kBase); };
  auto end = [](gp_Pnt p) { return at(p.X(), kLength); };
  auto top = [](gp_Pnt p) { return at(p.Z(), kHeight); };
  s = filleted(s, 8, [=](gp_Pnt p, gp_Pnt q) { return inner(p) && inner(q); });
  s = filleted(s, 12, [=](gp_Pnt p, gp_Pnt q) { return end(p) && end(q) && at(p.Y(), q.Y()); });
  s = filleted(s, 22, [=](gp_Pnt p, gp_Pnt q) { return top(p) && top(q) && at(p.Y(), q.Y()); });
  s = chamfered(s, 1, [](gp_Pnt p, gp_Pnt q) { return at(p.Z(), 0) && at(q.Z(), 0); });
  s = fuse(s, cylinder(gp_Pnt(kBossFace, kAxisY, kAxisZ), kInX, 46, 5 - kBossFace));
  s = filleted(unified(s), 3, [](gp_Pnt p, gp_Pnt q) { return at(p.X(), 0) && at(p.Distance(q), 0); });
  return chamfered(s, 1, [](gp_Pnt p, gp_Pnt q) { return at(p.X(), kBossFace) && at(q.X(), kBossFace); });
}

// bearingSeat: bore 24 through, seat 32 × 7 for the bearing, edges broken, four M4 for its cover.
Shape bearingSeat(Shape s) {
  auto on = [](double x) { return gp_Pnt(x, kAxisY, kAxisZ); };
  s = cut(s, cylinder(on(kBossFace - 1), kInX, 24, 40));
  s = cut(s, fuse(cylinder(on(kBossFace - 1), kInX, 32, 8), cone(on(kBossFace), kInX, 34, 32, 1)));
  s = cut(s, cone(on(kWall - 1), kInX, 24, 26, 1));
  for (int i = 0; i < 4; i++) {
    double a = kPi / 4 + i * kPi / 2, r = 19.2;
    s = tapped(s, gp_Pnt(kBossFace, kAxisY + r * std::cos(a), kAxisZ + r * std::sin(a)), kInX, 3.3, 10);
  }
  return s;
}

// pocket removes the lightening pocket of the base, corners R6, its upper edge chamfered.
Shape pocket(const Shape& s) {
  const double x = 60, y = 24, dx = 42, dy = 32, depth = 9;
  Shape p = filleted(box(x, y, kBase - depth, dx, dy, depth + 5), 6,
                     [](gp_Pnt a, gp_Pnt b) { return at(a.X(), b.X()) && at(a.Y(), b.Y()); });
  Shape c = cut(s, p);
  return chamfered(c, 0.8, [=](gp_Pnt a, gp_Pnt b) {
    auto rim = [=](gp_Pnt q) {
      return at(q.Z(), kBase) && q.X() > x - 1 && q.X() < x + dx + 1 && q.Y() > y - 1 && q.Y() < y + dy + 1;
    };
    return rim(a) && rim(b);
  });
}

Shape bracket() {
  Shape s = pocket(body());
  s = bearingSeat(s);
  for (double x : {46.0, 114.0})
    for (double y : {14.0, 66.0}) s = screwHole(s, x, y, 9, 15, 9);
  s = cut(s, cylinder(gp_Pnt(38, 40, -1), kUp, 6, kBase + 2));  // dowel
  Shape slot = box(114, 34, -1, 6, 12, kBase + 2);  // second dowel, free along y
  for (double y : {34.0, 46.0}) slot = fuse(slot, cylinder(gp_Pnt(117, y, -1), kUp, 6, kBase + 2));
  s = cut(s, unified(slot));
  s = tapped(s, gp_Pnt(kWall / 2, kAxisY, kHeight), kUp.Reversed(), 4.2, 13);  // M5, cover
  s = tapped(s, gp_Pnt(80, 0, 8), gp_Dir(0, 1, 0), 5, 14);                     // M6, cable clamp
  return unified(s);
}

}  // namespace

int main(int argc, char** argv) try {
  const stepfile::Options plainCurves{"AP214IS", "MM", false};
  std::string path = stepfile::write(bracket(), argc > 1 ? argv[1] : ".", "bracket", plainCurves);
  stepfile::printJSON(stdout, "bracket.step", stepfile::measure(path));
  puts("");
  return 0;
} catch (const Standard_Failure& e) {
  fprintf(stderr, "OCCT: %s\n", e.GetMessageString());
  return 1;
} catch (const std::exception& e) {
  fprintf(stderr, "%s\n", e.what());
  return 1;
}
