// Where features go so that they meet: sides of a part, what was cut into them, and aiming at it.
#pragma once
#include <functional>
#include <vector>

#include "recipe.hpp"

// Mark is where a feature lies on a side: its middle, its size along x and y, how deep its floor is.
struct Mark {
  double x = 0, y = 0, length = 0, width = 0;
  double depth = 0;    // 0 where it has no floor to stand on
  Tag floor = kNone;
};

// Site is a plane of the part with what it carries.
struct Site {
  Spot spot;
  std::vector<Mark> marks;
};

// Aim is a place on a site, its size, and what it is meant for.
struct Aim {
  Spot spot;
  double x = 0, y = 0, base = 0;  // in the frame of the site; base is how deep its plane lies
};

// attempt does something to a part and takes it back where the result is not clear.
bool attempt(Part& p, const std::function<void()>& change);

// aim chooses a place for something of a size: free, across the border of what is there, beside it, in it,
// on its floor, or at the border of the site.
Aim aim(Random& r, const Site& s, double length, double width);

// What is drawn on a plane of a site; each returns false where nothing came of it.
bool hole(Part& p, Random& r, Site& s);
bool closedPocket(Part& p, Random& r, Site& s, bool through);
bool openPocket(Part& p, Random& r, Site& s);  // across the border of the site
bool channel(Part& p, Random& r, Site& s);     // slots and steps of all sorts
bool undercut(Part& p, Random& r, Site& s);    // T-slots and dovetails
bool stud(Part& p, Random& r, Site& s);        // bosses
bool groove(Part& p, Random& r, Site& s);      // round the place of a seal
bool edges(Part& p, Random& r, Site& s);       // chamfers of rims and of the border

// draw adds a feature to one of the sites; the first is where most go.
bool draw(Part& p, Random& r, std::vector<Site>& sites);

// shaft and disc are turned parts.
Part shaft(Random& r, int count);
Part disc(Random& r, int count);

// kInteracting and interacting are the families of parts whose features cut each other.
extern const std::vector<std::string> kInteracting;
Part interacting(const std::string& family, Random& r, int count);
