// A solid whose faces are tagged with what made them, through every operation on it.
#pragma once
#include <BRepBuilderAPI_MakeShape.hxx>
#include <TopTools_DataMapOfShapeInteger.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Shape.hxx>
#include <functional>
#include <gp_Trsf.hxx>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using Tag = int;
constexpr Tag kNone = -1;  // of a tool's face that must leave no trace

// Failed is thrown where the modeller cannot make what the recipe asks for: the part is drawn anew.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Body {
 public:
  Body() = default;
  // Body takes a shape; tag is asked for each face with its centroid.
  Body(const TopoDS_Shape& shape, const std::function<Tag(const TopoDS_Face&, const gp_Pnt&)>& tag);

  const TopoDS_Shape& shape() const { return shape_; }
  std::vector<TopoDS_Face> faces() const;
  Tag tag(const TopoDS_Shape& face) const;
  std::vector<TopoDS_Edge> between(Tag a, Tag b) const;
  bool isConvex(const TopoDS_Edge& edge) const;
  // left says on how many surfaces the faces of each tag lie, and how large they are together.
  std::map<Tag, std::pair<int, double>> left() const;

  void cut(const Body& tool);
  // hollow is cut of a tool: what is to leave no trace may be left, as it is not used yet.
  void hollow(const Body& tool);
  // overlap is the volume that cut would take away; exact where a difference of two volumes need not be.
  double overlap(const Body& tool) const;
  // fuse adds a tool; merged, faces that go on in one surface become one.
  void fuse(const Body& tool, bool merged = false);
  // blend rounds edges, bevel breaks them by d1 on the faces of tag first and d2 on the others.
  void blend(const std::vector<TopoDS_Edge>& edges, double radius, Tag tag);
  void bevel(const std::vector<TopoDS_Edge>& edges, double d1, double d2, Tag first, Tag tag);
  // draft tilts the faces of a tag inwards going up from the plane z = 0.
  void draft(Tag sides, double angle);
  Body moved(const gp_Trsf& by) const;

 private:
  // follow takes the operation's result; faces without a history get the tag of what is new.
  void follow(BRepBuilderAPI_MakeShape& op, const std::vector<const Body*>& from, Tag fresh);
  TopoDS_Face faceOf(const TopoDS_Edge& edge, Tag tag) const;

  TopoDS_Shape shape_;
  TopTools_DataMapOfShapeInteger tags_;
};

double areaOf(const TopoDS_Shape& s, gp_Pnt* centroid = nullptr);
double exactAreaOf(const TopoDS_Shape& s);  // of free-form faces too, to 1e-8 of it
double volumeOf(const TopoDS_Shape& s);
