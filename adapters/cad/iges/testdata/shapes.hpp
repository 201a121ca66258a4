// The shapes of the IGES test parts, made with OCCT. Lengths are mm, angles rad.
#pragma once

#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_MakeVertex.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepLib.hxx>
#include <BRepOffsetAPI_DraftAngle.hxx>
#include <BRepOffsetAPI_MakePipe.hxx>
#include <BRepOffsetAPI_MakePipeShell.hxx>
#include <BRepOffsetAPI_MakeThickSolid.hxx>
#include <BRepOffsetAPI_ThruSections.hxx>
#include <BRepOffset_MakeOffset.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepPrimAPI_MakeWedge.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <GC_MakeArcOfCircle.hxx>
#include <GC_MakeArcOfEllipse.hxx>
#include <GeomAPI_Interpolate.hxx>
#include <GeomAPI_PointsToBSpline.hxx>
#include <GeomAPI_PointsToBSplineSurface.hxx>
#include <Geom2d_Line.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <ShapeUpgrade_ShapeDivideAngle.hxx>
#include <ShapeUpgrade_ShapeDivideClosed.hxx>
#include <TColgp_HArray1OfPnt.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListOfShape.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <gp_Circ.hxx>
#include <gp_Elips.hxx>

#include <cmath>
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

Shape transformed(const Shape& s, const gp_Trsf& t) { return BRepBuilderAPI_Transform(s, t, true).Shape(); }
Shape scaled(const Shape& s, double factor) {
  gp_Trsf t;
  t.SetScale(gp_Pnt(0, 0, 0), factor);
  return transformed(s, t);
}
Shape mirrored(const Shape& s) {
  gp_Trsf t;
  t.SetMirror(gp_Ax2(gp_Pnt(3, 0, 0), gp_Dir(1, 0.4, 0.2)));
  return transformed(s, t);
}
Shape nurbs(const Shape& s) { return BRepBuilderAPI_NurbsConvert(s, true).Shape(); }

TopoDS_Edge line(gp_Pnt a, gp_Pnt b) { return BRepBuilderAPI_MakeEdge(a, b).Edge(); }
TopoDS_Edge arc(gp_Pnt a, gp_Pnt through, gp_Pnt b) {
  return BRepBuilderAPI_MakeEdge(GC_MakeArcOfCircle(a, through, b).Value()).Edge();
}
TopoDS_Edge spline(const std::vector<gp_Pnt>& points) {
  TColgp_Array1OfPnt all(1, points.size());
  for (size_t i = 0; i < points.size(); i++) all(i + 1) = points[i];
  return BRepBuilderAPI_MakeEdge(GeomAPI_PointsToBSpline(all).Curve()).Edge();
}
TopoDS_Wire wireOf(const std::vector<TopoDS_Edge>& edges) {
  BRepBuilderAPI_MakeWire w;
  for (auto& e : edges) w.Add(e);
  return w.Wire();
}
TopoDS_Wire circleWire(gp_Pnt at, gp_Dir axis, double radius) {
  return BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(gp_Ax2(at, axis), radius)).Edge()).Wire();
}
TopoDS_Face faceOf(const TopoDS_Wire& w) { return BRepBuilderAPI_MakeFace(w).Face(); }
Shape extruded(const TopoDS_Wire& w, gp_Vec by) { return BRepPrimAPI_MakePrism(faceOf(w), by).Shape(); }
Shape revolved(const TopoDS_Wire& w, double angle = 2 * kPi) {
  return BRepPrimAPI_MakeRevol(faceOf(w), gp_Ax1(gp_Pnt(0, 0, 0), kUp), angle).Shape();
}
TopTools_IndexedMapOfShape subshapes(const Shape& s, TopAbs_ShapeEnum kind) {
  TopTools_IndexedMapOfShape m;
  TopExp::MapShapes(s, kind, m);
  return m;
}
gp_Pnt middle(const BRepAdaptor_Surface& a) {
  return a.Value((a.FirstUParameter() + a.LastUParameter()) / 2,
                 (a.FirstVParameter() + a.LastVParameter()) / 2);
}
// topFace is the face with the highest middle.
TopoDS_Face topFace(const Shape& s) {
  TopoDS_Face top;
  double best = -1e300;
  auto faces = subshapes(s, TopAbs_FACE);
  for (int i = 1; i <= faces.Extent(); i++) {
    TopoDS_Face f = TopoDS::Face(faces(i));
    BRepAdaptor_Surface a(f);
    if (double z = middle(a).Z(); z > best) best = z, top = f;
  }
  return top;
}

Shape drilledPlate() {
  Shape s = box(0, 0, 0, 80, 50, 12);
  for (double x : {12.0, 40.0, 68.0})
    for (double y : {12.0, 38.0}) s = cut(s, cylinder(gp_Pnt(x, y, -1), kUp, 3 + x / 40, 20));
  return s;
}

Shape counterbores() {
  Shape s = box(0, 0, 0, 60, 30, 20);
  s = cut(s, cylinder(gp_Pnt(15, 15, -1), kUp, 3.3, 30));
  s = cut(s, cylinder(gp_Pnt(15, 15, 13), kUp, 5.5, 10));
  s = cut(s, cylinder(gp_Pnt(42, 15, 6), kUp, 4, 30));  // blind, conical bottom
  s = cut(s, cone(gp_Pnt(42, 15, 3.6), kUp, 0, 4, 2.4));
  return cut(s, cone(gp_Pnt(42, 15, 17), kUp, 4, 7, 3));  // countersink
}

Shape torusGroove() {
  Shape ring = BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 20), kUp), 18, 4).Shape();
  return cut(cylinder(gp_Pnt(0, 0, 0), kUp, 30, 20), ring);
}

Shape torusSector() {
  return BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(1, 2, 3), gp_Dir(1, 1, 0)), 25, 7, 1.9).Shape();
}

Shape fillets() {
  Shape s = fuse(box(0, 0, 0, 60, 40, 15), box(15, 10, 15, 25, 20, 15));
  BRepFilletAPI_MakeFillet f(s);
  auto edges = subshapes(s, TopAbs_EDGE);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    gp_Pnt p = BRep_Tool::Pnt(TopExp::FirstVertex(e)), q = BRep_Tool::Pnt(TopExp::LastVertex(e));
    if (p.Z() > 14.9 && q.Z() > 14.9 && p.X() > 1 && p.X() < 59 && q.X() > 1 && q.X() < 59) f.Add(3, e);
  }
  return f.Shape();
}

Shape filletVariable() {
  Shape s = box(0, 0, 0, 50, 30, 20);
  BRepFilletAPI_MakeFillet f(s);
  auto edges = subshapes(s, TopAbs_EDGE);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    gp_Pnt p = BRep_Tool::Pnt(TopExp::FirstVertex(e)), q = BRep_Tool::Pnt(TopExp::LastVertex(e));
    if (p.Z() > 19 && q.Z() > 19 && std::abs(p.X() - q.X()) > 10) f.Add(2, 6, e);
  }
  return f.Shape();
}

Shape chamfers() {
  Shape s = cut(box(0, 0, 0, 40, 30, 15), cylinder(gp_Pnt(20, 15, -1), kUp, 6, 20));
  BRepFilletAPI_MakeChamfer c(s);
  auto edges = subshapes(s, TopAbs_EDGE);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    gp_Pnt p = BRep_Tool::Pnt(TopExp::FirstVertex(e)), q = BRep_Tool::Pnt(TopExp::LastVertex(e));
    if (p.Z() > 14.9 && q.Z() > 14.9) c.Add(1.5, e);
  }
  return c.Shape();
}

TopoDS_Wire rectangle(double z, double a, double b, double turn) {
  BRepBuilderAPI_MakePolygon p;
  for (auto [x, y] : {std::pair(-a, -b), std::pair(a, -b), std::pair(a, b), std::pair(-a, b)})
    p.Add(gp_Pnt(x * std::cos(turn) - y * std::sin(turn), x * std::sin(turn) + y * std::cos(turn), z));
  p.Close();
  return p.Wire();
}

Shape loft(bool ruled) {
  BRepOffsetAPI_ThruSections t(true, ruled);
  t.AddWire(rectangle(0, 20, 15, 0));
  t.AddWire(rectangle(15, 14, 12, 0.2));
  t.AddWire(rectangle(30, 17, 9, 0.5));
  t.CheckCompatibility(false);
  t.Build();
  return t.Shape();
}

Shape loftToPoint() {
  BRepOffsetAPI_ThruSections t(true, false);
  t.AddWire(circleWire(gp_Pnt(0, 0, 0), kUp, 15));
  t.AddWire(circleWire(gp_Pnt(2, 0, 12), kUp, 11));
  t.AddVertex(BRepBuilderAPI_MakeVertex(gp_Pnt(4, 1, 30)).Vertex());
  t.Build();
  return t.Shape();
}

Shape pipeSpline() {
  TopoDS_Edge spine = spline({{0, 0, 0}, {10, 2, 15}, {15, 20, 30}, {40, 25, 35}});
  Standard_Real a, b;
  Handle(Geom_Curve) c = BRep_Tool::Curve(spine, a, b);
  gp_Pnt p;
  gp_Vec d;
  c->D1(a, p, d);
  return BRepOffsetAPI_MakePipe(wireOf({spine}), faceOf(circleWire(p, gp_Dir(d), 4))).Shape();
}

Shape pipeBends() {
  const double h = std::cos(kPi / 4);
  TopoDS_Wire spine = wireOf({line({0, 0, 0}, {0, 0, 30}),
                              arc({0, 0, 30}, {10 - 10 * h, 0, 30 + 10 * h}, {10, 0, 40}),
                              line({10, 0, 40}, {35, 0, 40})});
  Shape outer = BRepOffsetAPI_MakePipe(spine, faceOf(circleWire(gp_Pnt(0, 0, 0), kUp, 6))).Shape();
  Shape inner = BRepOffsetAPI_MakePipe(spine, faceOf(circleWire(gp_Pnt(0, 0, 0), kUp, 4))).Shape();
  return cut(outer, inner);
}

Shape thickShell() {
  Shape s = box(0, 0, 0, 50, 40, 25);
  BRepFilletAPI_MakeFillet f(s);
  auto edges = subshapes(s, TopAbs_EDGE);
  for (int i = 1; i <= edges.Extent(); i++) {
    TopoDS_Edge e = TopoDS::Edge(edges(i));
    gp_Pnt p = BRep_Tool::Pnt(TopExp::FirstVertex(e)), q = BRep_Tool::Pnt(TopExp::LastVertex(e));
    if (p.Z() < 24 || q.Z() < 24) f.Add(6, e);
  }
  Shape rounded = f.Shape();
  TopTools_ListOfShape open;
  open.Append(topFace(rounded));
  BRepOffsetAPI_MakeThickSolid t;
  t.MakeThickSolidByJoin(rounded, open, -2, 1e-3);
  return t.Shape();
}

Shape voidBox() {
  Shape s = cut(box(0, 0, 0, 40, 30, 30), box(5, 5, 5, 8, 20, 20));
  return cut(s, BRepPrimAPI_MakeSphere(gp_Pnt(27, 15, 15), 8).Shape());
}

Shape revolvedSpline() {
  TopoDS_Edge side = spline({{12, 0, 0}, {16, 0, 8}, {9, 0, 18}, {13, 0, 30}});
  return revolved(wireOf({line({0, 0, 0}, {12, 0, 0}), side, line({13, 0, 30}, {0, 0, 30}),
                          line({0, 0, 30}, {0, 0, 0})}));
}

Shape revolvedEllipse() {
  gp_Elips e(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(0, -1, 0), gp_Dir(0, 0, 1)), 20, 9);
  gp_Pnt low(0, 0, -20), high(0, 0, 20);
  TopoDS_Edge half = BRepBuilderAPI_MakeEdge(GC_MakeArcOfEllipse(e, low, high, true).Value());
  Standard_Real a, b;
  if (BRep_Tool::Curve(half, a, b)->Value((a + b) / 2).X() < 0)
    half = BRepBuilderAPI_MakeEdge(GC_MakeArcOfEllipse(e, high, low, true).Value());
  return revolved(wireOf({half, line(low, high)}));
}

Shape extrudedSpline() {
  TopoDS_Edge side = spline({{0, 20, 0}, {8, 26, 0}, {20, 15, 0}, {30, 22, 0}});
  TopoDS_Wire w = wireOf({line({0, 0, 0}, {30, 0, 0}), line({30, 0, 0}, {30, 22, 0}), side,
                          line({0, 20, 0}, {0, 0, 0})});
  return extruded(w, gp_Vec(3, 2, 14));
}

Shape compound(const std::vector<Shape>& all) {
  TopoDS_Compound c;
  BRep_Builder b;
  b.MakeCompound(c);
  for (auto& s : all) b.Add(c, s);
  return c;
}

Shape twoSolids() { return compound({chamfers(), cylinder(gp_Pnt(70, 0, 0), gp_Dir(0, 1, 1), 6, 20)}); }

Shape steinmetz() {
  Shape across = cylinder(gp_Pnt(-25, 0, 0), gp_Dir(1, 0, 0), 10, 50);
  Shape s = fuse(cylinder(gp_Pnt(0, 0, -25), kUp, 10, 50), across);
  return cut(s, cylinder(gp_Pnt(0, 0, -30), kUp, 4, 60));
}

Shape saddleHoles() {
  Shape s = cylinder(gp_Pnt(0, 0, 0), kUp, 15, 50);
  s = cut(s, cylinder(gp_Pnt(-20, 0, 15), gp_Dir(1, 0, 0), 5, 40));  // through the seam
  s = cut(s, cylinder(gp_Pnt(0, -20, 35), gp_Dir(0, 1, 0.3), 3, 50));
  return cut(s, cylinder(gp_Pnt(0, 0, -1), kUp, 8, 60));
}

Shape coneSideHole() {
  Shape s = cone(gp_Pnt(0, 0, 0), kUp, 20, 8, 40);
  return cut(s, cylinder(gp_Pnt(-30, 2, 15), gp_Dir(1, 0, 0), 4, 60));
}

// A rod with a triangular helical ridge, two turns.
Shape thread() {
  const double radius = 10, pitch = 4, turns = 2;
  Handle(Geom_CylindricalSurface) wall = new Geom_CylindricalSurface(gp_Ax3(gp_Pnt(0, 0, 0), kUp), radius);
  Handle(Geom2d_Line) path = new Geom2d_Line(gp_Pnt2d(0, 5), gp_Dir2d(2 * kPi, pitch));
  double length = turns * std::hypot(2 * kPi, pitch);
  TopoDS_Edge helix = BRepBuilderAPI_MakeEdge(path, wall, 0, length).Edge();
  BRepLib::BuildCurves3d(helix);
  gp_Pnt low(radius - 1, 0, 3.8), crest(radius + 1.2, 0, 5), high(radius - 1, 0, 6.2);
  TopoDS_Wire profile = wireOf({line(low, crest), line(crest, high), line(high, low)});
  BRepOffsetAPI_MakePipeShell sweep(wireOf({helix}));
  sweep.SetMode(kUp);
  sweep.Add(profile);
  sweep.Build();
  sweep.MakeSolid();
  return fuse(cylinder(gp_Pnt(0, 0, 0), kUp, radius, 20), sweep.Shape());
}

Shape seamPocket() {
  Shape s = cylinder(gp_Pnt(0, 0, 0), kUp, 20, 40);  // its seam is at +x
  return cut(s, box(12, -6, 10, 20, 12, 15));
}

Shape spherePocket() {
  Shape s = cut(box(0, 0, 0, 50, 30, 20), BRepPrimAPI_MakeSphere(gp_Pnt(14, 15, 22), 9).Shape());
  return cut(s, BRepPrimAPI_MakeSphere(gp_Pnt(38, 15, 20), 8).Shape());  // half a sphere
}

Shape sphereDrilled() {
  Shape s = BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 20).Shape();
  s = cut(s, cylinder(gp_Pnt(-30, 0, 0), gp_Dir(1, 0, 0), 5, 60));  // through the seam
  return cut(s, cylinder(gp_Pnt(0, 0, -30), kUp, 4, 60));           // through the poles
}

Shape octant() {
  return common(BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 15).Shape(), box(0, 0, 0, 20, 20, 20));
}

Shape halvedFaces() {
  ShapeUpgrade_ShapeDivideClosed halves(fuse(drilledPlate(), cylinder(gp_Pnt(40, 25, 0), kUp, 8, 30)));
  halves.SetNbSplitPoints(1);
  halves.Perform();
  return halves.Result();
}

Shape obliqueCut() {
  gp_Trsf t;
  t.SetRotation(gp_Ax1(gp_Pnt(0, 0, 20), gp_Dir(1, 0, 0)), 0.5);
  // The seam meets the end of the ellipse's major axis: of ranges across it the IGES writer makes nonsense.
  Shape rod = BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 0), kUp, gp_Dir(0, 1, 0)), 12, 40).Shape();
  return cut(rod, transformed(box(-40, -40, 20, 80, 80, 60), t));
}

Shape hyperbolaCut() {
  Shape s = cut(cone(gp_Pnt(0, 0, 0), kUp, 20, 0, 30), box(6, -30, -1, 40, 60, 60));
  return cut(s, box(-30, -30, 24, 60, 60, 20));
}

// A prism over a smooth closed curve, which is one edge.
Shape closedSplinePrism() {
  Handle(TColgp_HArray1OfPnt) points = new TColgp_HArray1OfPnt(1, 6);
  const double radius[] = {20, 12, 17, 14, 19, 11};
  for (int i = 0; i < 6; i++)
    points->SetValue(i + 1, gp_Pnt(radius[i] * std::cos(kPi * i / 3), radius[i] * std::sin(kPi * i / 3), 0));
  GeomAPI_Interpolate closed(points, true, 1e-6);
  closed.Perform();
  TopoDS_Wire w = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(closed.Curve()).Edge()).Wire();
  return cut(extruded(w, gp_Vec(0, 0, 25)), cylinder(gp_Pnt(0, 0, -1), kUp, 6, 30));
}

// A ring with a notch across the places where both parameters of its surface begin.
Shape torusNotch() {
  return cut(BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 0), kUp), 20, 6).Shape(), box(23, -4, -3, 10, 8, 6));
}

// A lid of constant thickness over a free-form surface: its inner side is an offset surface.
Shape offsetCover() {
  TColgp_Array2OfPnt p(1, 5, 1, 5);
  for (int i = 1; i <= 5; i++)
    for (int j = 1; j <= 5; j++)
      p(i, j) = gp_Pnt(12 * i, 10 * j, 4 * std::sin(0.9 * i) + 3 * std::cos(1.1 * j));
  Handle(Geom_BSplineSurface) top = GeomAPI_PointsToBSplineSurface(p).Surface();
  TopoDS_Face f = BRepBuilderAPI_MakeFace(top, 1e-6).Face();
  BRepOffset_MakeOffset thick;
  thick.Initialize(f, -2, 1e-4, BRepOffset_Skin, false, false, GeomAbs_Arc, true);
  thick.MakeOffsetShape();
  return thick.Shape();
}

Shape twistedBlade() {
  BRepOffsetAPI_ThruSections t(true, false);
  for (int i = 0; i < 4; i++) {
    double turn = 0.25 * i, z = 15 * i, c = std::cos(turn), s = std::sin(turn);
    auto at = [&](double x, double y) { return gp_Pnt(x * c - y * s, x * s + y * c, z); };
    TopoDS_Edge back = spline({at(-12, 0), at(-4, 3), at(5, 2.6), at(12, 0)});
    TopoDS_Edge belly = spline({at(12, 0), at(3, -0.6), at(-5, -1), at(-12, 0)});
    t.AddWire(wireOf({back, belly}));
  }
  t.Build();
  return t.Shape();
}

Shape draftPocket() {
  Shape s = cut(box(0, 0, 0, 50, 40, 20), box(10, 10, 6, 30, 20, 20));
  BRepOffsetAPI_DraftAngle d(s);
  gp_Pln floor(gp_Pnt(0, 0, 20), kUp);
  auto faces = subshapes(s, TopAbs_FACE);
  for (int i = 1; i <= faces.Extent(); i++) {
    BRepAdaptor_Surface a(TopoDS::Face(faces(i)));
    gp_Pnt p = middle(a);
    bool inside = p.X() > 1 && p.X() < 49 && p.Y() > 1 && p.Y() < 39;
    bool upright = std::abs(a.Plane().Axis().Direction().Z()) < 0.1;
    if (inside && upright) d.Add(TopoDS::Face(faces(i)), kUp, -0.08, floor);
  }
  d.Build();
  return d.Shape();
}

Shape gearProfile() {
  std::vector<TopoDS_Edge> edges;
  const int teeth = 14;
  auto at = [](double r, double a) { return gp_Pnt(r * std::cos(a), r * std::sin(a), 0); };
  for (int i = 0; i < teeth; i++) {
    double a = 2 * kPi * i / teeth, w = 2 * kPi / teeth;
    edges.push_back(arc(at(20, a), at(20, a + 0.2 * w), at(20, a + 0.4 * w)));
    edges.push_back(line(at(20, a + 0.4 * w), at(25, a + 0.55 * w)));
    edges.push_back(arc(at(25, a + 0.55 * w), at(25, a + 0.7 * w), at(25, a + 0.85 * w)));
    edges.push_back(line(at(25, a + 0.85 * w), at(20, a + w)));
  }
  return cut(extruded(wireOf(edges), gp_Vec(0, 0, 8)), cylinder(gp_Pnt(0, 0, -1), kUp, 6, 20));
}

Shape turnedPart() {
  const double h = std::cos(kPi / 4);
  return revolved(wireOf({line({4, 0, 0}, {14, 0, 0}), line({14, 0, 0}, {16, 0, 2}),
                          line({16, 0, 2}, {16, 0, 14}),
                          arc({16, 0, 14}, {13 + 3 * h, 0, 14 + 3 * h}, {13, 0, 17}),
                          line({13, 0, 17}, {10, 0, 17}),
                          arc({10, 0, 17}, {10 - 2 * h, 0, 19 - 2 * h}, {8, 0, 19}),
                          line({8, 0, 19}, {6, 0, 45}), line({6, 0, 45}, {4, 0, 45}),
                          line({4, 0, 45}, {4, 0, 0})}));
}

Shape splitFaces() {
  ShapeUpgrade_ShapeDivideAngle turns(0.8, turnedPart());
  turns.Perform();
  return turns.Result();
}

// The same solid three times, placed by rotations and translations.
Shape pattern() {
  Shape s = counterbores();
  std::vector<Shape> all;
  for (int i = 0; i < 3; i++) {
    gp_Trsf turn, shift;
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(0.3, 0.2, 1)), 0.7 * i);
    shift.SetTranslation(gp_Vec(100 * i, 10, 5 * i));
    all.push_back(s.Moved(TopLoc_Location(shift * turn)));
  }
  return compound(all);
}

}  // namespace
