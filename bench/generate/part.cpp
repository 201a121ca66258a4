#include "part.hpp"

#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepAdaptor_Curve.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <BRep_Tool.hxx>
#include <BndLib_Add3dCurve.hxx>
#include <Bnd_Box.hxx>
#include <IFSelect_ReturnStatus.hxx>
#include <Interface_Static.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <StepBasic_Product.hxx>
#include <StepData_StepModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_ListIteratorOfListOfShape.hxx>
#include <TopoDS_Compound.hxx>
#include <algorithm>
#include <cmath>

namespace {

constexpr double kReadBack = 1e-4;  // mm, by which a face's centroid may differ once it is written
constexpr double kLoose = 1e-3;     // mm, of the worst tolerance that the modeller may leave

// enclosing returns length and width of the smallest rectangle around points of a plane: one of its sides
// lies along a side of their convex hull.
std::pair<double, double> enclosing(const std::vector<gp_Pnt>& points, const gp_Dir& n) {
  const gp_Ax3 plane(gp::Origin(), n);
  std::vector<gp_XY> p, hull;
  auto along = [](const gp_Pnt& q, const gp_Dir& d) {  // rounded, so that what is level is sorted as level
    return std::round(gp_Vec(gp::Origin(), q).Dot(gp_Vec(d)) * 1e7) / 1e7;
  };
  for (const gp_Pnt& q : points) p.emplace_back(along(q, plane.XDirection()), along(q, plane.YDirection()));
  std::sort(p.begin(), p.end(), [](const gp_XY& a, const gp_XY& b) {
    return a.X() < b.X() || (a.X() == b.X() && a.Y() < b.Y());
  });
  for (int pass = 0; pass < 2; pass++) {  // the lower chain, then the upper one
    const size_t from = hull.size();
    for (const gp_XY& q : p) {
      while (hull.size() >= from + 2 && (hull.back() - hull[hull.size() - 2]).Crossed(q - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(q);
    }
    hull.pop_back();
    std::reverse(p.begin(), p.end());
  }
  double best = INFINITY, length = 0, width = 0;
  for (size_t i = 0; i < hull.size(); i++) {
    const gp_XY side = hull[(i + 1) % hull.size()] - hull[i];
    if (side.Modulus() < 1e-6) continue;
    const gp_XY u = side / side.Modulus();
    double u0 = INFINITY, u1 = -INFINITY, v1 = 0;
    for (const gp_XY& q : hull) {
      u0 = std::min(u0, q.Dot(u)), u1 = std::max(u1, q.Dot(u));
      v1 = std::max(v1, u.Crossed(q - hull[i]));
    }
    if ((u1 - u0) * v1 < best) {
      best = (u1 - u0) * v1;
      length = std::max(u1 - u0, v1);
      width = std::min(u1 - u0, v1);
    }
  }
  return {length, width};
}

bool isRaw(const std::string& kind) {
  return kind == "Face" || kind == "Profile" || kind == "Wall" || kind == "Three";
}

}  // namespace

std::pair<double, double> extent(const TopoDS_Shape& s, const gp_Dir& dir) {
  gp_Trsf turn;
  turn.SetTransformation(gp_Ax3(gp::Origin(), dir));
  TopTools_IndexedMapOfShape edges;
  TopExp::MapShapes(s.Moved(TopLoc_Location(turn)), TopAbs_EDGE, edges);
  Bnd_Box box;
  for (int i = 1; i <= edges.Extent(); i++) {
    TopExp_Explorer v(edges(i), TopAbs_VERTEX);
    for (; v.More(); v.Next()) box.Add(BRep_Tool::Pnt(TopoDS::Vertex(v.Current())));
    if (!BRep_Tool::Degenerated(TopoDS::Edge(edges(i))))
      BndLib_Add3dCurve::AddOptimal(BRepAdaptor_Curve(TopoDS::Edge(edges(i))), 0, box);
  }
  double x0, y0, z0, x1, y1, z1;
  box.SetGap(0);
  box.Get(x0, y0, z0, x1, y1, z1);
  return {z0, z1};
}

Spot Spot::shifted(double x, double y, double z) const {
  Spot s = *this;
  gp_Trsf t;
  t.SetTranslation(gp_Vec(x, y, z));
  s.at = at * t;
  return s;
}

Spot Spot::turned(double angle) const {
  Spot s = *this;
  gp_Trsf t;
  t.SetRotation(gp::OZ(), angle);
  s.at = at * t;
  return s;
}

Json vec(const gp_XYZ& v) {
  Json j = Json::object();
  j.set("x", v.X());
  j.set("y", v.Y());
  j.set("z", v.Z());
  return j;
}

gp_Trsf frame(const gp_Pnt& origin, const gp_Dir& z, const gp_Dir& x) {
  gp_Trsf t;
  t.SetDisplacement(gp_Ax3(gp::XOY()), gp_Ax3(origin, z, x));
  return t;
}

void Feature::keeps(const Body& ideal) {
  for (const TopoDS_Face& f : ideal.faces())
    if (tags.count(ideal.tag(f))) whole[ideal.tag(f)] += areaOf(f);
}

size_t Part::add(Feature f) {
  const std::map<Tag, std::pair<int, double>> now = body.left();
  for (Tag t : f.tags)
    if (now.count(t)) f.left[t] = now.at(t);
  features.push_back(std::move(f));
  return features.size() - 1;
}

// stockBeside counts the features of raw faces that share an edge with a feature.
size_t Part::stockBeside(const Feature& f) const {
  std::set<Tag> at;
  TopTools_IndexedDataMapOfShapeListOfShape map;
  TopExp::MapShapesAndAncestors(body.shape(), TopAbs_EDGE, TopAbs_FACE, map);
  for (int i = 1; i <= map.Extent(); i++) {
    std::set<Tag> here;
    for (TopTools_ListIteratorOfListOfShape it(map(i)); it.More(); it.Next()) here.insert(body.tag(it.Value()));
    if (std::any_of(here.begin(), here.end(), [&](Tag t) { return f.tags.count(t) > 0; }))
      at.insert(here.begin(), here.end());
  }
  return size_t(std::count_if(features.begin(), features.end(), [&](const Feature& other) {
    return isRaw(other.kind) &&
           std::any_of(other.tags.begin(), other.tags.end(), [&](Tag t) { return at.count(t) > 0; });
  }));
}

void Part::expect(size_t i) {
  Feature& f = features[i];
  f.whole.clear();
  // A wall that ends in more than the plane it was cut into, and that at its far end, is open to the side; that of
  // a boss stands between the plane and its top.
  if (!meetings()[i].empty() || stockBeside(f) > (f.floors.empty() ? 2 : 1))
    for (const auto& need : f.needs) f.facts.drop(need.first);
  for (const auto& [t, left] : f.left) f.whole[t] = left.second;
}

size_t Part::face(Tag t, const gp_Dir& normal) {
  Feature f;
  f.kind = "Face";
  f.tags = {t};
  f.direction = normal;
  return add(f);
}

void Part::check() const {
  if (!BRepCheck_Analyzer(body.shape()).IsValid()) throw Failed("the solid is not valid");
  if (volumeOf(body.shape()) <= 0) throw Failed("the solid has no volume");
  std::set<Tag> there, known;
  for (const TopoDS_Face& f : body.faces()) there.insert(body.tag(f));
  for (const Feature& f : features) known.insert(f.tags.begin(), f.tags.end());
  for (Tag t : there)
    if (!known.count(t)) throw Failed("a face belongs to no feature");
  for (const Feature& f : features)
    if (std::none_of(f.tags.begin(), f.tags.end(), [&](Tag t) { return there.count(t) > 0; }))
      throw Failed("a feature is gone");
  for (TopExp_Explorer e(body.shape(), TopAbs_EDGE); e.More(); e.Next()) {
    if (BRep_Tool::Tolerance(TopoDS::Edge(e.Current())) > kLoose) throw Failed("an edge is loose");
    if (BRep_Tool::Degenerated(TopoDS::Edge(e.Current()))) continue;
    BRepAdaptor_Curve c(TopoDS::Edge(e.Current()));
    const gp_Pnt a = c.Value(c.FirstParameter()), m = c.Value((c.FirstParameter() + c.LastParameter()) / 2);
    if (a.Distance(m) < 0.02) throw Failed("an edge is too short to be meant");
  }
}

// meetings lists for each feature those it shares an edge with, raw faces aside; where features interact
// it does so for raw faces too.
std::vector<std::set<size_t>> Part::meetings() const {
  std::vector<std::set<size_t>> out(features.size());
  TopTools_IndexedDataMapOfShapeListOfShape map;
  TopExp::MapShapesAndAncestors(body.shape(), TopAbs_EDGE, TopAbs_FACE, map);
  for (int i = 1; i <= map.Extent(); i++) {
    std::set<size_t> at;
    for (TopTools_ListIteratorOfListOfShape it(map(i)); it.More(); it.Next())
      for (size_t k = 0; k < features.size(); k++)
        if ((interacts || !isRaw(features[k].kind)) && features[k].tags.count(body.tag(it.Value()))) at.insert(k);
    for (size_t a : at)
      for (size_t b : at)
        if (a != b && !isRaw(features[b].kind)) out[a].insert(b);
  }
  return out;
}

// measureFace adds what follows from the face alone: the area, and the smallest rectangle around it where
// its outline has straight sides only or is a circle.
void Part::measureFace(const Feature& feature, Json& facts) const {
  double area = 0;
  std::vector<gp_Pnt> corners;
  double round = 0;
  bool straight = true;
  const gp_Dir n = feature.direction;
  for (const TopoDS_Face& f : body.faces()) {
    if (!feature.tags.count(body.tag(f))) continue;
    area += exactAreaOf(f);
    for (TopExp_Explorer e(BRepTools::OuterWire(f), TopAbs_EDGE); e.More(); e.Next()) {
      BRepAdaptor_Curve c(TopoDS::Edge(e.Current()));
      if (c.GetType() == GeomAbs_Circle && c.IsClosed())
        round = 2 * c.Circle().Radius();
      else if (c.GetType() != GeomAbs_Line)
        straight = false;
      corners.push_back(c.Value(c.FirstParameter()));
      corners.push_back(c.Value(c.LastParameter()));
    }
  }
  facts.set("area", area);
  const auto [lo, hi] = extent(body.shape(), n);
  facts.set("isOutermost", std::abs(gp_Vec(gp::Origin(), corners[0]).Dot(gp_Vec(n)) - hi) < 1e-6 && lo < hi);
  if (round > 0 || !straight) {
    if (round > 0 && corners.size() == 2) {
      facts.set("length", round);
      facts.set("width", round);
    }
    return;
  }
  const auto [length, width] = enclosing(corners, n);
  facts.set("length", length);
  facts.set("width", width);
}

// measureAreas adds how much of a feature is floor and wall, where each of its faces is one or the other: a
// plane square to the direction, or a plane or cylinder along it.
void Part::measureAreas(const Feature& feature, Json& sheet) const {
  if (feature.sense == Sense::kAny || feature.kind == "Tslot" || feature.kind == "Dovetail") return;
  double floor = 0, wall = 0;
  for (const TopoDS_Face& f : body.faces()) {
    if (!feature.tags.count(body.tag(f))) continue;
    const BRepAdaptor_Surface s(f);
    if (s.GetType() == GeomAbs_Plane && s.Plane().Axis().Direction().IsParallel(feature.direction, 1e-7))
      floor += exactAreaOf(f);
    else if (s.GetType() == GeomAbs_Plane && s.Plane().Axis().Direction().IsNormal(feature.direction, 1e-7))
      wall += exactAreaOf(f);
    else if (s.GetType() == GeomAbs_Cylinder &&
             s.Cylinder().Axis().Direction().IsParallel(feature.direction, 1e-7))
      wall += exactAreaOf(f);
    else
      return;
  }
  sheet.set("hasFloor", floor > 0);
  sheet.set("hasWall", wall > 0);
  sheet.set("floorishArea", floor);
  sheet.set("wallishArea", wall);
}

Json Part::feature(const Feature& f, const std::set<size_t>& meets,
                   const std::map<Tag, std::pair<int, double>>& now) const {
  Json j = Json::object(), faces = Json::array(), with = Json::array(), dir = Json::array();
  j.set("kind", f.kind);
  j.set("name", f.name.empty() ? f.kind : f.name);
  if (f.isRaw) j.set("raw", true);
  if (!f.also.empty()) {
    Json also = Json::array();
    for (const std::string& k : f.also) also.push(k);
    j.set("also", also);
  }
  const std::vector<TopoDS_Face> all = body.faces();
  TopoDS_Compound own;
  BRep_Builder().MakeCompound(own);
  for (size_t i = 0; i < all.size(); i++)
    if (f.tags.count(body.tag(all[i]))) {
      faces.push(int(i));
      BRep_Builder().Add(own, all[i]);
    }
  j.set("faces", faces);
  for (double x : {f.direction.X(), f.direction.Y(), f.direction.Z()}) dir.push(x);
  j.set("direction", dir);
  j.set("sense", f.sense == Sense::kOne ? "one" : f.sense == Sense::kEither ? "either" : "any");
  for (size_t m : meets) with.push(int(m));
  j.set("meets", with);
  Json sheet = Json::object(), facts = this->facts(f, !meets.empty(), now);
  if (f.kind == "Face") measureFace(f, facts);
  if (f.kind == "Three") facts.set("area", exactAreaOf(own));
  if (f.measureZ && f.sense == Sense::kOne) {
    const auto [lo, hi] = extent(own, f.direction);
    sheet.set("zMin", lo);
    sheet.set("zMax", hi);
  }
  measureAreas(f, sheet);
  sheet.set("facts", facts);
  j.set("sheet", sheet);
  if (f.alternatives.empty()) return j;
  Json readings = Json::array();
  for (const std::vector<Reading>& a : f.alternatives) {
    Json list = Json::array();
    for (const Reading& reading : a) {
      Json one = Json::object(), kinds = Json::array(), of = Json::array();
      for (const std::string& k : reading.kinds) kinds.push(k);
      for (size_t i = 0; i < all.size(); i++)
        if (reading.tags.count(body.tag(all[i])) ||
            std::any_of(reading.faces.begin(), reading.faces.end(),
                        [&](const TopoDS_Face& g) { return g.IsSame(all[i]); }))
          of.push(int(i));
      one.set("kinds", kinds);
      one.set("faces", of);
      list.push(one);
    }
    readings.push(list);
  }
  j.set("or", readings);
  return j;
}

// facts are those that still hold.
Json Part::facts(const Feature& f, bool meets, const std::map<Tag, std::pair<int, double>>& now) const {
  Json facts = f.facts;
  if (meets)
    for (const std::string& name : f.ifAlone) facts.drop(name);
  if (!interacts) return facts;
  for (const auto& [name, tags] : f.needs)
    for (Tag t : tags) {
      const auto it = now.find(t);
      const auto whole = f.whole.find(t);
      if (whole != f.whole.end() &&
          (it == now.end() || std::abs(it->second.second - whole->second) > 1e-6 * whole->second))
        facts.drop(name);
    }
  return facts;
}

std::string Part::truth(const std::string& name, const std::string& family) const {
  const std::vector<std::set<size_t>> meets = meetings();
  const std::map<Tag, std::pair<int, double>> now = body.left();
  std::string s = "{\n\"name\": " + Json(name).text() + ",\n\"family\": " + Json(family).text() +
                  ",\n\"faces\": " + std::to_string(body.faces().size()) +
                  ",\n\"volume\": " + Json(volumeOf(body.shape())).text() + ",\n\"features\": [\n";
  for (size_t i = 0; i < features.size(); i++)
    s += feature(features[i], meets[i], now).text() + (i + 1 < features.size() ? ",\n" : "\n");
  return s + "]\n}\n";
}

void Part::write(const std::string& path) const {
  Interface_Static::SetCVal("write.step.schema", "AP214IS");
  STEPControl_Writer writer;
  if (writer.Transfer(body.shape(), STEPControl_ManifoldSolidBrep) != IFSelect_RetDone)
    throw Failed("the part cannot be written");
  // The same part is the same file, whenever it is written and whatever was before.
  const Handle(StepData_StepModel) model = writer.Model();
  APIHeaderSection_MakeHeader(model).SetTimeStamp(new TCollection_HAsciiString("2000-01-01T00:00:00"));
  const Handle(TCollection_HAsciiString) name = new TCollection_HAsciiString("part");
  for (int i = 1; i <= model->NbEntities(); i++)
    if (Handle(StepBasic_Product) product = Handle(StepBasic_Product)::DownCast(model->Value(i))) {
      product->SetId(name);
      product->SetName(name);
    }
  if (writer.Write(path.c_str()) != IFSelect_RetDone)
    throw Failed("the part cannot be written");
  STEPControl_Reader reader;
  reader.ReadFile(path.c_str());
  reader.TransferRoots();
  const Body back(reader.OneShape(), [](const TopoDS_Face&, const gp_Pnt&) { return 0; });
  const std::vector<TopoDS_Face> here = body.faces(), there = back.faces();
  if (here.size() != there.size()) throw Failed("the file has another number of faces");
  for (size_t i = 0; i < here.size(); i++) {
    gp_Pnt a, b;
    const double areaA = areaOf(here[i], &a), areaB = areaOf(there[i], &b);
    if (a.Distance(b) > kReadBack || std::abs(areaA - areaB) > kReadBack * (1 + areaA))
      throw Failed("the file has its faces in another order");
  }
}
