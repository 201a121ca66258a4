#include "layout.hpp"

#include <algorithm>
#include <cmath>

namespace {

constexpr double kGap = 3;  // mm, between what must not meet

// hollow is a pocket with something in its floor or round its rim.
void hollow(Part& p, Random& r, const Spot& cell, int& left) {
  Spot s = cell;
  const int64_t with = left > 1 ? r.below(7) : 6;
  if (with < 4) s.depth = std::max(3.0, 0.6 * cell.depth);
  PocketSpec q = anyPocket(r, s, false);
  if (with < 4 && q.shape != PocketSpec::kRectangle) q.shape = PocketSpec::kSlot;
  if (q.shape == PocketSpec::kSlot) q.width = std::min(q.width, 0.6 * q.length), q.fillet = 0, q.corner = 0;
  const Hollow h = pocket(p, s, q);
  left--;
  Spot f = h.floor;
  f.depth = cell.depth - q.depth;
  const double room = std::min(f.length, f.width);
  if (with < 2 && room >= 5) {
    drill(p, r, f, anyHole(r, f, room - 1));
    left--;
  } else if (with == 2 && room >= 8 && q.depth > 3) {
    BossSpec b = anyBoss(r, f, q.depth - 0.7);
    b.length = std::min(b.length, f.length - 3);
    const Spot on = boss(p, f, b, const_cast<Hollow*>(&h));
    left -= b.top == BossSpec::kChamfered ? 2 : 1;
    if (left > 0 && r.chance(0.4) && std::min(on.length, on.width) >= 4) {
      drill(p, r, on, anyHole(r, on, std::min(on.length, on.width) - 1));
      left--;
    }
  } else if (with == 3 && room >= 10 && f.depth >= 3) {
    Spot in = f;
    in.length -= 2, in.width -= 2;
    PocketSpec deeper = anyPocket(r, in, f.through > 0 && r.chance(0.3));
    deeper.length = std::min(deeper.length, in.length), deeper.width = std::min(deeper.width, in.width);
    pocket(p, in, deeper);
    left--;
  } else if (with == 4) {
    rim(p, r, s, h);
    left--;
  }
}

void stud(Part& p, Random& r, const Spot& cell, int& left) {
  const BossSpec b = anyBoss(r, cell, r.between(4, 14, 0.1));
  const Spot on = boss(p, cell, b, nullptr);
  left -= b.top == BossSpec::kChamfered ? 2 : 1;
  if (left > 0 && r.chance(0.5) && std::min(on.length, on.width) >= 4) {
    drill(p, r, on, anyHole(r, on, std::min(on.length, on.width) - 1));
    left--;
  }
}

void pattern(Part& p, Random& r, const Spot& cell, int& left) {
  const int n = int(std::min<int64_t>(left, 2 + r.below(3)));
  Spot sub = cell;
  sub.length = cell.length / 2 - kGap, sub.width = cell.width / 2 - kGap;
  const HoleSpec h = anyHole(r, sub, std::min(sub.length, sub.width) - 1);
  for (int i = 0; i < n; i++) {
    Random same(uint64_t(1000 * h.diameter));  // all of the pattern are alike
    drill(p, same, cell.shifted((i % 2 ? 1 : -1) * cell.length / 4, (i < 2 ? 1 : -1) * cell.width / 4, 0), h);
    left--;
  }
}

// leaning drills at an angle to the plane. How deep it is, from where, is not ours to say.
void leaning(Part& p, Random& r, const Spot& cell, int& left) {
  const double tilt = r.between(8, 35, 0.5), across = std::min(cell.length, cell.width);
  HoleSpec h;
  h.diameter = r.between(3, std::min(8.0, 0.3 * across), 0.1);
  h.depth = std::min(0.8 * cell.depth, 0.4 * across / std::sin(tilt * kDegree));
  h.bottom = r.chance(0.5) ? "conical" : "flat";
  if (h.depth + 0.5 * h.diameter > cell.depth) throw Failed("no room for a leaning hole");
  Spot s = cell;
  gp_Trsf lean;
  lean.SetRotation(gp_Ax1(gp::Origin(), gp_Dir(1, 0, 0)), tilt * kDegree);
  s.at = cell.at * lean;
  s.above = 1 + h.diameter;
  Feature& f = p.features[drill(p, r, s, h)];
  f.measureZ = false;
  for (const char* name : {"depth", "center", "segments"}) f.facts.drop(name);
  f.facts.set("entryTiltDeg", tilt);
  left--;
}

void fill(Part& p, Random& r, const Spot& cell, int& left) {
  const double across = std::min(cell.length, cell.width);
  const int64_t what = r.below(20);
  if (cell.flat && what < 8) return hollow(p, r, cell, left);
  if (cell.flat && what < 12) return stud(p, r, cell, left);
  if (what < 14 && cell.through > 0) {
    pocket(p, cell, anyPocket(r, cell, true));
    left--;
    return;
  }
  if (what < 16 && left > 1 && across > 16 && cell.flat) return pattern(p, r, cell, left);
  if (what == 16 && cell.flat && cell.depth > 6) return leaning(p, r, cell, left);
  drill(p, r, cell, anyHole(r, cell, 0.8 * across));
  left--;
}

}  // namespace

void grid(Part& p, Random& r, const Spot& region, int& left) {
  const double size = r.between(20, 34, 1);
  const int nx = int(region.length / size), ny = int(region.width / size);
  if (nx < 1 || ny < 1) return;
  std::vector<int> order;
  for (int i = 0; i < nx * ny; i++) order.push_back(i);
  for (size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[size_t(r.below(int64_t(i)))]);
  for (int i : order) {
    if (left <= 0) return;
    const double l = region.length / nx, w = region.width / ny;
    Spot cell =
        region.shifted((i % nx + 0.5) * l - region.length / 2, (i / nx + 0.5) * w - region.width / 2, 0);
    cell.length = l - kGap, cell.width = w - kGap;
    if (r.chance(0.2)) {  // askew, within the largest square or so that still fits
      const double within = std::min(cell.length, cell.width) * 0.75;
      cell = cell.turned(r.between(5, 40, 1) * kDegree);
      cell.length = cell.width = within;
    }
    fill(p, r, cell, left);
  }
}

namespace {

// pierced drills from the +x side through a slot into what lies behind it.
void pierced(Part& p, Random& r, const Spot& at, const ChannelSpec& c, double outer, int& left) {
  const double least = std::max(3.0, 0.7 * c.width), most = std::min(c.depth - 3, 1.6 * c.width);
  if (most < least) return;  // it would break out of the top, or not be one hole on both sides
  const double d = r.between(least, most, 0.1);
  HoleSpec h;
  h.diameter = d;
  h.depth = outer + c.width + r.between(4, 7, 0.5);
  h.bottom = r.chance(0.5) ? "flat" : "conical";
  Spot side;
  const gp_Pnt target = at.point(c.width / 2 + outer, r.between(-0.25, 0.25, 0.01) * at.width, -c.depth / 2);
  side.at = frame(target, gp::DX().Transformed(at.at), gp::DY().Transformed(at.at));
  const size_t f = drill(p, r, side, h);
  p.features[f].facts.set("crossesVoid", true);
  p.features[f].facts.drop("segments");  // whether the piece in the void counts is not ours to say
  p.features[f].ifAlone.clear();
  left--;
}

// crossing cuts a pocket that a slot runs through, deeper than the slot or less deep.
void crossing(Part& p, Random& r, const Spot& at, const ChannelSpec& c, double room, const Hollow& h,
              int& left) {
  PocketSpec q;
  q.depth = r.chance(0.5) ? c.depth + r.between(1.5, 4, 0.1) : c.depth - r.between(1.2, 2.5, 0.1);
  if (q.depth < 1.5) return;
  q.corner = r.between(1, 3, 0.25);
  q.length = room, q.width = r.between(12, 24, 0.5);
  const Hollow b = pocket(p, at, q);
  left--;
  for (size_t f : {h.feature, b.feature})
    for (const char* name :
         {"isOpen", "narrowestWidth", "maxClearingDiameter", "volume", "length", "width", "shape"})
      p.features[f].facts.drop(name);
}

// undercut makes a T-slot or a dovetail whose +x side is at x and whose neck is w wide. It returns by how
// much it is wider than its neck.
double undercut(Part& p, Random& r, const Spot& top, double x, double w, bool isTslot) {
  const double deepest = top.depth;
  const double d = r.between(std::min(4.0, deepest), deepest, 0.1), sink = std::round(d * 4) / 10;
  const double wide = w + 2 * r.between(2, 4, 0.5), reach = (wide - w) / 2;
  const double lean = r.chance(0.5) ? 60 : 55, foot = d / std::tan(lean * kDegree);
  const double side = isTslot ? reach : foot;
  const Spot at = top.shifted(x - side - w / 2, 0, 0);
  if (isTslot)
    tslot(p, at, w, sink, wide, d - sink, r.chance(0.8) ? 2 : 1, -0.2 * top.width);
  else
    dovetail(p, at, w, lean, d, r.chance(0.3) ? 0.5 : 0);
  return 2 * side;
}

}  // namespace

void lane(Part& p, Random& r, const Stock& stock, const Spot& top, double& taken, int& left) {
  const double x = top.length / 2 - taken, deepest = top.depth;
  enum { kSlot, kBlindSlot, kPierced, kCrossing, kTslot, kDovetail, kStep, kNotch };
  static const int choice[] = {kSlot,     kSlot,     kBlindSlot, kBlindSlot, kPierced, kPierced, kPierced,
                               kPierced,  kCrossing, kCrossing,  kTslot,     kTslot,   kTslot,   kTslot,
                               kDovetail, kDovetail, kDovetail,  kDovetail,  kStep,    kStep,    kNotch};
  const int what = choice[r.below(taken > 0 ? 18 : 21)];  // steps take the side itself
  if (what == kStep || what == kNotch) {
    const double w = r.between(8, 20, 0.5), d = r.between(2, std::min(deepest, 0.7 * w), 0.1);
    if (what == kStep)
      step(p, top, x - w, d, r.chance(0.4) ? r.between(0.5, 0.4 * d, 0.1) : 0);
    else
      notch(p, top, x - w, r.between(-0.2, 0.25, 0.01) * top.width, d,
            r.chance(0.7) ? r.between(1, 5, 0.5) : 0);
    taken += w + kGap, left--;
    return;
  }
  const double w = what == kPierced ? r.between(5, 9, 0.5) : r.between(6, 16, 0.5),
               outer = r.between(6, 12, 0.5);
  ChannelSpec c;
  c.width = w, c.depth = r.between(std::min(3.0, deepest), deepest, 0.1);
  if (what == kPierced && deepest > 8) c.depth = deepest - r.between(0, 1, 0.1);
  if (r.chance(0.3)) c.fillet = r.between(0.5, std::min(0.3 * w, 0.4 * c.depth), 0.1);
  const Spot at = top.shifted(x - outer - w / 2, 0, 0);
  double used = outer + w + kGap;
  if (what == kTslot || what == kDovetail) {
    taken += used + undercut(p, r, top, x - outer, w, what == kTslot), left--;
    return;
  }
  if (what == kBlindSlot) {
    c.openEnds = 1, c.stop = r.between(-0.3, 0.2, 0.01) * top.width, c.round = r.chance(0.7);
    if (c.round) c.fillet = std::min(c.fillet, 0.3 * w);
  }
  const bool piercing = what == kPierced && c.depth >= 8 && left > 1 && stock.isBox && taken == 0;
  if (piercing || what == kCrossing) c.fillet = 0;
  const Hollow h = slot(p, at, c);
  left--;
  if (piercing) {
    pierced(p, r, at, c, outer, left);
    used += 8;
  } else if (what == kCrossing && left > 0 && c.depth > 3) {
    crossing(p, r, at, c, w + 2 * (outer - 2), h, left);
    used += outer;
  } else if (what == kSlot && left > 0 && h.floor.length >= 5 && r.chance(0.6)) {
    const Spot in = h.floor.shifted(0, r.between(-0.3, 0.3, 0.01) * h.floor.width, 0);
    Spot room = in;
    room.width = room.length;
    room.depth = std::max(0.0, top.depth + 3 - c.depth);
    drill(p, r, room, anyHole(r, room, room.length - 0.5));
    left--;
  }
  taken += used;
}

void crossed(Part& p, Random& r, const Spot& top, int& left) {
  ChannelSpec a, b;
  a.width = r.between(6, 14, 0.5), b.width = r.between(6, 14, 0.5);
  a.depth = r.between(2, 0.5 * top.depth, 0.1), b.depth = a.depth + r.between(1.5, 0.5 * top.depth, 0.1);
  Spot t = top.turned(M_PI / 2);
  std::swap(t.length, t.width);
  std::vector<Hollow> h;
  const double x = r.between(-0.2, 0.2, 0.01) * top.length, y = r.between(-0.2, 0.2, 0.01) * top.width;
  h.push_back(slot(p, top.shifted(x, 0, 0), a));
  h.push_back(slot(p, t.shifted(y, 0, 0), b));
  for (const Hollow& f : h)
    for (const char* name : {"narrowestWidth", "maxClearingDiameter"}) p.features[f.feature].facts.drop(name);
  left -= 2;
}
