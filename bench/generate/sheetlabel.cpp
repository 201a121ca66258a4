// What people would say of a part of sheet: flats, holes and windows, and nothing of edges and bends.
#include <BRepAdaptor_Surface.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <algorithm>

#include "sheet.hpp"

namespace {

constexpr double kSame = 1e-6;   // mm
constexpr double kFar = 1e4;     // mm, beyond every part
constexpr double kLift = 1e-3;   // mm, off a face

std::string direction(const gp_Dir& d) {
  char s[80];
  std::snprintf(s, sizeof s, "(%.7f,%.7f,%.7f)", d.X(), d.Y(), d.Z());
  return s;
}

class Writer {
 public:
  explicit Writer(Sheet& s) : s_(s), faces_(s.part.body.faces()) {}

  std::string text() {
    std::string out = "{\"faces\": " + std::to_string(faces_.size()) +
                      (isPlate() ? ", \"process\": [\"sheet\", \"milled\"]"
                                  : ", \"process\": [\"sheet\"],\n \"sheet\": " + blank().text());
    Json free = Json::array();
    for (const Feature& f : s_.part.features)
      if (f.kind == "free")
        for (int i : of(f.tags)) free.push(i);
    out += ",\n \"free\": " + free.text() + ",\n \"features\": [";
    std::vector<Json> lines;
    flats(lines);
    for (const Feature& f : s_.part.features)
      if (f.kind != "Face" && f.kind != "free") lines.push_back(line(f));
    for (size_t i = 0; i < lines.size(); i++) out += (i ? ",\n  " : "\n  ") + lines[i].text();
    return out + "\n]}\n";
  }

 private:
  std::vector<int> of(const std::set<Tag>& tags) const {
    std::vector<int> out;
    for (size_t i = 0; i < faces_.size(); i++)
      if (tags.count(s_.part.body.tag(faces_[i]))) out.push_back(int(i));
    return out;
  }

  // isPlate reports whether a flat piece is so thick, or thick for its size, that it may be a plate as well.
  bool isPlate() const {
    const Flat& f = s_.flats[0];
    return s_.bends.empty() && (s_.thickness >= 4 || s_.thickness > 0.06 * std::sqrt(f.length * f.width));
  }

  Json blank() const {
    std::vector<const Feature*> planes;
    for (const Feature& f : s_.part.features)
      if (f.kind == "Face" &&
          std::none_of(planes.begin(), planes.end(), [&](const Feature* g) { return level(f, *g); }))
        planes.push_back(&f);
    Json j = Json::object();
    j.set("thickness", s_.thickness);
    j.set("bends", int(s_.bends.size()));
    j.set("flats", int(planes.size() / 2));
    return j;
  }

  gp_Pnt origin(const Feature& f) const {
    for (const TopoDS_Face& g : faces_)
      if (f.tags.count(s_.part.body.tag(g))) return BRepAdaptor_Surface(g).Plane().Location();
    throw Failed("a flat is gone");
  }

  // level reports whether two flats lie in one plane and face one way.
  bool level(const Feature& f, const Feature& g) const {
    return f.direction.IsEqual(g.direction, kSame) &&
           std::abs(gp_Vec(origin(f), origin(g)).Dot(gp_Vec(f.direction))) < kSame;
  }

  // isHidden reports whether something stands over a flat.
  bool isHidden(const Feature& f) const {
    for (const TopoDS_Face& g : faces_) {
      if (!f.tags.count(s_.part.body.tag(g))) continue;
      gp_Trsf up;
      up.SetTranslation(gp_Vec(f.direction) * kLift);
      const gp_Vec far = gp_Vec(f.direction) * kFar;
      const Body over(BRepPrimAPI_MakePrism(g.Moved(TopLoc_Location(up)), far).Shape(),
                      [](const TopoDS_Face&, const gp_Pnt&) { return kNone; });
      if (s_.part.body.overlap(over) > kSame) return true;
    }
    return false;
  }

  Json claim(const std::string& kind, const std::vector<int>& faces,
             const std::vector<gp_Dir>& directions) const {
    Json j = Json::object(), all = Json::array(), ways = Json::array();
    for (int i : faces) all.push(i);
    for (const gp_Dir& d : directions) ways.push(direction(d));
    j.set("kind", kind), j.set("faces", all), j.set("directions", ways);
    return j;
  }

  Json line(const Feature& f) const {
    std::vector<gp_Dir> ways;
    if (f.sense != Sense::kAny) ways = {f.direction};
    if (f.sense == Sense::kEither) ways.push_back(f.direction.Reversed());
    Json j = claim(f.kind, of(f.tags), ways);
    if (!f.facts.empty()) j.set("sizes", f.facts);
    if (f.isOptional) j.set("optional", true);
    Json readings = Json::array();
    for (const std::vector<Reading>& a : f.alternatives) {
      Json list = Json::array();
      for (const Reading& r : a) list.push(claim(r.kinds[0], of(r.tags), {}));
      readings.push(list);
    }
    if (!readings.empty()) j.set("or", readings);
    return j;
  }

  // flats writes the sides of flats; those in one plane may be one Face, or one each.
  void flats(std::vector<Json>& lines) const {
    std::vector<const Feature*> seen, hidden;
    for (const Feature& f : s_.part.features)
      if (f.kind == "Face") (isHidden(f) ? hidden : seen).push_back(&f);
    for (const Feature* f : hidden) {
      lines.push_back(claim("Face", of(f->tags), {f->direction}));
      lines.back().set("optional", true);
    }
    while (!seen.empty()) {
      const Feature first = *seen[0];
      std::set<Tag> all;
      Json apart = Json::array();
      for (size_t i = 0; i < seen.size();) {
        if (!level(first, *seen[i])) {
          i++;
          continue;
        }
        all.insert(seen[i]->tags.begin(), seen[i]->tags.end());
        apart.push(claim("Face", of(seen[i]->tags), {first.direction}));
        seen.erase(seen.begin() + long(i));
      }
      Json j = claim("Face", of(all), {first.direction}), readings = Json::array();
      if (all.size() > 1) readings.push(apart), j.set("or", readings);
      lines.push_back(j);
    }
  }

  Sheet& s_;
  std::vector<TopoDS_Face> faces_;
};

}  // namespace

std::string labels(Sheet& s) { return Writer(s).text(); }
