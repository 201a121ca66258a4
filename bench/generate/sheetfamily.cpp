// What parts of sheet look like.
#include <Standard_Failure.hxx>
#include <algorithm>
#include <functional>

#include "family.hpp"
#include "sheet.hpp"

const std::vector<std::string> kSheets = {"angle", "channel", "zed", "hat", "box",
                                          "tabs",  "flat",    "hem", "jog", "tree"};

namespace {

constexpr int kTries = 8;

struct Drawing {
  Sheet s;
  Random& r;
  double t;  // thickness

  // size is a length in thicknesses.
  double size(double lo, double hi) { return r.between(lo * t, std::max(lo, hi) * t, 0.01 * t); }

  bool attempt(const std::function<void()>& change) {
    const Sheet before = s;
    try {
      change();
      return true;
    } catch (const Failed&) {
    } catch (const Standard_Failure&) {
    }
    s = before;
    return false;
  }

  Bend bend() {
    Bend b;
    b.angle = (r.chance(0.65) ? 90 : r.between(30, 135, 1)) * kDegree;
    const double how = r.unit();
    b.radius = how < 0.15 ? 0 : how < 0.35 ? t : size(0.5, 2);
    // Thicker ones are drawn bars.
    b.sharpOuter = b.radius == 0 && t <= 1 && b.angle < 100 * kDegree && r.chance(0.4);
    b.length = size(3, 25);
    b.up = r.chance(0.6);
    return b;
  }

  void start(double length, double width) {
    s.thickness = t;
    s.rim = s.part.tag(), s.bend = s.part.tag();
    s.start(s.part.place, length, width, Outline::rectangle(length, width));
  }

  // fold bends up a share of an edge, with or without reliefs at its ends; it returns whether it did.
  bool fold(size_t flat, int side, double share, const Bend& b) {
    return attempt([&] {
      const double edge = s.flats[flat].edge(side), rest = (1 - share) * edge;
      const double along = rest > 0 ? r.between(-rest / 2, rest / 2, 0.01) : 0;
      const double width = share * edge;
      if (width < 3 * t) throw Failed("a flat is too narrow");
      const double across = size(0.6, 1.5);
      if (rest / 2 - std::abs(along) <= across + t || r.chance(0.4)) {
        if (b.radius == 0 && rest > 0) throw Failed("a flat would lie level with an edge");
      } else
        s.relieve(flat, side, along, width, across, size(0.7, 2), r.chance(0.3));
      const size_t f = s.fold(flat, side, along, width, b);
      if (s.flats[f].length > 4 * t && s.flats[f].width > 4 * t && r.chance(0.4)) {
        const double most = 0.4 * std::min(s.flats[f].length, s.flats[f].width);
        const double c = r.between(0.5 * t, std::max(0.5 * t, std::min(most, 6 * t)), 0.01 * t);
        const bool round = r.chance(0.6);
        for (double y : {-0.5, 0.5})
          if (r.chance(0.8)) s.corner(f, s.flats[f].length / 2, y * s.flats[f].width, c, round);
        s.flats[f].isFree[0] = s.flats[f].isFree[1] = s.flats[f].isFree[3] = false;
      }
      if (b.radius >= 0.5 * t && b.angle <= 100 * kDegree && width > 10 * t && b.length > 8 * t &&
          r.chance(0.2)) {
        const double w = r.between(2 * t, 0.5 * width, 0.01), y = r.between(-0.2, 0.2, 0.01) * width;
        const double before = size(1, 3), behind = size(1, 4);
        s.across(flat, side, along + y, w, before, behind, b);
        // Nothing else may come near it.
        for (double k : {-0.5, 0.0, 0.5}) {
          take(s.flats[f], -b.length / 2, y + k * w, behind + w / 4);
          const double reach = s.flats[flat].reach(side), at = along + y + k * w;
          const double x[] = {reach, -at, -reach, at}, z[] = {at, reach, -at, -reach};
          take(s.flats[flat], x[side], z[side], before + w / 4);
        }
      }
    });
  }

  void take(Flat& f, double x, double y, double radius) { f.taken.push_back({x, y, radius}); }

  // place finds room for a circle on a flat.
  bool place(const Flat& f, double radius, double& x, double& y) {
    const double l = f.length / 2 - radius - 1.2 * t, w = f.width / 2 - radius - 1.2 * t;
    if (l <= 0 || w <= 0) return false;
    for (int i = 0; i < kTries; i++) {
      x = r.between(-l, l, 0.01), y = r.between(-w, w, 0.01);
      if (isFree(f, x, y, radius)) return true;
    }
    return false;
  }
  bool isFree(const Flat& f, double x, double y, double radius) const {
    return std::none_of(f.taken.begin(), f.taken.end(), [&](const Room& o) {
      return std::hypot(x - o.x, y - o.y) < radius + o.radius + t;
    });
  }

  // cut puts something into a flat.
  bool cut(size_t i) {
    return attempt([&] {
      Flat& f = s.flats[i];
      if (f.length == 0) throw Failed("no flat");
      const double most = std::min({0.45 * std::min(f.length, f.width), 15 * t});
      if (most < 1.5 * t) throw Failed("no room");
      const double d = r.between(1.2 * t, most, 0.01);
      double x = 0, y = 0;
      const int64_t what = r.below(24);
      const double l = d * r.between(1.2, 2.5, 0.01);
      const double radius = what < 9 ? d / 2 : what < 20 ? std::hypot(l, d) / 2 : d;
      if (what >= 16 && what < 18) return notch(i, d);
      if (!place(f, radius, x, y)) throw Failed("no room");
      if (what < 9) {
        s.hole(i, x, y, d);
      } else if (what < 11) {
        s.window(i, x, y, Outline::slot(l, d), d / 2);
      } else if (what < 13) {
        s.window(i, x, y, r.chance(0.5) ? Outline::rectangle(l, d) : Outline::rectangle(d, l), 0);
      } else if (what < 15) {
        const double c = r.between(0.1 * d, 0.4 * d, 0.01);
        s.window(i, x, y, Outline::rectangle(l, d, c), c);
      } else if (what < 16) {
        s.window(i, x, y, Outline::regular(r.chance(0.5) ? 3 : 6, d / 2), 0);
      } else if (what < 19) {
        lance(i, x, y, d);
      } else if (what == 20) {
        s.sunk(i, x, y, d, r.between(0.3 * t, 0.8 * t, 0.01 * t));
      } else if (what == 21) {
        s.collared(i, x, y, d, r.between(0.4 * t, 0.8 * t, 0.01 * t), size(0.5, 2));
      } else if (what > 21) {
        s.dimple(i, x, y, d, size(0.5, 2), size(0.3, 1));
      } else {
        const double height = r.between(0.2 * t, 0.6 * t, 0.01 * t);
        s.emboss(i, x, y, r.chance(0.5) ? Outline::circle(d / 2) : Outline::slot(l, d), height);
      }
      take(s.flats[i], x, y, radius);
    });
  }

  void lance(size_t i, double x, double y, double d) {
    if (s.rim == kNone) throw Failed("not bent");
    Bend b = bend();
    b.sharpOuter = false;
    b.angle = std::max(b.angle, 60 * kDegree);
    b.length = size(2, 5);
    if (r.chance(0.5)) {  // the same way as sheet was bent before, so that it is one part to a person
      b.angle = M_PI / 2;
    }
    const double reach = b.radius + 2 * t + b.length * std::max(0.0, std::cos(b.angle));
    if (reach / 2 + t > d) throw Failed("no room");
    s.lance(i, x, y, d, size(0.4, 1), b);
  }

  void notch(size_t i, double d) {
    const int side = int(r.below(4));
    const Flat& f = s.flats[i];
    const double room = f.edge(side) / 2 - d - 2 * t;
    if (!f.isFree[side] || room < 0) throw Failed("no free edge");
    const double along = r.between(-room, room, 0.01), deep = r.between(0.4 * d, 0.9 * d, 0.01);
    const double reach = f.reach(side);
    if (deep > 0.4 * (side % 2 ? f.width : f.length)) throw Failed("too deep");
    const double x[] = {reach, -along, -reach, along}, y[] = {along, reach, -along, -reach};
    if (!isFree(f, x[side], y[side], d)) throw Failed("no room");
    s.notch(i, side, along, d, deep, r.chance(0.5));
    take(s.flats[i], x[side], y[side], 1.2 * d);
  }

  // bores puts a hole through two flats that stand across from each other.
  void bores(size_t i, size_t k) {
    attempt([&] {
      Flat &f = s.flats[i], &g = s.flats[k];
      double x = 0, y = 0;
      const double d = size(2, 8);
      if (!place(f, d / 2, x, y)) throw Failed("no room");
      const gp_Trsf to = g.at.Inverted() * f.at;
      const gp_Pnt p = gp_Pnt(x, y, 0).Transformed(to);
      const double rim = d / 2 + 1.2 * t;
      if (!gp::DZ().Transformed(to).IsParallel(gp::DZ(), 1e-9) || std::abs(p.X()) > g.length / 2 - rim ||
          std::abs(p.Y()) > g.width / 2 - rim || !isFree(g, p.X(), p.Y(), d / 2))
        throw Failed("not across");
      const double air = std::abs(p.Z() + (gp::DZ().Transformed(to).Z() > 0 ? 0 : t)) - t;
      if (air < 0.2 * t || std::abs(air - 2 * d) < 0.2 * d) throw Failed("not clear");
      s.hole(i, x, y, d), s.hole(k, p.X(), p.Y(), d);
      take(f, x, y, d / 2), take(g, p.X(), p.Y(), d / 2);
      if (air > 2 * d) return;
      std::vector<Feature>& all = s.part.features;
      Feature both = all[all.size() - 2];
      both.tags.insert(all.back().tags.begin(), all.back().tags.end());
      both.facts.set("depth", air + 2 * t);
      all.pop_back(), all.back() = both;
    });
  }

  void furnish(int count) {
    for (int n = 0; n < count; n++)
      for (int k = 0; k < kTries && !cut(size_t(r.below(int64_t(s.flats.size())))); k++) {
      }
  }

  void root() {
    const double l = size(8, 60), w = size(8, 60);
    start(l, w);
  }

  // flat is a piece that is not bent.
  void flat() {
    s.thickness = t;
    const double l = size(25, 100), w = size(20, 80);
    const int64_t shape = r.below(5);
    const double corner = shape < 2 ? 0.2 * std::min(l, w) * r.unit() + t : 0;
    const bool isBox = shape == 2 || shape == 3;
    s.start(s.part.place, l, w,
            shape < 2  ? Outline::rectangle(l, w, corner)
            : isBox    ? Outline::rectangle(l, w)
                       : Outline::polygon({{-l / 2, -w / 2},
                                           {l / 2, -w / 2},
                                           {l / 2, w / 6},
                                           {l / 6, w / 2},
                                           {-l / 2, w / 2}}));
    if (shape == 4) {
      s.flats[0].isFree[0] = s.flats[0].isFree[1] = false;
      take(s.flats[0], l / 2, w / 2, 0.5 * std::max(l, w));
    }
    if (corner > 0)
      for (double x : {-0.5, 0.5})
        for (double y : {-0.5, 0.5}) take(s.flats[0], x * l, y * w, corner);
    furnish(1 + int(r.below(10)));
    Feature f;
    f.kind = "Profile", f.sense = Sense::kEither;
    f.direction = gp::DZ().Transformed(s.part.place);
    f.tags.insert(s.sides.begin(), s.sides.end());
    f.tags.insert(s.notches.begin(), s.notches.end());
    f.facts.set("height", t);
    std::vector<Reading> apart, around{{{"Profile"}, {s.sides.begin(), s.sides.end()}, {}}};
    for (Tag side : s.sides) apart.push_back({{"Face"}, {side}, {}});
    for (Tag n : s.notches) apart.push_back({{"Pocket"}, {n}, {}}), around.push_back({{"Pocket"}, {n}, {}});
    if (isBox) f.alternatives.push_back(apart);
    if (!s.notches.empty()) f.alternatives.push_back(around);
    s.part.add(f);
  }

  void draw(const std::string& family) {
    if (family == "flat") return flat();
    Bend b = bend(), c = bend();
    b.up = true;
    root();
    auto must = [](bool ok) {
      if (!ok) throw Failed("a flat has no room");
    };
    const double share = r.chance(0.5) ? 1 : r.between(0.5, 1, 0.01);
    if (family == "angle") {
      must(fold(0, 0, share, b));
    } else if (family == "channel") {
      must(fold(0, 0, share, b)), must(fold(0, 2, share, b));
      if (r.chance(0.3)) c.length = size(3, 6), c.up = true, fold(1, 0, 1, c), fold(2, 0, 1, c);
    } else if (family == "zed") {
      c = b, c.up = false;
      must(fold(0, 0, share, b)), must(fold(r.chance(0.5) ? 0 : 1, r.chance(0.5) ? 2 : 0, share, c));
    } else if (family == "hat") {
      c = b, c.up = false, c.length = size(4, 15);
      must(fold(0, 0, share, b)), must(fold(0, 2, share, b)), must(fold(1, 0, 1, c)), must(fold(2, 0, 1, c));
    } else if (family == "box") {
      const double wide = r.between(0.75, 0.95, 0.01);
      for (int i = 0; i < 4; i++) must(fold(0, i, wide, b) || i > 1);
      c.length = size(3, 6);
      if (r.chance(0.4)) fold(1, 0, 0.9, c), fold(3, 0, 0.9, c);
    } else if (family == "tabs") {
      for (int64_t n = 2 + r.below(4); n > 0; n--) {
        c = bend();
        const int side = int(r.below(4));
        fold(0, side, r.between(0.15, 0.45, 0.01), c);
      }
      must(s.flats.size() > 1);
    } else if (family == "jog") {
      b.angle = std::min(b.angle, 80 * kDegree), b.length = size(1, 4);
      c = b, c.up = false, c.length = size(4, 15);
      must(fold(0, 0, share, b)), must(fold(1, 0, 1, c));
      c = bend();
      fold(r.chance(0.5) ? 0 : 2, r.chance(0.5) ? 2 : 0, 1, c);
    } else if (family == "hem") {
      c.angle = M_PI, c.radius = size(0.3, 1), c.length = size(3, 6), c.sharpOuter = false;
      if (r.chance(0.3)) c.angle = r.between(220, 300, 1) * kDegree, c.radius = size(1, 3), c.length = 0;
      must(fold(0, 0, share, b)), must(fold(r.chance(0.5) ? 0 : 1, r.chance(0.5) ? 2 : 0, 1, c));
    } else {
      for (int64_t n = 3 + r.below(5); n > 0; n--) {
        c = r.chance(0.5) ? b : bend(), c.length = size(5, 25);
        const size_t at = size_t(r.below(int64_t(s.flats.size())));
        const int side = int(r.below(4));
        if (s.flats[at].length > 0 && s.flats[at].isFree[side])
          fold(at, side, r.chance(0.3) ? 1 : r.between(0.3, 0.95, 0.01), c);
      }
      must(s.flats.size() > 2);
    }
    if (s.flats.size() > 2 && r.chance(0.4)) bores(1, 2);
    furnish(int(r.below(10)));
    Feature edges;
    edges.kind = "free", edges.tags = {s.rim, s.bend};
    s.part.add(edges);
  }
};

}  // namespace

Sheet bent(const std::string& family, Random& r) {
  static const double kGauges[] = {0.3, 0.5, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4};
  Drawing d{{}, r, kGauges[r.below(10)]};
  d.s.part.place = somewhere(r);
  d.draw(family);
  return d.s;
}
