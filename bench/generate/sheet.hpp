// Parts that are cut from sheet and bent: flats that hang together at bends.
#pragma once
#include "recipe.hpp"

// Bend is how a flat goes on at one of its edges.
struct Bend {
  double angle = 90 * kDegree;
  double radius = 1;       // of its inner side
  double length = 10;      // of the flat behind it; 0 where the sheet ends with the bend
  bool up = true;          // towards the top of the flat that it starts from
  bool sharpOuter = false;  // its outer side has no radius either
};

// Room is a circle of a flat that is in use.
struct Room {
  double x, y, radius;
};

// Flat is a rectangle of the sheet, in a frame with its middle as origin and z out of its top.
struct Flat {
  gp_Trsf at;
  double length = 0, width = 0;
  Tag top = kNone, bottom = kNone;
  bool isFree[4] = {true, true, true, true};  // edges at +x, +y, -x, -y
  std::vector<Room> taken;

  double reach(int side) const { return (side % 2 ? width : length) / 2; }
  double edge(int side) const { return side % 2 ? length : width; }
};

// Line is the axis of a bend: bends on one line are made at once.
struct Line {
  gp_Pnt at;
  gp_Dir along;
};

struct Sheet {
  Part part;
  double thickness = 1;
  std::vector<Flat> flats;
  std::vector<Line> bends;
  Tag rim = kNone, bend = kNone;    // faces across the sheet, and of the bends
  std::vector<Tag> sides, notches;  // of the contour of a flat piece, in place of the rim

  // start makes the first flat, raised of an outline.
  void start(const gp_Trsf& place, double length, double width, const Outline& outline);
  // fold grows a flat at an edge of another, of a width around a place along the edge. It returns its number.
  size_t fold(size_t flat, int side, double along, double width, const Bend& b);
  // relieve cuts a slit into a flat at each end of what is folded at its edge.
  void relieve(size_t flat, int side, double along, double width, double across, double deep, bool round);
  // corner rounds the edge across the sheet at a place of a flat, or cuts it off.
  void corner(size_t flat, double x, double y, double size, bool round);
  void notch(size_t flat, int side, double along, double across, double deep, bool round);
  void hole(size_t flat, double x, double y, double diameter);
  // sunk is a hole with a countersink that goes deep into its top, collared one whose rim was drawn out of the
  // top.
  void sunk(size_t flat, double x, double y, double diameter, double deep);
  void collared(size_t flat, double x, double y, double diameter, double wall, double height);
  // window cuts an outline with a radius in its corners through a flat.
  void window(size_t flat, double x, double y, const Outline& o, double corner);
  // across cuts a window over a bend that starts at an edge of a flat.
  void across(size_t flat, int side, double along, double width, double before, double behind, const Bend& b);
  // lance cuts a tab free in a flat and bends it.
  void lance(size_t flat, double x, double y, double width, double gap, const Bend& b);
  // emboss presses an outline out of the sheet by less than its thickness.
  void emboss(size_t flat, double x, double y, const Outline& o, double height);
  // dimple draws a round dome with a flat top out of the sheet: its wall leans, and its bends are round.
  void dimple(size_t flat, double x, double y, double radius, double height, double bendRadius);

 private:
  gp_Trsf at(size_t flat, int side, double along) const;
  gp_Trsf on(size_t flat, double x, double y) const;
  // punch cuts an outline at a place through the sheet.
  void punch(const gp_Trsf& to, const Outline& o, Tag wall);
  size_t grow(const gp_Trsf& edge, Tag top, Tag bottom, double width, const Bend& b);
  Tag fresh(const char* kind);  // a tag with a feature of its own
  // isCovered reports whether something stands over an outline on a flat, or under it.
  bool isCovered(const gp_Trsf& to, const Outline& o, bool over) const;
};

// labels is the document beside a part, as people label real ones (bench/recognition/testdata/machinist).
std::string labels(Sheet& s);

// kSheets and bent are the families of parts.
extern const std::vector<std::string> kSheets;
Sheet bent(const std::string& family, Random& r);
