// Writes the STEP test parts of this folder and expected.json, what OCCT measures in each of them.
// OCCT is needed only to make the files again:
//
//   apt install g++ libocct-data-exchange-dev libocct-modeling-algorithms-dev \
//       libocct-modeling-data-dev libocct-foundation-dev libocct-ocaf-dev
//   g++ -O1 -w -std=c++17 -I/usr/include/opencascade make_parts.cpp -o /tmp/make_parts \
//       -lTKXDESTEP -lTKXCAF -lTKVCAF -lTKCAF -lTKLCAF -lTKCDF -lTKSTEP -lTKSTEPBase -lTKSTEPAttr \
//       -lTKXSBase -lTKFillet -lTKBO -lTKBool -lTKOffset -lTKPrim -lTKShHealing -lTKTopAlgo -lTKGeomAlgo \
//       -lTKBRep -lTKGeomBase -lTKG3d -lTKG2d -lTKMath -lTKernel
//   /tmp/make_parts .
//
// One function per part; all lengths are mm. The files are the same byte for byte whenever they are
// made, but for the order of the colours in the assemblies.
#include "step_file.hpp"

#include <BRepAdaptor_Curve.hxx>
#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepLib.hxx>
#include <BRepOffsetAPI_MakePipeShell.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GeomAPI_PointsToBSpline.hxx>
#include <GeomAPI_PointsToBSplineSurface.hxx>
#include <Geom2d_Line.hxx>
#include <Geom2d_TrimmedCurve.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <Quantity_Color.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_ColorTool.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <TopoDS_Shell.hxx>
#include <gp_Circ.hxx>

#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace {

using Shape = TopoDS_Shape;

const double kPi = 3.14159265358979323846;
const gp_Dir kUp(0, 0, 1);

Shape box(double x, double y, double z, double dx, double dy, double dz) {
  return BRepPrimAPI_MakeBox(gp_Pnt(x, y, z), dx, dy, dz).Shape();
}
Shape cylinder(gp_Pnt base, gp_Dir axis, double radius, double height) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(base, axis), radius, height).Shape();
}
Shape cone(gp_Pnt base, gp_Dir axis, double r1, double r2, double height) {
  return BRepPrimAPI_MakeCone(gp_Ax2(base, axis), r1, r2, height).Shape();
}
Shape cut(const Shape& a, const Shape& b) { return BRepAlgoAPI_Cut(a, b).Shape(); }
Shape fuse(const Shape& a, const Shape& b) { return BRepAlgoAPI_Fuse(a, b).Shape(); }
Shape common(const Shape& a, const Shape& b) { return BRepAlgoAPI_Common(a, b).Shape(); }

Shape moved(const Shape& s, double dx, double dy, double dz) {
  gp_Trsf t;
  t.SetTranslation(gp_Vec(dx, dy, dz));
  return BRepBuilderAPI_Transform(s, t, true).Shape();
}

// eachEdge calls f with the edges of a shape and their ends.
template <class F>
void eachEdge(const Shape& s, F f) {
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(s, TopAbs_EDGE, edges);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    f(e, BRep_Tool::Pnt(TopExp::FirstVertex(e)), BRep_Tool::Pnt(TopExp::LastVertex(e)));
  }
}

// roundedBox is a box whose four vertical edges have the radius r.
Shape roundedBox(double x, double y, double z, double dx, double dy, double dz, double r) {
  Shape b = box(x, y, z, dx, dy, dz);
  BRepFilletAPI_MakeFillet fillet(b);
  eachEdge(b, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    if (std::abs(p.Z() - q.Z()) > dz / 2) fillet.Add(r, e);
  });
  return fillet.Shape();
}

// drilled removes a blind hole with a conical tip of the included angle tip (rad; 0 = flat).
Shape drilled(const Shape& s, double x, double y, double top, double d, double depth, double tip) {
  Shape bore = cylinder(gp_Pnt(x, y, top - depth), kUp, d / 2, depth);
  if (tip > 0) {
    double h = d / 2 / std::tan(tip / 2);
    bore = fuse(bore, cone(gp_Pnt(x, y, top - depth - h), kUp, 0, d / 2, h));
  }
  return cut(s, bore);
}

TopoDS_Edge line(gp_Pnt a, gp_Pnt b) { return BRepBuilderAPI_MakeEdge(a, b).Edge(); }
TopoDS_Edge arc(gp_Pnt a, gp_Pnt through, gp_Pnt b) {
  return BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(a, through, b).Value()).Edge();
}

// revolved turns a closed profile of the xz plane fully about z.
Shape revolved(const std::vector<TopoDS_Edge>& profile) {
  BRepBuilderAPI_MakeWire wire;
  for (auto& e : profile) wire.Add(e);
  gp_Ax1 axis(gp_Pnt(0, 0, 0), kUp);
  return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), axis).Shape();
}

// openedHoles is a block with three holes that pockets cut open: a counterbored one of which half of the counterbore
// is left, one that a V-groove parts, and a blind one of which only the tip still goes all round.
Shape openedHoles() {
  Shape s = box(0, 0, 0, 90, 40, 30);
  s = cut(s, cylinder(gp_Pnt(15, 20, -1), kUp, 2.5, 32));
  s = cut(s, cylinder(gp_Pnt(15, 20, 24), kUp, 5, 7));
  s = cut(s, box(14, 10, 20, 16, 20, 11));
  s = cut(s, cylinder(gp_Pnt(45, 12, -1), kUp, 2.5, 32));
  BRepBuilderAPI_MakeWire groove;
  const gp_Pnt a(40, -1, 7.9), b(40, 20, 12), c(40, -1, 22.5);
  for (auto& e : {line(a, b), line(b, c), line(c, a)}) groove.Add(e);
  s = cut(s, BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(groove.Wire()).Face(), gp_Vec(60, 0, 0)).Shape());
  s = drilled(s, 70, 25, 30, 8, 12, 118 * kPi / 180);
  return cut(s, box(62, 25.3, 17, 16, 10, 14));
}

// A rod with a flat at its end that a cross bore opens in: nothing else looks where the flat does.
Shape flatRod() {
  Shape s = cut(cylinder(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0), 15, 60), box(35, -20, 11, 30, 40, 10));
  return cut(s, cylinder(gp_Pnt(48, 0, -20), kUp, 4, 40));
}

// A thin square with a round eye at each corner, which arms join to a hub: between them are four bays, and the eyes are of the
// outline as well.
Shape crossLink() {
  BRepBuilderAPI_MakePolygon square(gp_Pnt(60, 0, 0), gp_Pnt(0, 60, 0), gp_Pnt(-60, 0, 0), gp_Pnt(0, -60, 0), true);
  Shape s = BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(square.Wire()).Face(), gp_Vec(0, 0, 8)).Shape();
  s = fuse(s, fuse(box(-60, -4, 0, 120, 8, 20), box(-4, -60, 0, 8, 120, 20)));
  s = fuse(s, box(-15, -15, 0, 30, 30, 20));
  for (gp_Pnt at : {gp_Pnt(60, 0, 0), gp_Pnt(0, 60, 0), gp_Pnt(-60, 0, 0), gp_Pnt(0, -60, 0)})
    s = fuse(s, cylinder(at, kUp, 14, 20));
  ShapeUpgrade_UnifySameDomain one(s);
  one.Build();
  return one.Shape();
}

// A tapering rod with a blind bore across it, the mouth of which is bevelled: on a cone the bevel is a free form.
Shape bevelledBore() {
  Shape s = cut(cone(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0), 15, 10, 60), cylinder(gp_Pnt(30, 0, 2), kUp, 4, 20));
  BRepFilletAPI_MakeChamfer bevel(s);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(s, TopAbs_EDGE, edges);
  for (int i = 1; i <= edges.Extent(); i++) {
    BRepAdaptor_Curve c(TopoDS::Edge(edges(i)));
    gp_Pnt mid = c.Value((c.FirstParameter() + c.LastParameter()) / 2);
    if (mid.Z() > 9 && c.GetType() == GeomAbs_BSplineCurve) bevel.Add(0.8, TopoDS::Edge(edges(i)));
  }
  return bevel.Shape();
}

// drilledSlots is a plate with two slots through it, which holes from the sides break into: the tip of one comes out beside
// the middle of a round end, the other one crosses where a side ends.
Shape drilledSlots() {
  const auto slot = [](double x, double y, double dx, double dy) { return roundedBox(x, y, -1, dx, dy, 14, 1.999999); };
  const auto bore = [](gp_Pnt from, gp_Dir along, double depth) {
    const double tip = 2.5 / std::tan(59 * kPi / 180);
    return fuse(cylinder(from, along, 2.5, depth),
                cone(from.Translated(gp_Vec(along) * depth), along, 2.5, 0, tip));
  };
  Shape s = cut(cut(box(0, 0, 0, 60, 30, 12), slot(18, 13, 22, 4)), slot(48, 6, 4, 16));
  s = cut(s, bore(gp_Pnt(0, 15.8, 6), gp_Dir(1, 0, 0), 17));
  return cut(s, bore(gp_Pnt(60, 20, 6), gp_Dir(-1, 0, 0), 15));
}

Shape throughHole() { return cut(box(0, 0, 0, 60, 40, 20), cylinder(gp_Pnt(30, 20, -1), kUp, 5, 22)); }

Shape plateHoles() {
  Shape s = box(0, 0, 0, 120, 60, 20);
  s = drilled(s, 15, 15, 20, 8, 12, 0);
  s = drilled(s, 15, 45, 20, 6.8, 14, 118 * kPi / 180);
  s = cut(s, cylinder(gp_Pnt(45, 20, -1), kUp, 3.3, 22));  // counterbored
  s = cut(s, cylinder(gp_Pnt(45, 20, 13.5), kUp, 5.5, 10));
  s = cut(s, cylinder(gp_Pnt(75, 20, -1), kUp, 2.75, 22));  // countersunk
  s = cut(s, cone(gp_Pnt(75, 20, 17.15), kUp, 2.75, 5.6, 2.85));
  s = drilled(s, 45, 45, 20, 20, 4, 0);  // stepped: 20 × 4, 12 × 10, 6 through
  s = drilled(s, 45, 45, 20, 12, 10, 0);
  s = cut(s, cylinder(gp_Pnt(45, 45, -1), kUp, 3, 22));
  s = cut(s, cylinder(gp_Pnt(120, 30, 10), gp_Dir(-1, 0, 0), 2.5, 25));  // from the side, blind
  return cut(s, cylinder(gp_Pnt(85, 45, -5), gp_Dir(0.3, 0, 1), 4, 40));  // oblique, through
}

Shape pockets() {
  Shape s = box(0, 0, 0, 140, 90, 30);
  s = cut(s, roundedBox(10, 10, 18, 45, 35, 20, 5));                       // closed
  Shape island = cylinder(gp_Pnt(90, 27.5, 0), kUp, 7, 30);
  s = cut(s, cut(roundedBox(65, 10, 15, 50, 35, 20, 6), island));
  s = cut(s, roundedBox(-20, 55, 20, 50, 25, 20, 8));                      // open at x = 0
  s = cut(s, roundedBox(40, 55, -1, 35, 25, 40, 4));                       // through
  s = cut(s, roundedBox(85, 62, 22, 40, 12, 20, 5.999));                   // closed slot, nearly round ends
  return cut(s, box(128, -1, 12, 8, 100, 20));                             // straight slot, open at both ends
}

Shape bosses() {
  Shape s = box(0, 0, 0, 100, 70, 10);
  s = fuse(s, cylinder(gp_Pnt(25, 35, 10), kUp, 12, 18));
  s = cut(s, cylinder(gp_Pnt(25, 35, 14), kUp, 5, 20));
  s = fuse(s, roundedBox(55, 20, 9, 30, 30, 13, 6));
  return fuse(s, cone(gp_Pnt(48, 60, 10), kUp, 6, 4, 12));
}

Shape chamfers() {
  Shape s = box(0, 0, 0, 60, 40, 25);
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(s, TopAbs_EDGE, edges);
  BRepFilletAPI_MakeChamfer c(s);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    gp_Pnt p = BRep_Tool::Pnt(TopExp::FirstVertex(e)), q = BRep_Tool::Pnt(TopExp::LastVertex(e));
    if (p.Z() > 24 && q.Z() > 24) c.Add(2, e);
    if (p.X() > 59 && q.X() > 59 && p.Y() < 1 && q.Y() < 1) c.Add(6, e);
  }
  s = c.Shape();
  s = cut(s, cylinder(gp_Pnt(25, 20, -1), kUp, 6, 40));
  return cut(s, cone(gp_Pnt(25, 20, 24), kUp, 6, 7.5, 1.5));
}

// earedDrum is a drum with a drafted ear on its mantle that is filleted all round its foot.
Shape earedDrum() {
  gp_Ax2 at(gp_Pnt(20, 12, 15), kUp, gp_Dir(0, -1, 0));
  Shape s = fuse(cylinder(gp_Pnt(0, 0, 0), kUp, 25, 50), BRepPrimAPI_MakeWedge(at, 24, 18, 20, 2.5, 2.5, 21.5, 17.5).Shape());
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    bool onMantle = std::abs(std::hypot(p.X(), p.Y()) - 25) < 0.1 && std::abs(std::hypot(q.X(), q.Y()) - 25) < 0.1;
    if (onMantle && p.Z() > 1 && p.Z() < 49 && q.Z() > 1 && q.Z() < 49) f.Add(3, e);
  });
  return f.Shape();
}

Shape fillets() {
  Shape s = fuse(box(0, 0, 0, 60, 40, 12), cylinder(gp_Pnt(30, 20, 12), kUp, 10, 15));
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    bool closed = p.Distance(q) < 1e-6, vertical = std::abs(p.Z() - q.Z()) > 5;
    if (closed) f.Add(p.Z() > 20 ? 2 : 3, e);
    else if (p.Z() > -1 && (p.Z() + q.Z() > 23 || vertical) && p.Z() < 13 && q.Z() < 13) f.Add(4, e);
  });
  return f.Shape();
}

Shape conicSections() {
  // A cylinder and a cone cut by oblique planes: ellipse, parabola-like and hyperbola edges.
  Shape c = cylinder(gp_Pnt(0, 0, 0), kUp, 10, 40);
  gp_Ax2 tilted(gp_Pnt(0, 0, 28), gp_Dir(0.5, 0, 1), gp_Dir(0, 1, 0));
  Shape slant = BRepPrimAPI_MakeBox(tilted, 80, 80, 40).Shape();
  gp_Trsf shift;
  shift.SetTranslation(gp_Vec(gp_Dir(0, 1, 0)) * -40 + gp_Vec(gp_Dir(1, 0, -0.5)) * 40);
  c = cut(c, BRepBuilderAPI_Transform(slant, shift, true).Shape());
  Shape k = cut(cone(gp_Pnt(40, 0, 0), kUp, 15, 0, 30), box(44, -40, -1, 40, 80, 60));
  Shape p = cone(gp_Pnt(85, 0, 0), kUp, 15, 0, 30);
  // The plane through (90, y, 0) along the generator direction (-1, 0, 2) cuts a parabola.
  gp_Ax2 side(gp_Pnt(90, -40, -20), gp_Dir(2, 0, 1), gp_Dir(-1, 0, 2));
  gp_Trsf down;
  down.SetTranslation(gp_Vec(gp_Dir(-1, 0, 2)) * -20);
  p = cut(p, BRepBuilderAPI_Transform(BRepPrimAPI_MakeBox(side, 120, 80, 60).Shape(), down, true).Shape());
  BRep_Builder b;
  TopoDS_Compound all;
  b.MakeCompound(all);
  for (auto& s : {c, k, p}) b.Add(all, TopExp_Explorer(s, TopAbs_SOLID).Current());
  return all;
}

Shape crossHoles() {
  Shape s = cylinder(gp_Pnt(0, 0, 0), kUp, 20, 60);
  s = cut(s, cylinder(gp_Pnt(0, 0, -1), kUp, 12, 62));
  s = cut(s, cylinder(gp_Pnt(-30, 0, 30), gp_Dir(1, 0, 0), 8, 60));
  return cut(s, cylinder(gp_Pnt(0, -30, 45), gp_Dir(0, 1, 0), 4, 60));
}

// A flange with a tapered boss and two square passages through both, which notch the foot of the boss: seen
// from above, one opening runs round foot and notches.
Shape notchedFoot() {
  Shape s = fuse(cylinder(gp_Pnt(0, 0, 0), kUp, 25, 10), cone(gp_Pnt(0, 0, 10), kUp, 14, 11, 18));
  s = cut(s, box(11, -3, -1, 6, 6, 40));
  return cut(s, box(-3, -17, -1, 6, 6, 40));
}

// A block with a ring-shaped groove and a deeper slot from its side across the groove into its core.
Shape cutGroove() {
  Shape ring = cut(cylinder(gp_Pnt(0, 0, 12), kUp, 18, 20), cylinder(gp_Pnt(0, 0, 0), kUp, 12, 40));
  return cut(cut(box(-25, -25, 0, 50, 50, 20), ring), box(6, -3, 8, 30, 6, 20));
}

// A rod with a slot right through it, whose mouths lie in the round of the rod.
Shape slottedRod() {
  return cut(cylinder(gp_Pnt(-40, 0, 0), gp_Dir(1, 0, 0), 20, 80), roundedBox(-12, -5, -30, 24, 10, 60, 3));
}

// A trapezoid swept along a helix about the z axis that begins at a height and an angle; its lead is negative where it is
// left-handed. It rises by h from radius r, into it where h is negative, and is as wide as top there.
Shape ridge(double r, double z, double from, double lead, double turns, double h, double top, double flank) {
  gp_Ax3 axes(gp_Pnt(0, 0, z), kUp, gp_Dir(std::cos(from), std::sin(from), 0));
  Handle(Geom2d_Line) line = new Geom2d_Line(gp_Pnt2d(0, 0), gp_Dir2d(lead > 0 ? 2 * M_PI : -2 * M_PI, std::abs(lead)));
  TopoDS_Edge helix = BRepBuilderAPI_MakeEdge(
      new Geom2d_TrimmedCurve(line, 0, turns * std::hypot(2 * M_PI, lead)), new Geom_CylindricalSurface(axes, r));
  BRepLib::BuildCurves3d(helix);
  auto at = [&](double radius, double up) {
    return gp_Pnt(radius * std::cos(from), radius * std::sin(from), z + up);
  };
  double base = r - 0.1 * h, wide = top / 2 + std::abs(1.1 * h) * std::tan(flank);
  BRepOffsetAPI_MakePipeShell pipe(BRepBuilderAPI_MakeWire(helix).Wire());
  pipe.SetMode(kUp);
  pipe.Add(BRepBuilderAPI_MakePolygon(at(base, -wide), at(base, wide), at(r + h, top / 2), at(r + h, -top / 2), true).Wire());
  pipe.Build();
  pipe.MakeSolid();
  return pipe.Shape();
}

// A round head and a shank into which three turns of M8 x 1.25 are cut.
Shape threadedPin() {
  Shape shank = cut(cylinder(gp_Pnt(0, 0, 0), kUp, 4, 12), ridge(4, 5, 0, 1.25, 3, -0.7, 0.16, M_PI / 6));
  return fuse(shank, cylinder(gp_Pnt(0, 0, -5), kUp, 7, 5));
}

// A bush with three turns of M12 x 1.5 in its bore, which begin and end inside it.
Shape threadedBush() {
  Shape s = cut(cylinder(gp_Pnt(0, 0, 0), kUp, 9, 12), cylinder(gp_Pnt(0, 0, -1), kUp, 5.2, 14));
  return cut(s, ridge(5.2, 3.5, 0, 1.5, 3, 0.8, 0.19, M_PI / 6));
}

// Two left-handed ridges of a trapezoidal thread, wound on their core: 12 outside, 9 inside, lead 6.
Shape leadScrew() {
  Shape s = cylinder(gp_Pnt(0, 0, 0), kUp, 4.5, 20);
  for (double from : {0.0, M_PI}) s = fuse(s, ridge(4.5, 5, from, -6, 1.5, 1.5, 0.8, M_PI / 12));
  return s;
}

// A plate with two lugs about holes: one flush with a long side, one in a corner, flush with a short side and with
// a flank; both on the same floor. In another corner a square post with a hole, which is no lug.
Shape lugs() {
  Shape s = box(0, 0, 0, 90, 50, 10);
  s = fuse(s, fuse(box(25, 0, 5, 20, 8, 25), cylinder(gp_Pnt(35, 0, 30), gp_Dir(0, 1, 0), 10, 8)));
  s = cut(s, cylinder(gp_Pnt(35, -1, 30), gp_Dir(0, 1, 0), 4, 10));
  s = fuse(s, fuse(box(82, 30, 5, 8, 20, 23), cylinder(gp_Pnt(82, 40, 28), gp_Dir(1, 0, 0), 10, 8)));
  s = cut(s, cylinder(gp_Pnt(81, 40, 28), gp_Dir(1, 0, 0), 5, 10));
  s = fuse(s, box(0, 38, 5, 12, 12, 20));
  return cut(s, cylinder(gp_Pnt(-1, 44, 18), gp_Dir(1, 0, 0), 3, 14));
}

// A rod between two eyes, flush with it on both sides, that a mill thinned from above, with fillets round the eyes, and from
// below.
Shape relievedRod() {
  gp_Pnt small(80, 0, 0), large(0, 0, 0);
  Shape s = fuse(fuse(cylinder(large, kUp, 15, 16), cylinder(small, kUp, 12, 16)), box(0, -8, 0, 80, 16, 16));
  ShapeUpgrade_UnifySameDomain whole(s);
  whole.Build();
  s = whole.Shape();
  for (double z : {-1, 12})
    s = cut(s, cut(cut(box(0, -20, z, 80, 40, 5), cylinder(gp_Pnt(0, 0, z), kUp, 18, 5)), cylinder(gp_Pnt(80, 0, z), kUp, 15, 5)));
  s = cut(cut(s, cylinder(gp_Pnt(0, 0, -1), kUp, 9, 20)), cylinder(gp_Pnt(80, 0, -1), kUp, 6, 20));
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    if (p.Z() > 11 && p.Z() < 13 && std::abs(p.Z() - q.Z()) < 1 && std::abs(p.X() - q.X()) < 1) f.Add(1, e);
  });
  return f.Shape();
}

// A tube on a plate that is narrower than it, so that two ears stick out, with a collar round its bore on which two pads with
// holes stand, as far in as the collar reaches out.
Shape collar() {
  Shape s = fuse(box(-40, -10, 0, 80, 20, 8), cylinder(gp_Pnt(0, 0, 0), kUp, 20, 24));
  s = fuse(s, cylinder(gp_Pnt(0, 0, 24), kUp, 14, 4));
  for (double x : {-18, 13}) s = fuse(s, cut(box(x, -4, 24, 5, 8, 6), cylinder(gp_Pnt(0, 0, 24), kUp, 14, 6)));
  ShapeUpgrade_UnifySameDomain whole(s);
  whole.Build();
  s = cut(whole.Shape(), cylinder(gp_Pnt(0, 0, -1), kUp, 11, 50));
  for (double x : {-16, 16}) s = drilled(s, x, 0, 30, 2, 5, 0);
  for (double x : {-32, 32}) s = cut(s, cylinder(gp_Pnt(x, 0, -1), kUp, 3, 10));
  return s;
}

// A disc of which one half is cut down to a step, with a fillet; all upper edges of both are broken.
Shape steppedDisc() {
  Shape s = cut(cylinder(gp_Pnt(0, 0, 0), kUp, 30, 24), box(-50, -50, 10, 50, 100, 20));
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    if (p.Z() == 10 && q.Z() == 10 && BRepAdaptor_Curve(e).GetType() == GeomAbs_Line) f.Add(2, e);
  });
  s = f.Shape();
  BRepFilletAPI_MakeChamfer c(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    bool isTop = p.Z() > 23 && q.Z() > 23;
    bool isFloor = p.Z() == 10 && q.Z() == 10 && p.X() < -1 && std::abs(p.Y()) > 29 && std::abs(p.Y() - q.Y()) > 1;
    if (isTop || isFloor) c.Add(0.4, e);
  });
  return c.Shape();
}

// A block with a round hump across its top, with fillets beside it, of which the upper edges at the back and at both ends are broken.
Shape humped() {
  Shape s = fuse(box(0, 0, 0, 80, 40, 20), cylinder(gp_Pnt(40, 0, 15), gp_Dir(0, 1, 0), 15, 40));
  ShapeUpgrade_UnifySameDomain whole(s);
  whole.Build();
  s = whole.Shape();
  BRepFilletAPI_MakeFillet f(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    if (std::abs(p.Z() - 20) < 1e-6 && std::abs(p.X() - q.X()) < 1e-6 && std::abs(p.X() - 40) < 20) f.Add(5, e);
  });
  s = f.Shape();
  BRepFilletAPI_MakeChamfer c(s);
  eachEdge(s, [&](const TopoDS_Edge& e, gp_Pnt p, gp_Pnt q) {
    bool isUp = p.Z() > 19 && q.Z() > 19, isEnd = std::abs(p.X() - q.X()) < 1e-6 && std::abs(p.X() - 40) > 39;
    if (isUp && (isEnd || p.Y() > 39 && q.Y() > 39)) c.Add(1, e);
  });
  return c.Shape();
}

// A shaft of which a stage has a keyway along all of it, down to the shoulder, and another one a flat.
Shape keyedShaft() {
  Shape s = fuse(cylinder(gp_Pnt(0, 0, 0), kUp, 20, 30), cylinder(gp_Pnt(0, 0, 30), kUp, 14, 40));
  s = fuse(s, cylinder(gp_Pnt(0, 0, -25), kUp, 12, 25));
  return cut(cut(s, box(10, -4, 30, 10, 8, 40)), box(-20, 9, -25, 40, 10, 25));
}

// A pentagonal prism that others have cut: one side is gone from below its middle up, two thirds of another one are left, and a pocket with
// walls that lean by 4 degrees opens at a third.
Shape cutPentagon() {
  BRepBuilderAPI_MakePolygon outline;
  for (int i = 0; i < 5; i++) outline.Add(gp_Pnt(40 * std::cos((90 + 72 * i) * M_PI / 180), 40 * std::sin((90 + 72 * i) * M_PI / 180), 0));
  outline.Close();
  Shape s = BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline.Wire()), gp_Vec(0, 0, 26)).Shape();
  s = cut(cut(s, box(-40, -40, 10, 80, 14, 20)), box(26, 5, -1, 20, 20, 30));
  double t = 8 * std::tan(4 * M_PI / 180);
  gp_Ax2 down(gp_Pnt(-45, -2, 26), gp_Dir(0, 1, 0), gp_Dir(1, 0, 0));
  return cut(s, BRepPrimAPI_MakeWedge(down, 40, 8, 14, t, t, 40 - t, 14 - t).Shape());
}

// A block with sides that lean by 7 degrees, a V groove along its top that a slot parts, and a hole aslant beside it.
Shape groovedBlock() {
  BRepBuilderAPI_MakePolygon vee;
  for (auto [y, z] : {std::pair{22.0, 30.0}, {32.0, 22.0}, {42.0, 30.0}}) vee.Add(gp_Pnt(0, y, z));
  gp_Ax2 foot(gp_Pnt(0, 60, 0), gp_Dir(0, -1, 0), gp_Dir(1, 0, 0));
  double t = 30 * std::tan(7 * M_PI / 180);
  Shape s = BRepPrimAPI_MakeWedge(foot, 80, 30, 60, t, t, 80 - t, 60 - t).Shape();
  vee.Close();
  Shape groove = BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(vee.Wire()), gp_Vec(80, 0, 0)).Shape();
  s = cut(cut(s, groove), box(50, -1, 16, 8, 62, 20));
  return cut(s, cylinder(gp_Pnt(20, 18, -10), gp_Dir(0.243, -0.183, 0.953), 4, 60));
}

// What a tool of the width of a slot leaves along an arc about c, from one angle to another (deg), height deep.
Shape arcSlot(gp_Pnt c, double inner, double outer, double from, double to, double height) {
  double middle = (inner + outer) / 2, end = (outer - inner) / 2;
  auto at = [&](double r, double a, double beyond = 0) {
    a *= M_PI / 180;
    return gp_Pnt(c.X() + r * std::cos(a) - beyond * std::sin(a), c.Y() + r * std::sin(a) + beyond * std::cos(a), c.Z());
  };
  BRepBuilderAPI_MakeWire wire;
  auto arc = [&](gp_Pnt a, gp_Pnt b, gp_Pnt d) { wire.Add(BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(a, b, d).Value())); };
  arc(at(inner, from), at(inner, (from + to) / 2), at(inner, to));
  arc(at(inner, to), at(middle, to, end), at(outer, to));
  arc(at(outer, to), at(outer, (from + to) / 2), at(outer, from));
  arc(at(outer, from), at(middle, from, -end), at(inner, from));
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(wire.Wire()), gp_Vec(0, 0, height)).Shape();
}

// A disc with a slot along an arc through it, of which a step opens the upper half.
Shape openArc() {
  Shape s = cut(cylinder(gp_Pnt(0, 0, 0), kUp, 40, 20), box(28, -50, 10, 20, 100, 20));
  return cut(s, arcSlot(gp_Pnt(10, 0, -1), 18, 22, -40, 40, 30));
}

// A disc with a slot along an arc, of one end of which a deeper slot has left little.
Shape partedArc() {
  Shape s = cut(cylinder(gp_Pnt(0, 0, 0), kUp, 40, 20), arcSlot(gp_Pnt(0, 0, 14), 16, 24, 0, 120, 10));
  return cut(s, box(-50, -1, 10, 100, 7, 20));
}

// A block with a groove of six sides round a core, across which a deeper slot goes near a corner.
Shape crossedRing() {
  auto hexagon = [](double radius) {
    BRepBuilderAPI_MakePolygon outline;
    for (int i = 0; i < 6; i++) outline.Add(gp_Pnt(radius * std::cos(i * M_PI / 3), radius * std::sin(i * M_PI / 3), 14));
    outline.Close();
    return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(outline.Wire()), gp_Vec(0, 0, 10)).Shape();
  };
  Shape s = cut(box(-50, -50, 0, 100, 100, 20), cut(hexagon(40), hexagon(26)));
  return cut(s, box(-60, 5, 10, 120, 13, 20));
}

// A half-round bar with three slots across its flat, one of them between the middle and the end.
Shape slottedBar() {
  Shape s = BRepAlgoAPI_Common(cylinder(gp_Pnt(0, 0, 0), kUp, 24, 90), box(-30, -30, 0, 60, 34, 90)).Shape();
  for (double z : {12.0, 30.0, 70.0}) s = cut(s, box(-30, -6, z, 60, 20, 7));
  return s;
}

// A block with steps at both ends and two slots from one to the other, shallower than the steps, with a land between them.
Shape slottedLand() {
  Shape s = cut(cut(box(0, 0, 0, 80, 50, 20), box(-1, -1, 4, 11, 52, 20)), box(70, -1, 4, 11, 52, 20));
  return cut(cut(s, box(0, 10, 12, 80, 8, 20)), box(0, 24, 12, 80, 8, 20));
}

// Sheet 3 thick, bent once, with notches in its contour (one in a corner, one in a side) and a slot through it.
Shape bentSheet() {
  gp_Pnt centre(5, 0, 5);
  gp_Dir along(0, 1, 0);
  Shape bend = cut(cylinder(centre, along, 5, 60), cylinder(centre, along, 2, 60));
  Shape s = fuse(BRepAlgoAPI_Common(bend, box(0, 0, 0, 5, 60, 5)).Shape(), box(5, 0, 0, 45, 60, 3));
  s = fuse(s, box(0, 0, 5, 3, 60, 30));
  s = cut(s, box(35, -1, -1, 20, 21, 10));
  s = cut(s, box(-1, 20, 25, 10, 15, 20));
  return cut(s, roundedBox(12, 30, -1, 20, 8, 10, 3.999));
}

// A circular arc turned about z: the upper half of the outer part (apple) or of the inner part
// (lemon) of a torus whose minor radius exceeds its major radius.
const double kMajor = 6, kMinor = 10;

Shape halfTorus(bool apple) {
  double z = std::sqrt(kMinor * kMinor - kMajor * kMajor), x = apple ? kMinor + kMajor : kMinor - kMajor;
  double middle = apple ? 0.5 : std::asin(z / kMinor) / 2;  // angle of a point between the ends, rad
  double centre = apple ? kMajor : -kMajor;
  gp_Pnt between(centre + kMinor * std::cos(middle), 0, kMinor * std::sin(middle));
  gp_Pnt rim(x, 0, 0), pole(0, 0, z), origin(0, 0, 0);
  return revolved({arc(rim, between, pole), line(pole, origin), line(origin, rim)});
}

// degenerate rewrites the surface of revolution of a half torus, which is how OCCT writes it, as the
// DEGENERATE_TOROIDAL_SURFACE that it is; #11 is the placement of the part: origin, z, x. R + r cos v
// is negative on a lemon, where ∂S/∂u × ∂S/∂v points to the axis: its face is against its surface.
void degenerate(const std::string& path, bool apple) {
  std::ifstream in(path);
  std::string s((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  size_t at = s.find("SURFACE_OF_REVOLUTION("), end = s.find(";", at);
  if (at == std::string::npos) throw std::runtime_error(path + ": no surface of revolution");
  std::ostringstream t;
  t << "DEGENERATE_TOROIDAL_SURFACE('',#11," << kMajor << ".," << kMinor << ".,";
  t << (apple ? ".T." : ".F.") << ")";
  s.replace(at, end - at, t.str());
  if (!apple) s.replace(s.find(",.T.)", s.find("ADVANCED_FACE(")), 5, ",.F.)");
  std::ofstream(path) << s;
}

// halfTorusMeasured has closed forms, because OCCT 7.6 loses the curved face when it reads the revolved form.
// With x = R + r cos v, z = r sin v: V = π ∫ x² dz, A = 2π ∫ |x| r dv.
stepfile::Measured halfTorusMeasured(bool apple, const char* kind) {
  const double R = kMajor, r = kMinor, pole = std::acos(-R / r), s = std::sin(pole);
  double v = kPi * r * (R * R * s + R * r * (pole + std::sin(2 * pole) / 2) + r * r * (s - s * s * s / 3));
  double a = 2 * kPi * r * (R * pole + r * s);
  if (!apple) {
    v = std::abs(kPi * r * R * r * kPi - v);
    a = std::abs(2 * kPi * r * R * kPi - a);
  }
  auto moment = [&](double cosV) {
    double c = r * cosV;
    return -c * c * (R * R / 2 + 2 * R * c / 3 + c * c / 4);
  };
  double z = kPi * std::abs(apple ? moment(-R / r) - moment(1) : moment(-1) - moment(-R / r)) / v;
  double x = apple ? R + r : r - R, top = apple ? r : r * s;
  stepfile::Measured m;
  m.solids = m.shells = 1;
  m.faces = 2;
  m.edges = 2;
  m.vertices = 2;
  m.volume = v;
  m.area = a + kPi * x * x;
  m.centroid = {0, 0, z};
  m.bounds = {-x, -x, 0, x, x, top};
  m.surfaces = {{"plane", 1}, {kind, 1}};
  return m;
}

Shape voidBox() {
  Shape s = cut(box(0, 0, 0, 50, 40, 30), box(5, 5, 5, 15, 30, 20));
  return cut(s, BRepPrimAPI_MakeSphere(gp_Pnt(35, 20, 15), 9).Shape());
}

// freeformTop is a block with a bore whose top is a dome, or with a negative height a dish.
Shape freeformTop(double height) {
  TColgp_Array2OfPnt grid(1, 9, 1, 9);
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++) {
      double x = -30 + 7.5 * i, y = -20 + 5.0 * j;
      grid.SetValue(i + 1, j + 1, gp_Pnt(x, y, 22 + height * std::cos(x / 18) * std::cos(y / 14) + 0.04 * x));
    }
  TopoDS_Face top = BRepBuilderAPI_MakeFace(GeomAPI_PointsToBSplineSurface(grid).Surface(), 1e-6).Face();
  Shape body = common(BRepPrimAPI_MakePrism(top, gp_Vec(0, 0, -60)).Shape(), box(-28, -18, 0, 56, 36, 40));
  return cut(body, cylinder(gp_Pnt(8, 4, -1), kUp, 5, 50));
}

Shape sweptSides() {
  // A prism on a closed spline outline: sides are surfaces of linear extrusion.
  TColgp_Array1OfPnt pts(1, 7);
  double xs[] = {0, 12, 30, 42, 55, 68, 80}, ys[] = {0, 4, 9, 5, 7, 8, 0};
  for (int i = 0; i < 7; i++) pts.SetValue(i + 1, gp_Pnt(xs[i], ys[i] + 30, 0));
  TopoDS_Edge spline = BRepBuilderAPI_MakeEdge(GeomAPI_PointsToBSpline(pts).Curve()).Edge();
  gp_Pnt a(0, 30, 0), b(80, 30, 0), c(80, 0, 0), d(0, 0, 0);
  BRepBuilderAPI_MakeWire w(spline, line(b, c), line(c, d), line(d, a));
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(w.Wire()).Face(), gp_Vec(0, 0, 15)).Shape();
}

Shape turnedPart() {
  // Plane, cylinder, cone, torus and a spline profile, with a bore along the axis.
  TColgp_Array1OfPnt pts(1, 5);
  double xs[] = {14, 11, 13, 10, 8}, zs[] = {38, 44, 51, 58, 64};
  for (int i = 0; i < 5; i++) pts.SetValue(i + 1, gp_Pnt(xs[i], 0, zs[i]));
  TopoDS_Edge spline = BRepBuilderAPI_MakeEdge(GeomAPI_PointsToBSpline(pts).Curve()).Edge();
  auto at = [](double x, double z) { return gp_Pnt(x, 0, z); };
  double h = std::sqrt(0.5);
  return revolved({line(at(4, 0), at(25, 0)), line(at(25, 0), at(25, 8)),
                   arc(at(25, 8), at(23 + 2 * h, 8 + 2 * h), at(23, 10)), line(at(23, 10), at(20, 10)),
                   line(at(20, 10), at(14, 25)), line(at(14, 25), at(14, 38)), spline,
                   line(at(8, 64), at(4, 64)), line(at(4, 64), at(4, 0))});
}

Shape nurbsBlock() {
  Shape s = cut(roundedBox(0, 0, 0, 40, 30, 15, 4), cylinder(gp_Pnt(20, 15, -1), kUp, 6, 20));
  s = fuse(s, BRepPrimAPI_MakeSphere(gp_Pnt(20, 15, 4), 8).Shape());
  return BRepBuilderAPI_NurbsConvert(s, true).Shape();
}

Shape twoSolids() {
  BRep_Builder b;
  TopoDS_Compound c;
  b.MakeCompound(c);
  b.Add(c, box(0, 0, 0, 20, 20, 20));
  b.Add(c, cylinder(gp_Pnt(50, 10, 0), kUp, 10, 25));
  return c;
}

Shape wires() {
  BRep_Builder b;
  TopoDS_Compound c;
  b.MakeCompound(c);
  b.Add(c, line(gp_Pnt(0, 0, 0), gp_Pnt(30, 0, 0)));
  b.Add(c, line(gp_Pnt(30, 0, 0), gp_Pnt(30, 20, 5)));
  b.Add(c, BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(gp_Pnt(0, 0, 0), kUp), 12)).Edge());
  return c;
}

Shape openSheet() {
  // Three sides of a box: a sheet that encloses nothing.
  TopoDS_Shell shell;
  BRep_Builder b;
  b.MakeShell(shell);
  TopExp_Explorer e(box(0, 0, 0, 30, 20, 10), TopAbs_FACE);
  for (int n = 0; n < 3; n++, e.Next()) b.Add(shell, e.Current());
  return shell;
}

TopLoc_Location placed(double dx, double dy, double dz, gp_Dir axis, double angle) {
  gp_Trsf turn, shift;
  turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), axis), angle);
  shift.SetTranslation(gp_Vec(dx, dy, dz));
  return TopLoc_Location(shift * turn);
}

void name(const TDF_Label& l, const char* n) { TDataStd_Name::Set(l, n); }

// Plate with two clamps, each a sub-assembly of a block and two pins: the same clamp used twice, the
// same pin four times, with translations and rotations; coloured plate and pins.
std::string writeAssembly(const std::string& dir, const char* product, const stepfile::Options& o) {
  Handle(TDocStd_Document) doc;
  XCAFApp_Application::GetApplication()->NewDocument("BinXCAF", doc);
  Handle(XCAFDoc_ShapeTool) shapes = XCAFDoc_DocumentTool::ShapeTool(doc->Main());
  Handle(XCAFDoc_ColorTool) colours = XCAFDoc_DocumentTool::ColorTool(doc->Main());
  TDF_Label plate = shapes->AddShape(box(0, 0, 0, 100, 60, 10), false);
  Shape drilledBlock = cut(box(0, 0, 0, 20, 15, 12), cylinder(gp_Pnt(10, 7.5, -1), kUp, 3, 20));
  Shape headedPin = fuse(cylinder(gp_Pnt(0, 0, 0), kUp, 2, 18), cylinder(gp_Pnt(0, 0, 18), kUp, 4, 3));
  TDF_Label block = shapes->AddShape(drilledBlock, false), pin = shapes->AddShape(headedPin, false);
  TDF_Label clamp = shapes->NewShape(), root = shapes->NewShape();
  name(plate, "plate"); name(block, "block"); name(pin, "pin"); name(clamp, "clamp"); name(root, product);
  name(shapes->AddComponent(clamp, block, TopLoc_Location()), "block:1");
  name(shapes->AddComponent(clamp, pin, placed(5, -6, 0, kUp, 0)), "pin:1");
  name(shapes->AddComponent(clamp, pin, placed(28, 7, 6, gp_Dir(0, 1, 0), kPi / 2)), "pin:2");
  name(shapes->AddComponent(root, plate, TopLoc_Location()), "plate:1");
  name(shapes->AddComponent(root, clamp, placed(20, 20, 10, kUp, 0)), "clamp:1");
  name(shapes->AddComponent(root, clamp, placed(85, 25, 10, kUp, 2 * kPi / 3)), "clamp:2");
  colours->SetColor(plate, Quantity_Color(0.2, 0.4, 0.8, Quantity_TOC_RGB), XCAFDoc_ColorSurf);
  colours->SetColor(pin, Quantity_Color(0.9, 0.6, 0.1, Quantity_TOC_RGB), XCAFDoc_ColorSurf);
  shapes->UpdateAssemblies();
  stepfile::apply(o, product);
  STEPCAFControl_Writer w;
  w.SetColorMode(true);
  w.SetNameMode(true);
  if (!w.Transfer(doc, STEPControl_AsIs)) throw std::runtime_error("assembly: not transferred");
  stepfile::neutralHeader(w.ChangeWriter().Model(), product);
  stepfile::neutralData(w.ChangeWriter().Model(), "");
  std::string path = dir + "/" + product + ".step";
  if (w.Write(path.c_str()) != IFSelect_RetDone) throw std::runtime_error(path + ": not written");
  return path;
}

struct Part {
  const char* name;
  Shape shape;
  stepfile::Options options;
};

}  // namespace

int main(int argc, char** argv) try {
  std::string dir = argc > 1 ? argv[1] : ".";
  const stepfile::Options ap214, ap203{"AP203"}, ap242{"AP242DIS"}, bare{"AP214IS", "MM", false};
  const stepfile::Options inch{"AP203", "INCH"}, metre{"AP214IS", "M", false};
  const stepfile::Options wire{"AP214IS", "MM", true, false, STEPControl_GeometricCurveSet};
  const stepfile::Options tree{"AP214IS", "MM", true, true}, treeInch{"AP242DIS", "INCH", false, true};
  const std::vector<Part> parts = {
      {"through_hole", throughHole(), ap214},
      {"plate_holes", plateHoles(), ap203},
      {"pockets", pockets(), bare},
      {"bosses", bosses(), ap242},
      {"chamfers", chamfers(), ap203},
      {"fillets", fillets(), ap214},
      {"conic_sections", conicSections(), ap214},
      {"cross_holes", crossHoles(), bare},
      {"opened_holes", openedHoles(), ap214},
      {"flat_rod", flatRod(), ap214},
      {"cross_link", crossLink(), bare},
      {"bevelled_bore", bevelledBore(), ap214},
      {"drilled_slots", drilledSlots(), ap214},
      {"notched_foot", notchedFoot(), ap214},
      {"cut_groove", cutGroove(), ap214},
      {"slotted_rod", slottedRod(), bare},
      {"threaded_pin", threadedPin(), bare},
      {"threaded_bush", threadedBush(), bare},
      {"lead_screw", leadScrew(), bare},
      {"lugs", lugs(), ap214},
      {"relieved_rod", relievedRod(), ap214},
      {"collar", collar(), ap214},
      {"stepped_disc", steppedDisc(), ap214},
      {"humped", humped(), ap214},
      {"keyed_shaft", keyedShaft(), ap214},
      {"cut_pentagon", cutPentagon(), ap214},
      {"open_arc", openArc(), ap214},
      {"parted_arc", partedArc(), ap214},
      {"crossed_ring", crossedRing(), ap214},
      {"grooved_block", groovedBlock(), ap214},
      {"slotted_bar", slottedBar(), ap214},
      {"slotted_land", slottedLand(), ap214},
      {"eared_drum", earedDrum(), ap214},
      {"bent_sheet", bentSheet(), ap214},
      {"sphere", BRepPrimAPI_MakeSphere(gp_Pnt(5, -3, 2), 12).Shape(), ap214},
      {"cone", cone(gp_Pnt(0, 0, 0), kUp, 10, 0, 25), ap214},
      {"cone_truncated", cone(gp_Pnt(1, 2, 3), gp_Dir(1, 1, 1), 6, 11, 14), bare},
      {"torus", BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 4), gp_Dir(0, 1, 2)), 20, 6).Shape(), ap203},
      {"void_box", voidBox(), ap214},
      {"freeform_dome", freeformTop(6), ap203},
      {"freeform_dish", freeformTop(-6), ap203},
      {"spline_prism", sweptSides(), bare},
      {"turned_part", turnedPart(), ap214},
      {"nurbs_block", nurbsBlock(), bare},
      {"inch_block", throughHole(), inch},
      {"metre_block", throughHole(), metre},
      {"two_solids", twoSolids(), ap214},
      {"wireframe", wires(), wire},
      {"sheet", openSheet(), ap214},
  };
  std::vector<std::string> paths;
  for (auto& p : parts) paths.push_back(stepfile::write(p.shape, dir, p.name, p.options));
  std::map<std::string, stepfile::Measured> known;
  for (bool apple : {true, false}) {
    std::string part = apple ? "apple" : "lemon";
    paths.push_back(stepfile::write(halfTorus(apple), dir, "revolved_" + part, bare));
    known[paths.back()] = halfTorusMeasured(apple, "revolution");
    paths.push_back(stepfile::write(halfTorus(apple), dir, "torus_" + part, bare));
    degenerate(paths.back(), apple);
    known[paths.back()] = halfTorusMeasured(apple, "torus");
  }
  paths.push_back(writeAssembly(dir, "assembly", tree));
  paths.push_back(writeAssembly(dir, "assembly_inch", treeInch));
  FILE* f = fopen((dir + "/expected.json").c_str(), "w");
  if (!f) throw std::runtime_error(dir + "/expected.json: not writable");
  const char* open = "[\n";
  for (auto& path : paths) {
    fputs(open, f);
    open = ",\n";
    stepfile::Measured m = known.count(path) ? known[path] : stepfile::measure(path);
    stepfile::printJSON(f, path.substr(path.rfind('/') + 1), m);
  }
  fputs("\n]\n", f);
  fclose(f);
  return 0;
} catch (const Standard_Failure& e) {
  fprintf(stderr, "OCCT: %s\n", e.GetMessageString());
  return 1;
} catch (const std::exception& e) {
  fprintf(stderr, "%s\n", e.what());
  return 1;
}
