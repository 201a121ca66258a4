// What features are once others have cut into them, by the definitions of core/feature/kind.go.
#include <BRepAdaptor_Surface.hxx>
#include <BRepGProp.hxx>
#include <BRepTopAdaptor_FClass2d.hxx>
#include <BRep_Tool.hxx>
#include <GProp_GProps.hxx>
#include <TopExp.hxx>
#include <IntCurvesFace_ShapeIntersector.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopTools_IndexedDataMapOfShapeListOfShape.hxx>
#include <algorithm>
#include <cmath>
#include <gp_Cone.hxx>
#include <gp_Cylinder.hxx>
#include <gp_Lin.hxx>

#include "part.hpp"

namespace {

constexpr double kNarrow = 0.2;        // mm, twice area over perimeter: below it a face is a sliver
constexpr double kLevel = 0.05;        // mm, by which parallel planes of different features must lie apart
constexpr double kHalfTurn = 0.05;     // of a turn, round half of one: neither hole nor groove for sure
constexpr double kGapLow = 1.6;        // diameters: a void up to here leaves a hole one for sure

double perimeter(const TopoDS_Face& f) {
  GProp_GProps g;
  BRepGProp::LinearProperties(f, g);
  return g.Mass();
}

struct Plane {
  gp_Dir normal;  // out of the material
  double level;
};

bool planeOf(const TopoDS_Face& f, Plane& out) {
  const BRepAdaptor_Surface s(f);
  if (s.GetType() != GeomAbs_Plane) return false;
  gp_Dir n = s.Plane().Axis().Direction();
  if (!s.Plane().Direct()) n.Reverse();
  if (f.Orientation() == TopAbs_REVERSED) n.Reverse();
  out = {n, gp_Vec(gp::Origin(), s.Plane().Location()).Dot(gp_Vec(n))};
  return true;
}

using Left = std::map<Tag, std::pair<int, double>>;

// share is what is left of the area of tags, and count of how many surfaces none is left.
double share(const Feature& f, const Left& now, const std::set<Tag>& of, int* lost) {
  double before = 0, after = 0;
  for (const auto& [t, was] : f.left) {
    if (!of.count(t)) continue;
    before += was.second;
    const auto it = now.find(t);
    if (it != now.end()) after += it->second.second;
    if (lost) *lost += was.first - (it == now.end() ? 0 : it->second.first);
  }
  return before > 0 ? after / before : 0;
}

[[noreturn]] void unclear(const Feature& f) { throw Failed("it is not clear what is left of a " + f.name); }

}  // namespace

void Part::standFeature(const Feature& f, const Left& now) const {
  std::set<Tag> walls;
  for (Tag t : f.tags)
    if (!f.floors.count(t)) walls.insert(t);
  int lost = 0, all = 0;
  const double left = share(f, now, walls, &lost);
  for (const auto& [t, was] : f.left)
    if (walls.count(t)) all += was.first;
  if (f.kind == "Pocket") {
    if (f.floors.empty() ? lost > 0 || left < 0.3 : all - lost < std::min(all, 2)) unclear(f);
    if (!f.floors.empty() && share(f, now, f.floors, nullptr) < 0.15) unclear(f);
    if (left < 0.1) unclear(f);
    if (!f.outer.empty() && share(f, now, f.outer, nullptr) <= 0) unclear(f);
    if (f.name == "V-groove" && body.between(*f.tags.begin(), *f.tags.begin()).empty()) unclear(f);
  } else if (f.kind == "Boss") {
    if (lost > 0 || left < 0.85) unclear(f);
  } else if (f.kind == "Tslot" || f.kind == "Dovetail") {
    if (lost > 0 || left < 0.3 || (!f.floors.empty() && share(f, now, f.floors, nullptr) < 0.2)) unclear(f);
  } else if (f.kind == "Chamfer") {
    if (left < 0.3) unclear(f);
  } else if (f.kind == "Face") {
    if (left < 0.02) unclear(f);
  }
}

void Part::stand() {
  const Left now = body.left();
  features.erase(std::remove_if(features.begin(), features.end(),
                                [&](const Feature& f) {
                                  return std::none_of(f.tags.begin(), f.tags.end(),
                                                      [&](Tag t) { return now.count(t) > 0; });
                                }),
                 features.end());
  for (const Feature& f : features) standFeature(f, now);
  std::map<Tag, size_t> owner;
  for (size_t i = 0; i < features.size(); i++)
    for (Tag t : features[i].tags)
      if (features[i].kind != "Profile" || !owner.count(t)) owner[t] = i;
  struct Flat {
    Plane plane;
    size_t of;
    TopoDS_Face face;
  };
  std::vector<Flat> flats;
  for (const TopoDS_Face& f : body.faces()) {
    if (2 * areaOf(f) < kNarrow * perimeter(f)) throw Failed("a face is a sliver");
    Plane plane;
    if (planeOf(f, plane)) flats.push_back({plane, owner.at(body.tag(f)), f});
  }
  // Planes of different features in one level would look as if one pass had made them.
  for (const Flat& a : flats)
    for (const Flat& b : flats) {
      if (a.of >= b.of || !a.plane.normal.IsEqual(b.plane.normal, 1e-6)) continue;
      const double apart = std::abs(a.plane.level - b.plane.level);
      if (apart >= kLevel || (features[a.of].kind == "Face" && features[b.of].kind == "Face")) continue;
      throw Failed("planes of two features lie in one level");
    }
}

namespace {

constexpr int kHeights = 24, kAngles = 90;

// turnAt is how far round, in turns, cylinders on an axis go at a height.
double turnAt(const std::vector<TopoDS_Face>& faces, const gp_Ax3& axis, double z) {
  std::vector<bool> seen(kAngles, false);
  for (const TopoDS_Face& f : faces) {
    const BRepAdaptor_Surface s(f);
    if (s.GetType() != GeomAbs_Cylinder) continue;
    const gp_Dir own = s.Cylinder().Axis().Direction();
    const double v = (z - gp_Vec(axis.Location(), s.Cylinder().Location()).Dot(gp_Vec(axis.Direction()))) *
                     own.Dot(axis.Direction());
    if (v < s.FirstVParameter() || v > s.LastVParameter()) continue;
    const BRepTopAdaptor_FClass2d inside(f, 1e-9);
    for (int k = 0; k < kAngles; k++) {
      const double a = 2 * M_PI * (k + 0.5) / kAngles;
      const gp_Vec d = std::cos(a) * gp_Vec(axis.XDirection()) + std::sin(a) * gp_Vec(axis.YDirection());
      const gp_Vec x(s.Cylinder().Position().XDirection()), y(s.Cylinder().Position().YDirection());
      const double u0 = s.FirstUParameter();
      const double u = u0 + std::fmod(std::atan2(d.Dot(y), d.Dot(x)) - u0 + 4 * M_PI, 2 * M_PI);
      if (!seen[size_t(k)] && u < s.LastUParameter() && inside.Perform(gp_Pnt2d(u, v)) == TopAbs_IN)
        seen[size_t(k)] = true;
    }
  }
  return double(std::count(seen.begin(), seen.end(), true)) / kAngles;
}

}  // namespace

// settleHole names a hole of which no more than half a turn is left a pocket, and parts it where a void
// interrupts it.
void Part::settleHole(size_t i, const Left& now) {
  const Feature& hole = features[i];
  const bool isWhole = std::all_of(hole.whole.begin(), hole.whole.end(), [&](const auto& w) {
    const auto it = now.find(w.first);
    return it != now.end() && std::abs(it->second.second - w.second) < 1e-6 * w.second;
  });
  if (isWhole) return;
  const gp_Dir up = features[i].direction;
  std::vector<TopoDS_Face> own;
  double widest = 0;
  bool hasBore = false, isPlain = true;  // of what is left
  gp_Ax3 axis;
  for (const TopoDS_Face& f : body.faces()) {
    if (!features[i].tags.count(body.tag(f))) continue;
    own.push_back(f);
    const BRepAdaptor_Surface s(f);
    const bool isBore = s.GetType() == GeomAbs_Cylinder && 2 * s.Cylinder().Radius() < hole.diameter + 1e-6;
    hasBore = hasBore || isBore, isPlain = isPlain && isBore;
    if (s.GetType() != GeomAbs_Cylinder) continue;
    widest = std::max(widest, 2 * s.Cylinder().Radius());
    axis = gp_Ax3(s.Cylinder().Location(), up);
  }
  if (widest == 0) unclear(features[i]);  // a tip or a sink is left
  std::vector<std::pair<double, double>> spans;
  for (const TopoDS_Face& f : own) {
    const auto [lo, hi] = extent(f, up);
    spans.emplace_back(lo, hi);
  }
  std::sort(spans.begin(), spans.end());
  double end = spans.front().second;
  for (const auto& [lo, hi] : spans) {
    if (lo - end > kGapLow * features[i].diameter) unclear(features[i]);
    end = std::max(end, hi);
  }
  const double base = gp_Vec(gp::Origin(), axis.Location()).Dot(gp_Vec(up));
  double turn = 0;
  const double foot = spans.front().first;
  for (int k = 0; k < kHeights && turn < 0.5 + kHalfTurn; k++)
    turn = std::max(turn, turnAt(own, axis, foot - base + (end - foot) * (k + 0.5) / kHeights));
  if (std::abs(turn - 0.5) < kHalfTurn) unclear(features[i]);
  Feature& f = features[i];
  if (!hasBore) f.facts.drop("diameter");  // the narrowest that is left is a step of it
  if (turn > 0.5) {
    if (!isPlain || f.needs.count("isThrough")) return;
    f.sense = Sense::kEither;  // of a through hole whose step or sink is gone nothing says where it was drilled from
    for (const char* name : {"center", "axis", "segments"}) f.facts.drop(name);
    return;
  }
  if (f.name != "blind hole" && f.name != "through hole") unclear(f);  // halves of steps are pockets in pockets
  f.alternatives.push_back({{{"Hole"}, f.tags, {}}});       // drilled before what opens it was cut
  f.kind = "Pocket";
  f.name = "half of a " + f.name;
  f.facts = Json::object();
  f.facts.set("kind", "Pocket");
  f.facts.set("isOpen", true);
  f.measureZ = false;
  f.sense = Sense::kAny;  // from the side or along it
}

// pieces are the faces of a feature, those together that share an edge or a corner.
std::vector<std::vector<TopoDS_Face>> Part::pieces(const Feature& f) const {
  std::vector<std::pair<std::vector<TopoDS_Face>, TopTools_IndexedMapOfShape>> out;
  for (const TopoDS_Face& face : body.faces()) {
    if (!f.tags.count(body.tag(face))) continue;
    std::pair<std::vector<TopoDS_Face>, TopTools_IndexedMapOfShape> one;
    one.first.push_back(face);
    TopExp::MapShapes(face, TopAbs_VERTEX, one.second);
    for (size_t i = out.size(); i-- > 0;) {
      bool joins = false;
      for (int k = 1; k <= out[i].second.Extent(); k++) joins = joins || one.second.Contains(out[i].second(k));
      if (!joins) continue;
      one.first.insert(one.first.end(), out[i].first.begin(), out[i].first.end());
      for (int k = 1; k <= out[i].second.Extent(); k++) one.second.Add(out[i].second(k));
      out.erase(out.begin() + long(i));
    }
    out.push_back(one);
  }
  std::vector<std::vector<TopoDS_Face>> faces;
  for (const auto& one : out) faces.push_back(one.first);
  return faces;
}

// seen reports whether nothing stands over a plane, by rays from points all over it.
bool Part::seen(const Feature& f) const {
  IntCurvesFace_ShapeIntersector rays;
  rays.Load(body.shape(), 1e-6);
  constexpr int kPoints = 7;
  for (const TopoDS_Face& face : body.faces()) {
    if (!f.tags.count(body.tag(face))) continue;
    const BRepAdaptor_Surface s(face);
    const BRepTopAdaptor_FClass2d inside(face, 1e-9);
    const double v0 = s.FirstVParameter(), v1 = s.LastVParameter(), u0 = s.FirstUParameter(),
                 u1 = s.LastUParameter();
    for (int i = 0; i < kPoints * kPoints; i++) {
      const double u = u0 + (u1 - u0) * (i % kPoints + 0.5) / kPoints,
                   v = v0 + (v1 - v0) * (i / kPoints + 0.5) / kPoints;
      if (inside.Perform(gp_Pnt2d(u, v)) != TopAbs_IN) continue;
      rays.PerformNearest(gp_Lin(s.Value(u, v), f.direction), 1e-3, 1e4);
      if (rays.NbPnt() > 0) return false;
    }
  }
  return true;
}

namespace {

constexpr size_t kPieces = 5;  // of a chamfer, of which all ways to join them are right

// partitions enters all ways to join the rest of some pieces with each other or with what has been joined.
void partitions(std::vector<Reading> joined, const std::vector<Reading>& pieces,
                std::vector<std::vector<Reading>>& out, size_t from = 0) {
  if (from == pieces.size()) {
    if (joined.size() > 1) out.push_back(joined);
    return;
  }
  for (size_t i = 0; i < joined.size(); i++) {
    std::vector<Reading> next = joined;
    next[i].faces.insert(next[i].faces.end(), pieces[from].faces.begin(), pieces[from].faces.end());
    partitions(next, pieces, out, from + 1);
  }
  joined.push_back(pieces[from]);
  partitions(joined, pieces, out, from + 1);
}

}  // namespace

void Part::settle() {
  const Left now = body.left();
  for (size_t i = 0; i < features.size(); i++)
    if (features[i].kind == "Hole") settleHole(i, now);
  for (Feature& f : features) {
    if (f.kind == "Face" && !seen(f)) throw Failed("something stands over a face");
    // Pieces that others part are one by the edge they break, or one for each face that is left beside it.
    const std::vector<std::vector<TopoDS_Face>> parts = pieces(f);
    if (f.kind == "Chamfer" && parts.size() > 1) {
      std::vector<Reading> each;
      for (const std::vector<TopoDS_Face>& one : parts) each.push_back({{"Chamfer"}, {}, one});
      if (parts.size() <= kPieces)
        partitions({}, each, f.alternatives);
      else
        f.alternatives.push_back(each);
    }
    // Of a side of which half is gone it is a matter of opinion whether it runs all round.
    if (f.kind == "Profile" && !f.isRaw && share(f, now, f.tags, nullptr) < 0.6)
      f.alternatives.push_back({{{"Wall"}, f.tags, {}}});
  }
  for (Feature& f : features) {
    f.facts.drop("islandCount");  // others may stand on its floor
    if (f.kind != "Pocket" || f.floors.empty()) continue;
    // A floor and one wall: facing mills the one, the side of the tool the other.
    std::set<Tag> walls;
    int surfaces = 0;
    for (Tag t : f.tags)
      if (now.count(t) && !f.floors.count(t)) walls.insert(t), surfaces += now.at(t).first;
    if (surfaces > 1) continue;
    f.alternatives.push_back({{{"Face"}, f.floors, {}}, {{"Face", "Wall"}, walls, {}}});
    f.sense = Sense::kAny;  // either is the floor
  }
}
