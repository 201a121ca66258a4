// Parts whose features cut each other, stand on each other and share walls.
#include <algorithm>
#include <cmath>

#include "family.hpp"
#include "interact.hpp"
#include "stock.hpp"

const std::vector<std::string> kInteracting = {"crowd", "shaft", "terrace", "disc", "crowd", "wedge"};

bool draw(Part& p, Random& r, std::vector<Site>& sites) {
  Site& s = sites[r.chance(0.6) ? 0 : size_t(r.below(int64_t(sites.size())))];
  switch (r.below(22)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
      return hole(p, r, s);
    case 5:
    case 6:
    case 7:
      return closedPocket(p, r, s, false);
    case 8:
    case 9:
    case 10:
      return closedPocket(p, r, s, true);
    case 11:
    case 12:
      return openPocket(p, r, s);
    case 13:
    case 14:
    case 15:
      return channel(p, r, s);
    case 16:
    case 17:
      return undercut(p, r, s);
    case 18:
    case 19:
      return stud(p, r, s);
    case 20:
      return groove(p, r, s);
    default:
      return edges(p, r, s);
  }
}

namespace {

constexpr int kTries = 6;  // for each feature

// sitesOf are the planes of a box, top first.
std::vector<Site> sitesOf(const Part& p, const Stock& s) {
  std::vector<Site> out;
  Spot top = s.plan(p);
  top.depth = 0.45 * s.height;
  out.push_back({top, {}});
  for (int i = 0; i < 4; i++) {
    Spot side = s.side(p, i);
    side.depth = std::min(0.25 * side.through, 16.0);
    out.push_back({side, {}});
  }
  Spot under = s.under(p);
  under.depth = 0.35 * s.height;
  out.push_back({under, {}});
  return out;
}

Part crowd(Random& r, int count) {
  Part p;
  p.interacts = true;
  p.place = somewhere(r);
  const double l = r.between(60, 120, 1), w = r.between(45, std::min(90.0, l), 1), h = r.between(18, 50, 0.5);
  const Stock s = raise(p, Outline::rectangle(l, w), l, w, h);
  std::vector<Site> sites = sitesOf(p, s);
  for (int n = 0; n < count; n++)
    for (int t = 0; t < kTries && !draw(p, r, sites); t++) {
    }
  return p;
}

// terrace has steps on two sides of its top first, and what is drawn then stands on the ridge between them.
Part terrace(Random& r, int count) {
  Part p;
  p.interacts = true;
  p.place = somewhere(r);
  const double l = r.between(60, 120, 1), w = r.between(45, std::min(90.0, l), 1), h = r.between(24, 50, 0.5);
  const Stock s = raise(p, Outline::rectangle(l, w), l, w, h);
  std::vector<Site> sites = sitesOf(p, s);
  const double ridge = r.between(0.2, 0.5, 0.01) * l, x = r.between(-0.2, 0.2, 0.01) * l;
  Spot ridged = sites[0].spot.shifted(x, 0, 0);
  ridged.length = ridge;
  std::vector<Site> levels = {{ridged, {}}};
  for (int i = 0; i < 2; i++) {
    Spot at = sites[0].spot.turned(i * M_PI);
    at.above = 25;
    const double edge = (i == 0 ? x : -x) + ridge / 2, d = r.between(3, 0.45 * h, 0.01);
    attempt(p, [&] {
      Hollow f = step(p, at, edge, d, r.chance(0.3) ? r.between(0.5, 0.4 * d, 0.1) : 0);
      p.features[f.feature].ifAlone = {"volume", "length", "width", "narrowestWidth", "maxClearingDiameter",
                                       "depth", "minCornerRadius", "islandCount", "floorRadius", "shape"};
      f.floor.through = h - d, f.floor.depth = 0.45 * (h - d), f.floor.length = l / 2 - edge, f.floor.width = w;
      levels.push_back({f.floor, {}});
    });
  }
  for (int n = 0; n < count; n++) {
    Site& at = levels[size_t(r.below(int64_t(levels.size())))];
    for (int t = 0; t < kTries; t++) {
      const int64_t what = r.below(10);
      if (what < 4 ? stud(p, r, at) : what < 6 ? hole(p, r, at) : draw(p, r, levels)) break;
    }
  }
  return p;
}

// wedge has a top that leans, with features square to it and others along the upright.
Part wedge(Random& r, int count) {
  Part p;
  p.interacts = true;
  p.place = somewhere(r);
  const double l = r.between(60, 110, 1), w = r.between(45, std::min(90.0, l), 1), h = r.between(30, 50, 0.5);
  const double lean = r.between(12, 28, 1) * kDegree, fall = l * std::tan(lean);
  const double low = std::max(12.0, h - fall / 2), high = low + fall;
  const Tag first = p.tag();
  for (int i = 0; i < 3; i++) p.tag();
  const Tag front = p.tag(), back = p.tag();
  p.body = extruded({{-l / 2, 0}, {l / 2, 0}, {l / 2, low}, {-l / 2, high}}, -w / 2, w / 2, first, front, back)
               .moved(p.place);
  auto face = [&](Tag t, const gp_Dir& n, bool isRound) {
    const size_t f = p.face(t, n.Transformed(p.place));
    if (isRound) p.features[f].also = {"Profile"};  // they run all round along y, not square to one another
  };
  const gp_Dir up(std::sin(lean), 0, std::cos(lean));
  face(first, gp::DZ().Reversed(), true);
  face(first + 1, gp::DX(), true);
  face(first + 2, up, true);
  face(first + 3, gp::DX().Reversed(), true);
  face(front, gp::DY().Reversed(), false);
  face(back, gp::DY(), false);
  auto site = [&](const gp_Pnt& at, const gp_Dir& z, const gp_Dir& x, double length, double width, double depth,
                  Tag plane) {
    Spot s;
    s.at = p.place * frame(at, z, x);
    s.length = length, s.width = width, s.depth = depth, s.plane = plane;
    return Site{s, {}};
  };
  const gp_Pnt middle(0, 0, (low + high) / 2);
  std::vector<Site> sites = {
      site(middle, up, gp_Dir(std::cos(lean), 0, -std::sin(lean)), l / std::cos(lean), w, 0.4 * low, first + 2),
      site(gp_Pnt(0, 0, 0), gp::DZ().Reversed(), gp::DX(), l, w, 0.35 * low, first),
      site(gp_Pnt(-l / 2, 0, high / 2), gp::DX().Reversed(), gp::DY(), w, high, 14, first + 3)};
  Site upright = site(middle, gp::DZ(), gp::DX(), l, w, 0.6 * low, first + 2);
  upright.spot.flat = false, upright.spot.through = middle.Z(), upright.spot.above = fall;
  for (int n = 0; n < count; n++)
    for (int t = 0; t < kTries; t++) {
      if (r.chance(0.8) ? draw(p, r, sites)
                        : r.chance(0.5) ? hole(p, r, upright) : closedPocket(p, r, upright, r.chance(0.4)))
        break;
    }
  return p;
}

}  // namespace

Part interacting(const std::string& family, Random& r, int count) {
  if (family == "terrace") return terrace(r, count);
  if (family == "shaft") return shaft(r, count);
  if (family == "disc") return disc(r, count);
  if (family == "wedge") return wedge(r, count);
  return crowd(r, count);
}
