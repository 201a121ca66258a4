#include "family.hpp"

#include <algorithm>
#include <cmath>
#include <gp_Quaternion.hxx>

#include "layout.hpp"

gp_Trsf somewhere(Random& r) {
  gp_Trsf t;
  const double how = r.unit();
  if (how < 0.6) return t;
  gp_Quaternion q;
  if (how < 0.8)
    q.SetEulerAngles(gp_Extrinsic_XYZ, M_PI / 2 * double(r.below(4)), M_PI / 2 * double(r.below(4)), 0);
  else
    q.SetEulerAngles(gp_Extrinsic_XYZ, 2 * M_PI * r.unit(), 2 * M_PI * r.unit(), 2 * M_PI * r.unit());
  t.SetRotation(q);
  t.SetTranslationPart(gp_Vec(r.between(-100, 100), r.between(-100, 100), r.between(-100, 100)));
  return t;
}

namespace {

// inset makes a spot smaller on all sides.
Spot inset(Spot s, double by) {
  s.length -= 2 * by, s.width -= 2 * by;
  return s;
}

// broken chamfers the edges round the top of a stock.
double broken(Part& p, Random& r, const Stock& s, int& left) {
  const double c = r.between(0.8, 2.5, 0.1);
  std::vector<TopoDS_Edge> edges;
  for (const std::vector<Tag>* tags : {&s.planes, &s.curved})
    for (Tag t : *tags)
      for (const TopoDS_Edge& e : p.body.between(t, s.top)) edges.push_back(e);
  edgeChamfer(p, edges, s.top, c, c, gp::DZ().Transformed(p.place), true);
  left--;
  if (s.profile != SIZE_MAX) p.features[s.profile].facts.drop("height");
  return c;
}

// corners breaks some upright edges of a box, each a chamfer by itself.
void corners(Part& p, Random& r, const Stock& s, int& left) {
  const double c = r.between(2, 4, 0.5);
  for (size_t i = 0; i < 4 && left > 0; i++) {
    if (r.chance(0.4)) continue;
    const Tag a = s.planes[i], b = s.planes[(i + 1) % 4];
    const size_t f = edgeChamfer(p, p.body.between(a, b), a, c, c, gp::DZ().Transformed(p.place), false);
    p.features[f].sense = Sense::kAny;
    Json bevel = Json::object();
    bevel.set("slant", c * std::sqrt(2));
    p.features[f].facts.set("bevel", bevel);
    p.features[f].facts.set("isClosed", false);
    left--;
  }
}

Part plate(Random& r, int left) {
  Part p;
  p.place = somewhere(r);
  const double l = r.between(50, 150, 1), w = r.between(40, std::min(100.0, l), 1), h = r.between(8, 24, 0.5);
  Stock s;
  switch (r.below(8)) {
    case 0:
    case 1:
    case 5:
    case 6:
      s = raise(p, Outline::rectangle(l, w), l, w, h);
      break;
    case 2:
    case 3:
      s = raise(p, Outline::rectangle(l, w, r.between(4, 12, 0.5)), l, w, h);
      break;
    case 4:
      s = raise(p, Outline::slot(l + w, w), l, w, h);
      break;
    default:
      if (r.chance(0.5))
        s = raise(p, Outline::circle(0.75 * w), w, w, h);
      else
        s = raise(p, Outline::regular(6, 0.8 * w), 0.75 * w, w, h);
  }
  double margin = 5;
  if (left > 1 && s.isBox && r.chance(0.2))
    corners(p, r, s, left), margin += 2;
  else if (left > 1 && r.chance(0.2))
    margin += broken(p, r, s, left);
  Spot top = s.plan(p);
  if (s.isBox && left > 0 && r.chance(0.85)) {
    double taken = 0;
    const Spot from = r.chance(0.5) ? top : top.turned(M_PI);
    lane(p, r, s, from, taken, left);
    if (left > 0 && taken < 0.4 * l && r.chance(0.4)) lane(p, r, s, from, taken, left);
    if (taken > l - 36) return p;
    top = from.shifted(-taken / 2, 0, 0);
    top.length -= taken;
  }
  grid(p, r, inset(top, margin), left);
  return p;
}

Part block(Random& r, int left) {
  Part p;
  p.place = somewhere(r);
  if (r.chance(0.15)) {
    const Stock s = slanted(p, r);
    Spot top = s.plan(p).shifted(0.25 * s.length - 2, 0, 0);
    top.length = 0.45 * s.length, top.depth = 0.4 * s.height;
    grid(p, r, inset(top, 4), left);
    return p;
  }
  const double l = r.between(60, 130, 1), w = r.between(60, std::min(110.0, l), 1), h = r.between(45, 80, 1);
  const bool rounded = r.chance(0.25);
  const Stock s = raise(p, Outline::rectangle(l, w, rounded ? r.between(4, 10, 0.5) : 0), l, w, h);
  const double depth = 0.22 * std::min({l, w, h}), margin = depth + 4;
  Spot top = s.plan(p);
  top.depth = depth, top.through = 0;
  if (!rounded && left > 1 && r.chance(0.15)) broken(p, r, s, left);
  if (!rounded && r.chance(0.2) && left > 1) {
    crossed(p, r, top, left);
  } else {
    double taken = 0;
    while (!rounded && left > 0 && taken < 0.5 * l - 20 && r.chance(taken > 0 ? 0.5 : 0.85))
      lane(p, r, s, top, taken, left);
    taken = std::max(taken, margin);  // of the sides
    Spot free = top.shifted(-(taken - margin) / 2, 0, 0);
    free.length = l - taken - margin, free.width = w - 2 * margin;
    int some = std::min(left, 1 + int(r.below(4)));
    left -= some;
    if (free.length > 20 && free.width > 20) grid(p, r, free, some);
    left += some;
  }
  for (int i = 1; i < 4 && left > 0; i++) {  // +x is left to what pierces slots
    if (!r.chance(0.6)) continue;
    Spot side = s.side(p, i);
    side.depth = depth, side.through = 0;
    int some = std::min(left, 1 + int(r.below(3)));
    left -= some;
    grid(p, r, inset(side, margin), some);
    left += some;
  }
  Spot under = s.under(p);
  under.depth = depth, under.through = 0;
  if (left > 0) grid(p, r, inset(under, margin), left);
  return p;
}

Part bracket(Random& r, int left) {
  Part p;
  p.place = somewhere(r);
  const Angle a = angle(p, r);
  left--;
  int some = std::max(1, left / 2);
  left -= some;
  grid(p, r, a.base, some);
  left += some;
  if (left > 0) grid(p, r, a.upright, left);
  return p;
}

// furnish puts bosses and holes on the floor of a cavity.
void furnish(Part& p, Random& r, Hollow& cavity, const Spot& floor, double depth, int some) {
  int islands = 0;
  for (double x : {-0.25, 0.25})
    for (double y : {-0.25, 0.25}) {
      if (some <= 0) return;
      Spot cell = floor.shifted(x * floor.length, y * floor.width, 0);
      cell.length = floor.length / 2 - 4, cell.width = floor.width / 2 - 4;
      if (!r.chance(0.6)) {
        drill(p, r, cell, anyHole(r, cell, 0.6 * std::min(cell.length, cell.width)));
        some--;
        continue;
      }
      const BossSpec b = anyBoss(r, cell, 0.8 * depth);
      const Spot on = boss(p, cell, b, &cavity);
      some -= b.top == BossSpec::kChamfered ? 2 : 1;
      if (some > 0 && std::min(on.length, on.width) > 4 && r.chance(0.6)) {
        drill(p, r, on, anyHole(r, on, std::min(on.length, on.width) - 1));
        some--;
      }
      p.features[cavity.feature].facts.set("islandCount", ++islands);
    }
}

Part housing(Random& r, int left) {
  Part p;
  p.place = somewhere(r);
  const double l = r.between(70, 140, 1), w = r.between(55, std::min(100.0, l), 1), h = r.between(28, 60, 1);
  const double t = r.between(6, 12, 0.5), thick = r.between(6, 10, 0.5);
  const bool rounded = r.chance(0.4);
  const Stock s = raise(p, Outline::rectangle(l, w, rounded ? r.between(4, 8, 0.5) : 0), l, w, h);
  Spot top = s.plan(p);
  top.depth = h - thick;
  PocketSpec q;
  q.corner = r.between(3, 8, 0.5), q.fillet = r.chance(0.5) ? r.between(0.5, 0.7 * q.corner, 0.5) : 0;
  q.length = l - 2 * t, q.width = w - 2 * t;
  if (left > 2 && r.chance(0.3)) {  // a seat for the lid
    PocketSpec seat = q;
    seat.length += t, seat.width += t, seat.corner += t / 2, seat.fillet = 0,
                                                             seat.depth = r.between(2, 5, 0.5);
    top = pocket(p, top, seat).floor;
    top.depth = h - thick - seat.depth;
    left--;
  }
  q.depth = top.depth;
  Hollow cavity = pocket(p, top, q);
  left--;
  if (top.rank == 0 && left > 1 && r.chance(0.25)) rim(p, r, top, cavity), left--;
  const double reach = q.depth - q.fillet;
  for (int i = 0; i < 4 && left > 0; i++) {  // through the walls; on round ones the planes are shorter only
    if (!r.chance(0.4) || rounded) continue;
    Spot side = s.side(p, i);
    const double d = r.between(3, std::min(12.0, reach - 6), 0.1),
                 along = (i % 2 ? q.length : q.width) / 2 - q.corner - d;
    side = side.shifted(r.between(-0.8, 0.8, 0.01) * along, thick + q.fillet + (reach / 2) - h / 2, 0);
    side.through = t, side.oneWay = true;
    HoleSpec hole;
    hole.diameter = d, hole.depth = t, hole.through = true, hole.bottom = "through";
    drill(p, r, side, hole);
    left--;
  }
  Spot floor = cavity.floor;
  floor.length = q.length - 2 * q.fillet - 8, floor.width = q.width - 2 * q.fillet - 8;
  floor.depth = 0.5 * thick, floor.through = thick;
  furnish(p, r, cavity, floor, q.depth, std::min(left, 1 + int(r.below(5))));
  return p;
}

Part lidded(Random& r, int left) {
  Part p;
  p.place = somewhere(r);
  const double l = r.between(60, 120, 1), w = r.between(50, std::min(100.0, l), 1), h = r.between(25, 45, 1);
  Stock s = raise(p, Outline::rectangle(l, w, r.chance(0.4) ? r.between(4, 10, 0.5) : 0), l, w, h);
  const double swing = r.between(2, 0.15 * h, 0.1);
  lid(p, r, s, swing);
  left--;
  Spot top = s.plan(p);
  top.flat = false, top.depth = 0.3 * h + 2 * swing, top.through = 0;
  int some = std::min(left, int(r.below(4)));
  left -= some;
  if (some > 0) grid(p, r, inset(top, 8), some);
  left += some;
  Spot under = s.under(p);
  under.depth = 0.25 * h, under.through = 0;
  if (left > 0) grid(p, r, inset(under, 6), left);
  return p;
}

}  // namespace

Part make(const std::string& family, Random& r, int count) {
  if (family == "plate") return plate(r, count);
  if (family == "block") return block(r, count);
  if (family == "bracket") return bracket(r, count);
  if (family == "housing") return housing(r, count);
  return lidded(r, count);
}
