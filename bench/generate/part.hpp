// A part under construction: a body, and the features that its faces make up.
#pragma once
#include <cmath>
#include <gp_Ax3.hxx>
#include <set>
#include <string>
#include <vector>

#include "body.hpp"
#include "json.hpp"
#include "random.hpp"

// Which directions a feature may be given.
enum class Sense { kOne, kEither, kAny };

struct Feature {
  std::string kind;
  std::set<Tag> tags;
  gp_Dir direction = gp::DZ();
  Sense sense = Sense::kOne;
  Json facts = Json::object();
  bool measureZ = true;              // zMin and zMax are the extent of its faces
  std::vector<std::string> ifAlone;  // facts that hold only where it meets no other feature
};

class Part {
 public:
  Body body;
  std::vector<Feature> features;
  gp_Trsf place;  // of the part in space

  Tag tag() { return next_++; }
  size_t add(Feature f) {
    features.push_back(std::move(f));
    return features.size() - 1;
  }
  // face adds a plane that is milled flat.
  size_t face(Tag t, const gp_Dir& normal);
  // check throws Failed unless the part is one valid solid whose faces are all accounted for.
  void check() const;
  // truth is the JSON document beside the STEP file. Faces are numbered as they are written.
  std::string truth(const std::string& name, const std::string& family) const;
  void write(const std::string& path) const;

 private:
  Json feature(const Feature& f, const std::set<size_t>& meets) const;
  void measureFace(const Feature& f, Json& facts) const;
  void measureAreas(const Feature& f, Json& sheet) const;
  std::vector<std::set<size_t>> meetings() const;
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

Json vec(const gp_XYZ& v);
gp_Trsf frame(const gp_Pnt& origin, const gp_Dir& z, const gp_Dir& x);
