#include "body.hpp"

#include <BRepAlgoAPI_Common.hxx>
#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepFilletAPI_MakeChamfer.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepGProp.hxx>
#include <BRepOffsetAPI_DraftAngle.hxx>
#include <BRep_Tool.hxx>
#include <ChFi3d.hxx>
#include <GProp_GProps.hxx>
#include <Geom_Surface.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListIteratorOfListOfShape.hxx>
#include <TopTools_MapOfShape.hxx>
#include <gp_Pln.hxx>
#include <set>

double areaOf(const TopoDS_Shape& s, gp_Pnt* centroid) {
  GProp_GProps g;
  BRepGProp::SurfaceProperties(s, g);
  if (centroid) *centroid = g.CentreOfMass();
  return g.Mass();
}

double exactAreaOf(const TopoDS_Shape& s) {
  GProp_GProps g;
  BRepGProp::SurfaceProperties(s, g, 1e-8);
  return g.Mass();
}

double volumeOf(const TopoDS_Shape& s) {
  GProp_GProps g;
  BRepGProp::VolumeProperties(s, g);
  return g.Mass();
}

Body::Body(const TopoDS_Shape& shape, const std::function<Tag(const TopoDS_Face&, const gp_Pnt&)>& tag)
    : shape_(volumeOf(shape) < 0 ? shape.Reversed() : shape) {
  for (const TopoDS_Face& f : faces()) {
    gp_Pnt c;
    areaOf(f, &c);
    tags_.Bind(f, tag(f, c));
  }
}

std::vector<TopoDS_Face> Body::faces() const {
  TopTools_IndexedMapOfShape map;
  TopExp::MapShapes(shape_, TopAbs_FACE, map);
  std::vector<TopoDS_Face> out;
  for (int i = 1; i <= map.Extent(); i++) out.push_back(TopoDS::Face(map(i)));
  return out;
}

Tag Body::tag(const TopoDS_Shape& face) const {
  if (!tags_.IsBound(face)) throw Failed("a face has no history");
  return tags_.Find(face);
}

std::vector<TopoDS_Edge> Body::between(Tag a, Tag b) const {
  TopTools_IndexedDataMapOfShapeListOfShape map;
  TopExp::MapShapesAndAncestors(shape_, TopAbs_EDGE, TopAbs_FACE, map);
  std::vector<TopoDS_Edge> out;
  for (int i = 1; i <= map.Extent(); i++) {
    bool hasA = false, hasB = false;
    TopTools_MapOfShape seen;
    for (TopTools_ListIteratorOfListOfShape it(map(i)); it.More(); it.Next()) {
      if (!seen.Add(it.Value())) continue;
      const Tag t = tag(it.Value());
      if (t == a && !hasA)
        hasA = true;
      else if (t == b)
        hasB = true;
    }
    if (hasA && hasB) out.push_back(TopoDS::Edge(map.FindKey(i)));
  }
  return out;
}

bool Body::isConvex(const TopoDS_Edge& edge) const {
  constexpr double kSine = 1e-3;  // of the angle below which two faces are tangent
  TopTools_IndexedDataMapOfShapeListOfShape map;
  TopExp::MapShapesAndAncestors(shape_, TopAbs_EDGE, TopAbs_FACE, map);
  const TopTools_ListOfShape& at = map.FindFromKey(edge);
  if (at.Extent() != 2) return false;
  return ChFi3d::DefineConnectType(edge, TopoDS::Face(at.First()), TopoDS::Face(at.Last()), kSine, true) ==
         ChFiDS_Convex;
}

std::map<Tag, std::pair<int, double>> Body::left() const {
  std::map<Tag, std::pair<int, double>> out;
  std::set<std::pair<Tag, const Geom_Surface*>> seen;
  for (const TopoDS_Face& f : faces()) {
    TopLoc_Location at;
    auto& entry = out[tag(f)];
    if (seen.insert({tag(f), BRep_Tool::Surface(f, at).get()}).second) entry.first++;
    entry.second += areaOf(f);
  }
  return out;
}

TopoDS_Face Body::faceOf(const TopoDS_Edge& edge, Tag t) const {
  TopTools_IndexedDataMapOfShapeListOfShape map;
  TopExp::MapShapesAndAncestors(shape_, TopAbs_EDGE, TopAbs_FACE, map);
  for (TopTools_ListIteratorOfListOfShape it(map.FindFromKey(edge)); it.More(); it.Next())
    if (tag(it.Value()) == t) return TopoDS::Face(it.Value());
  throw Failed("an edge lacks the face it is broken on");
}

void Body::follow(BRepBuilderAPI_MakeShape& op, const std::vector<const Body*>& from, Tag fresh) {
  if (!op.IsDone()) throw Failed("an operation failed");
  TopoDS_Shape result;
  int solids = 0;
  for (TopExp_Explorer e(op.Shape(), TopAbs_SOLID); e.More(); e.Next(), solids++) result = e.Current();
  if (solids != 1) throw Failed("an operation left other than one solid");
  TopTools_DataMapOfShapeInteger next;
  for (const Body* b : from)
    for (const TopoDS_Face& f : b->faces()) {
      const Tag t = b->tag(f);
      const TopTools_ListOfShape& changed = op.Modified(f);
      if (changed.IsEmpty() && !op.IsDeleted(f)) next.Bind(f, t);
      for (TopTools_ListIteratorOfListOfShape it(changed); it.More(); it.Next()) next.Bind(it.Value(), t);
    }
  shape_ = result;
  TopTools_DataMapOfShapeInteger kept;
  for (const TopoDS_Face& f : faces()) {
    const Tag t = next.IsBound(f) ? next.Find(f) : fresh;
    kept.Bind(f, t);
  }
  tags_ = kept;
}

void Body::hollow(const Body& tool) {
  const Body before = *this;
  BRepAlgoAPI_Cut op(before.shape_, tool.shape_);
  follow(op, {&before, &tool}, kNone);
}

void Body::cut(const Body& tool) {
  hollow(tool);
  for (const TopoDS_Face& f : faces())
    if (tag(f) == kNone) throw Failed("a tool left a face that it should not");
}

double Body::overlap(const Body& tool) const {
  BRepAlgoAPI_Common op(shape_, tool.shape_);
  if (!op.IsDone()) throw Failed("an operation failed");
  return volumeOf(op.Shape());
}

void Body::fuse(const Body& tool, bool merged) {
  const Body before = *this;
  BRepAlgoAPI_Fuse op(before.shape_, tool.shape_);
  if (merged) op.SimplifyResult();
  follow(op, {&before, &tool}, kNone);
  for (const TopoDS_Face& f : faces())
    if (tag(f) == kNone) throw Failed("a tool left a face that it should not");
}

void Body::blend(const std::vector<TopoDS_Edge>& edges, double radius, Tag t) {
  const Body before = *this;
  BRepFilletAPI_MakeFillet op(before.shape_);
  for (const TopoDS_Edge& e : edges)
    if (op.Contour(e) == 0) op.Add(radius, e);
  op.Build();
  follow(op, {&before}, t);
}

void Body::bevel(const std::vector<TopoDS_Edge>& edges, double d1, double d2, Tag first, Tag t) {
  const Body before = *this;
  BRepFilletAPI_MakeChamfer op(before.shape_);
  for (const TopoDS_Edge& e : edges)
    if (op.Contour(e) == 0) op.Add(d1, d2, e, before.faceOf(e, first));
  op.Build();
  follow(op, {&before}, t);
}

void Body::draft(Tag sides, double angle) {
  const Body before = *this;
  BRepOffsetAPI_DraftAngle op(before.shape_);
  for (const TopoDS_Face& f : before.faces())
    if (before.tag(f) == sides) {
      op.Add(f, gp::DZ(), angle, gp_Pln(gp::Origin(), gp::DZ()));
      if (!op.AddDone()) throw Failed("a face cannot be drafted");
    }
  op.Build();
  follow(op, {&before}, kNone);
}

Body Body::moved(const gp_Trsf& by) const {
  Body out;
  out.shape_ = shape_.Moved(TopLoc_Location(by));
  const std::vector<TopoDS_Face> here = faces(), there = out.faces();
  for (size_t i = 0; i < here.size(); i++) out.tags_.Bind(there[i], tag(here[i]));
  return out;
}
