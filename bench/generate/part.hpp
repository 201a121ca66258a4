// A part under construction: a body, and the features that its faces make up.
#pragma once
#include <cmath>
#include <gp_Ax3.hxx>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "body.hpp"
#include "json.hpp"
#include "random.hpp"

// Which directions a feature may be given.
enum class Sense { kOne, kEither, kAny };

// Reading is a feature of another reading: one of the kinds, with the faces of tags, or those that are named.
struct Reading {
  std::vector<std::string> kinds;
  std::set<Tag> tags;
  std::vector<TopoDS_Face> faces;
};

struct Feature {
  std::string kind;
  std::string name;  // of the recipe, as a machinist would call it; empty where the kind says it
  std::set<Tag> tags;
  std::set<Tag> floors;  // those of its tags that are floors
  std::set<Tag> outer;   // walls round it, without any of which what it runs round is an island on a plane
  gp_Dir direction = gp::DZ();
  Sense sense = Sense::kOne;
  Json facts = Json::object();
  bool measureZ = true;              // zMin and zMax are the extent of its faces
  std::vector<std::string> ifAlone;  // facts that hold only where it meets no other feature
  // Facts that hold only while the faces of some tags are as large as the recipe makes them.
  std::map<std::string, std::set<Tag>> needs;
  std::map<Tag, double> whole;  // area that the recipe makes, by tag
  // What a tool left when it was used, by tag: how many surfaces, and their area.
  std::map<Tag, std::pair<int, double>> left;
  double diameter = 0;  // of a hole's narrowest bore
  std::vector<std::string> also;  // kinds of features that may have its faces beside it
  bool isOptional = false;        // of sheet: it need not be named
  bool isRaw = false;  // of a turned stock: where one of its faces ends and the next begins is not ours to say
  // Readings that are as right as this one: each is a list of features in place of it.
  std::vector<std::vector<Reading>> alternatives;

  // keeps remembers the areas of a tool that ends at the plane it is used on.
  void keeps(const Body& ideal);
};

class Part {
 public:
  Body body;
  std::vector<Feature> features;
  gp_Trsf place;  // of the part in space
  bool interacts = false;  // features may take of each other whatever leaves them what they are

  Tag tag() { return next_++; }
  size_t add(Feature f);
  // face adds a plane that is milled flat.
  size_t face(Tag t, const gp_Dir& normal);
  // expect remembers how large the faces of a feature are that was just cut where its size does not follow from
  // the recipe; of one that met others, what needs its faces whole is not known.
  void expect(size_t feature);
  // check throws Failed unless the part is one valid solid whose faces are all accounted for.
  void check() const;
  // stand drops features of which nothing is left, and throws Failed where it is not clear what the rest of one
  // is, or where a face is too narrow to be meant.
  void stand();
  // settle names features by what the others left of them. It is called once all are there.
  void settle();
  // truth is the JSON document beside the STEP file. Faces are numbered as they are written.
  std::string truth(const std::string& name, const std::string& family) const;
  void write(const std::string& path) const;

 private:
  Json feature(const Feature& f, const std::set<size_t>& meets,
               const std::map<Tag, std::pair<int, double>>& now) const;
  void measureFace(const Feature& f, Json& facts) const;
  void measureAreas(const Feature& f, Json& sheet) const;
  std::vector<std::set<size_t>> meetings() const;
  Json facts(const Feature& f, bool meets, const std::map<Tag, std::pair<int, double>>& now) const;
  void standFeature(const Feature& f, const std::map<Tag, std::pair<int, double>>& now) const;
  void settleHole(size_t i, const std::map<Tag, std::pair<int, double>>& now);
  std::vector<std::vector<TopoDS_Face>> pieces(const Feature& f) const;
  bool seen(const Feature& f) const;
  size_t stockBeside(const Feature& f) const;
  Tag next_ = 0;
};

// Spot is a rectangle of a plane to cut into, in a frame with z out of the material and its middle as origin.
struct Spot {
  gp_Trsf at;
  double length = 0, width = 0;
  double depth = 0;     // how deep it may be cut
  double through = 0;   // the material under it, 0 where it must not be cut through
  Tag plane = kNone;    // of the face
  bool flat = true;     // the face is the plane, not something above it
  bool oneWay = false;  // what goes through can be reached from here only
  double above = 1;     // how high tools reach, over everything that is there
  int rank = 0;         // 0 on the stock, 1 in a feature

  gp_Dir up() const { return gp::DZ().Transformed(at); }
  gp_Pnt point(double x, double y, double z) const { return gp_Pnt(x, y, z).Transformed(at); }
  // z of a local height along the spot's direction, in part coordinates.
  double level(double z) const { return gp_Vec(gp::Origin(), point(0, 0, z)).Dot(gp_Vec(up())); }
  Spot shifted(double x, double y, double z) const;
  Spot turned(double angle) const;
};

// extent is that of faces along a direction: of their edges, because no face here bulges beyond all of them,
// and poles and tips are vertices.
std::pair<double, double> extent(const TopoDS_Shape& s, const gp_Dir& dir);
Json vec(const gp_XYZ& v);
gp_Trsf frame(const gp_Pnt& origin, const gp_Dir& z, const gp_Dir& x);
