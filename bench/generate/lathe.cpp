// Turned parts with milled features: shafts and discs.
#include <BRepAdaptor_Surface.hxx>
#include <algorithm>
#include <cmath>

#include "family.hpp"
#include "interact.hpp"
#include "stock.hpp"

namespace {

// Section is a cylinder or cone of a shaft, from z0 up to z1.
struct Section {
  double z0 = 0, z1 = 0, r0 = 0, r1 = 0;
  Tag tag = kNone;
  double lean() const { return std::atan2(r0 - r1, z1 - z0); }
};

struct Shaft {
  std::vector<Section> sections;  // from the bottom up
  Tag low = kNone, high = kNone;
  double length = 0;
};

// Around is where something lies on the side of a shaft.
struct Around {
  size_t section;
  double z, angle;
};

// raw is the mantle of a turned stock: a profile of its own or with others, a boss round a shoulder, a wall.
void raw(Part& p, Tag t) {
  Feature f;
  f.kind = "Profile";
  f.name = "mantle";
  f.direction = gp::DZ().Transformed(p.place);
  f.sense = Sense::kAny;
  f.tags = {t};
  f.isRaw = true;
  f.measureZ = false;
  f.alternatives = {{{{"Profile", "Boss", "Wall"}, {t}, {}}}};
  p.add(f);
}

Shaft turn(Part& p, Random& r) {
  Shaft s;
  const int n = 1 + int(r.below(4));
  double radius = r.between(9, 22, 0.5), z = 0;
  const int widest = int(r.below(n));
  std::vector<double> radii(static_cast<size_t>(n));
  radii[size_t(widest)] = radius;
  for (int i = widest + 1; i < n; i++) radii[size_t(i)] = radii[size_t(i - 1)] - r.between(1.5, 4, 0.25);
  for (int i = widest - 1; i >= 0; i--) radii[size_t(i)] = radii[size_t(i + 1)] - r.between(1.5, 4, 0.25);
  for (double ri : radii) {
    if (ri < 6) throw Failed("a shaft is too thin");
    const double h = r.between(n == 1 ? 40 : 16, n == 1 ? 90 : 40, 0.5);
    Section part{z, z + h, ri, ri, p.tag()};
    if (r.chance(0.2)) part.r1 = ri - h * std::tan(r.between(2, 6, 0.5) * kDegree);
    if (part.r1 < 5) part.r1 = ri;
    s.sections.push_back(part);
    z += h;
  }
  s.length = z;
  std::vector<Ring> rings;
  for (size_t i = s.sections.size(); i-- > 0;) {
    rings.push_back({s.sections[i].r1, s.sections[i].z1});
    rings.push_back({s.sections[i].r0, s.sections[i].z0});
  }
  const Body plain = turned(rings, false, 0, NAN);
  std::vector<std::pair<Tag, gp_Dir>> planes;
  const Body tagged(plain.shape(), [&](const TopoDS_Face& f, const gp_Pnt& c) {
    for (const Section& part : s.sections)
      if (BRepAdaptor_Surface(f).GetType() != GeomAbs_Plane && c.Z() > part.z0 && c.Z() < part.z1) return part.tag;
    const Tag t = p.tag();
    planes.emplace_back(t, outward(f));
    if (c.Z() < 1e-6) s.low = t;
    if (c.Z() > s.length - 1e-6) s.high = t;
    return t;
  });
  p.body = tagged.moved(p.place);
  for (const auto& [t, n] : planes) p.face(t, n.Transformed(p.place));
  for (const Section& part : s.sections) raw(p, part.tag);
  return s;
}

// beside is a spot on the side of a shaft, its x along the axis and z out of the material.
Spot beside(const Part& p, const Shaft& s, const Around& a) {
  const Section& part = s.sections[a.section];
  const double t = (a.z - part.z0) / (part.z1 - part.z0), radius = part.r0 + t * (part.r1 - part.r0);
  const double lean = part.lean(), c = std::cos(a.angle), d = std::sin(a.angle);
  const gp_Dir normal(std::cos(lean) * c, std::cos(lean) * d, std::sin(lean));
  const gp_Dir along(-std::sin(lean) * c, -std::sin(lean) * d, std::cos(lean));
  Spot spot;
  spot.at = p.place * frame(gp_Pnt(radius * c, radius * d, a.z), normal, along);
  spot.length = part.z1 - part.z0, spot.width = 2 * radius;
  spot.depth = 0.6 * radius, spot.through = 2 * radius / std::cos(lean);
  spot.flat = false, spot.plane = part.tag;
  spot.above = 2 * radius;
  return spot;
}

Around anywhere(Random& r, const Shaft& s, const std::vector<Around>& marks) {
  Around a;
  a.section = size_t(r.below(int64_t(s.sections.size())));
  const Section& part = s.sections[a.section];
  a.z = r.between(part.z0 + 0.15 * (part.z1 - part.z0), part.z1 - 0.15 * (part.z1 - part.z0), 0.01);
  a.angle = r.between(0, 2 * M_PI, 0.01);
  if (marks.empty() || r.chance(0.4)) return a;
  const Around& m = marks[size_t(r.below(int64_t(marks.size())))];
  a.section = m.section;
  const Section& same = s.sections[a.section];
  a.z = std::clamp(m.z + r.between(-8, 8, 0.01), same.z0 + 1, same.z1 - 1);
  a.angle = m.angle + (r.chance(0.3) ? M_PI : 0) + (r.chance(0.4) ? r.between(-0.7, 0.7, 0.01) : 0);
  return a;
}

// keyway is a pocket on the side of a shaft, closed or open at the nearer end of its section.
void keyway(Part& p, Random& r, const Shaft& s, const Around& a) {
  Spot spot = beside(p, s, a);
  const double radius = spot.width / 2;
  PocketSpec q;
  const int64_t shape = r.below(7);
  q.shape = shape < 4 ? PocketSpec::kSlot : shape < 6 ? PocketSpec::kRectangle : PocketSpec::kRegular;
  q.length = r.between(8, std::max(8.0, 0.7 * spot.length), 0.01);
  q.width = r.between(0.35, 0.7, 0.01) * radius;
  if (q.shape == PocketSpec::kSlot) q.length = std::max(q.length, 1.5 * q.width);
  if (q.shape == PocketSpec::kRectangle && r.chance(0.6)) q.corner = r.between(0.5, 0.45 * q.width, 0.05);
  if (q.shape == PocketSpec::kRegular) q.sides = r.chance(0.5) ? 6 : 3, q.length = q.width = 1.4 * q.width;
  const double sag = radius - std::sqrt(radius * radius - q.width * q.width / 4);
  q.depth = sag + r.between(0.12, 0.4, 0.01) * radius;
  if (r.chance(0.15)) q.through = true, spot.through += 2;
  const bool isOpen = q.shape != PocketSpec::kRegular && r.chance(0.35);
  if (isOpen) {  // past the end of the section, or of the shaft
    const Section& part = s.sections[a.section];
    const bool up = r.chance(0.5);
    spot = spot.shifted((up ? part.z1 : part.z0) - a.z + (up ? -1 : 1) * r.between(-0.1, 0.3, 0.01) * q.length, 0, 0);
  }
  const size_t i = pocket(p, spot, q).feature;
  Feature& f = p.features[i];
  f.name = std::string(isOpen ? "open " : "") + (q.through ? "passage" : "keyway") + " across a shaft";
  if (q.shape == PocketSpec::kRegular)
    f.name = q.sides == 6 ? "hexagonal pocket on a shaft" : "triangular pocket on a shaft";
  for (const char* name : {"minCornerRadius", "maxClearingDiameter", "narrowestWidth", "length"}) f.facts.drop(name);
  if (isOpen)
    for (const char* name : {"isOpen", "shape", "width", "isThrough"}) f.facts.drop(name);
  p.expect(i);
}

// flat is a plane along the axis: all along a section, from its end to a shoulder, or between two.
void flat(Part& p, Random& r, const Shaft& s, const Around& a) {
  Spot spot = beside(p, s, a);
  const Section& part = s.sections[a.section];
  const double radius = spot.width / 2;
  PocketSpec q;
  q.width = 2.4 * radius, q.depth = r.between(0.1, 0.5, 0.01) * radius;
  q.length = r.between(0.3, 0.6, 0.01) * spot.length;
  if (r.chance(0.7)) {
    q.length = 2 * (r.between(0.2, 0.7, 0.01) * spot.length + 1);
    spot = spot.shifted((r.chance(0.5) ? part.z1 + 1 : part.z0 - 1) - a.z, 0, 0);
  }
  if (s.sections.size() == 1 && r.chance(0.3)) q.length = 3 * s.length;
  const int both = r.chance(0.35) ? 2 : 1;  // across flats for a wrench
  for (int i = 0; i < both; i++) {
    const gp_Trsf turn = frame(gp::Origin(), gp::DZ(), gp_Dir(std::cos(i * M_PI), std::sin(i * M_PI), 0));
    Spot at = spot;
    at.at = p.place * turn * p.place.Inverted() * spot.at;
    const size_t k = pocket(p, at, q).feature;
    Feature& f = p.features[k];
    f.name = "shaft flat";
    f.facts = Json::object();
    if (f.left.size() == 1 && f.floors.count(f.left.begin()->first)) {
      f.kind = "Face", f.tags = f.floors;
    } else {
      f.facts.set("kind", "Pocket");
      f.facts.set("isOpen", true);
      f.facts.set("isThrough", false);
    }
  }
}

// sideBoss stands on the side of a shaft.
void sideBoss(Part& p, Random& r, const Shaft& s, const Around& a) {
  const Spot spot = beside(p, s, a);
  const double radius = spot.width / 2;
  BossSpec b;
  b.round = r.chance(0.5);
  b.length = r.between(0.4, 0.9, 0.01) * radius, b.width = b.round ? b.length : b.length * r.between(0.6, 1, 0.01);
  if (std::hypot(b.length, b.width) > 0.8 * spot.length) throw Failed("no room for a boss");
  const double half = (b.round ? b.length : std::hypot(b.length, b.width)) / 2;
  b.root = radius - std::sqrt(radius * radius - half * half) + 1;
  b.height = r.between(3, 10, 0.01);
  const Outline o = b.round ? Outline::circle(b.length / 2 + 0.3) : Outline::rectangle(b.length + 0.6, b.width + 0.6);
  const Sides any{0, 0, 0};
  const Body under = prism(o, -b.root - 1, -b.root + 0.4, any).moved(spot.at);
  if (p.body.overlap(under) < volumeOf(under.shape()) * (1 - 1e-6)) throw Failed("a boss would not stand");
  const Body over = prism(o, 0.1, b.height, any).moved(spot.at);
  if (p.body.overlap(over) > 1e-6) throw Failed("a boss would grow into another feature");
  const size_t n = p.features.size();
  const Spot on = boss(p, spot, b, nullptr);
  p.features[n].ifAlone = {"height", "length", "width", "diameter"};
  p.features[n].facts.drop("height");
  p.features[n].measureZ = false;
  p.expect(n);
  if (std::min(on.length, on.width) < 4 || r.chance(0.5)) return;
  Spot at = on;
  at.through = 0, at.depth = b.height + 0.3 * radius, at.above = 5, at.flat = true;
  drill(p, r, at, anyHole(r, at, std::min(on.length, on.width) - 1));
}

// ring cuts a groove round a section.
void ring(Part& p, Random& r, const Shaft& s, const Around& a) {
  const Section& part = s.sections[a.section];
  if (part.lean() != 0) throw Failed("grooves run round cylinders");
  const double w = r.between(1.5, 5, 0.01), d = r.between(0.8, 0.3 * part.r0, 0.01);
  const double z0 = a.z - w / 2, z1 = a.z + w / 2;
  if (z0 < part.z0 + 1 || z1 > part.z1 - 1) throw Failed("no room for a groove");
  const Tag low = p.tag(), high = p.tag(), floor = p.tag(), blend = p.tag();
  Body tool = prism(Outline::circle(part.r0 + 20), z0, z1, {kNone, low, high});
  tool.hollow(prism(Outline::circle(part.r0 - d), z0 - 1, z1 + 1, {floor, kNone, kNone}));
  p.body.cut(tool.moved(p.place));
  if (r.chance(0.3)) {
    std::vector<TopoDS_Edge> rims;
    for (Tag t : {low, high})
      for (const TopoDS_Edge& e : p.body.between(t, part.tag)) rims.push_back(e);
    p.body.blend(rims, r.between(0.3, 0.6, 0.1), blend);
  }
  Feature f;
  f.kind = "Pocket";
  f.name = "groove round a shaft";
  f.direction = gp::DZ().Transformed(p.place);
  f.sense = Sense::kAny;
  f.measureZ = false;
  f.tags = {low, high, floor, blend};
  f.floors = {floor};
  f.facts.set("kind", "Pocket");
  p.add(f);
}

// drilled is a hole into the side of a shaft, or right through it.
void drilled(Part& p, Random& r, const Shaft& s, const Around& a) {
  const Spot spot = beside(p, s, a);
  Spot at = spot;
  if (at.through > 0) at.through += 1;
  HoleSpec h = anyHole(r, at, 0.8 * spot.width);
  h.diameter = std::min(h.diameter, 0.6 * spot.width);
  const size_t i = drill(p, r, at, h);
  if (s.sections[a.section].lean() != 0) p.features[i].facts.drop("entryTiltDeg");
}

// ends are the sites at the ends of a turned part.
Site endOf(const Part& p, double z, bool up, double radius, double depth, Tag plane) {
  Spot spot;
  spot.at = p.place * frame(gp_Pnt(0, 0, z), up ? gp::DZ() : gp::DZ().Reversed(), gp::DX());
  spot.length = spot.width = 2 * radius, spot.depth = depth, spot.plane = plane;
  return {spot, {}};
}

void chamfered(Part& p, Random& r, const Shaft& s) {
  for (int i = 0; i < 2; i++) {
    if (r.chance(0.4)) continue;
    attempt(p, [&] {
      const Section& part = i ? s.sections.back() : s.sections.front();
      const Tag on = i ? s.high : s.low;
      const double c = r.between(0.5, 2, 0.1);
      const gp_Dir up = i ? gp::DZ() : gp::DZ().Reversed();
      const size_t f = edgeChamfer(p, p.body.between(part.tag, on), on, c, c, up.Transformed(p.place), true);
      if (part.lean() != 0) p.features[f].facts.drop("bevel");
    });
  }
}

}  // namespace

Part shaft(Random& r, int count) {
  Part p;
  p.interacts = true;
  p.place = somewhere(r);
  const Shaft s = turn(p, r);
  const bool before = r.chance(0.6);
  if (before) chamfered(p, r, s);
  std::vector<Site> ends = {endOf(p, s.length, true, s.sections.back().r1, 0.4 * s.length, s.high),
                            endOf(p, 0, false, s.sections.front().r0, 0.4 * s.length, s.low)};
  std::vector<Around> marks;
  for (int n = 0; n < count; n++)
    for (int t = 0; t < 6; t++) {
      const Around a = anywhere(r, s, marks);
      const int64_t what = r.below(16);
      Site& end = ends[size_t(r.below(2))];
      const bool done =
          what < 4 ? attempt(p, [&] { keyway(p, r, s, a); })
          : what < 7 ? attempt(p, [&] { flat(p, r, s, a); })
          : what < 8 ? attempt(p, [&] { sideBoss(p, r, s, a); })
          : what < 10 ? attempt(p, [&] { ring(p, r, s, a); })
          : what < 12 ? attempt(p, [&] { drilled(p, r, s, a); })
          : what < 14 ? hole(p, r, end)
          : what < 15 ? closedPocket(p, r, end, false)
                      : r.chance(0.5) ? groove(p, r, end) : channel(p, r, end);
      if (!done) continue;
      if (what < 12) marks.push_back(a);
      break;
    }
  if (!before) chamfered(p, r, s);
  return p;
}

Part disc(Random& r, int count) {
  Part p;
  p.interacts = true;
  p.place = somewhere(r);
  const double radius = r.between(25, 55, 0.5), h = r.between(12, 30, 0.5);
  const Stock s = raise(p, Outline::circle(radius), 2 * radius, 2 * radius, h);
  Spot top = s.plan(p), under = s.under(p);
  top.depth = 0.45 * h, under.depth = 0.4 * h;
  std::vector<Site> sites = {{top, {}}, {under, {}}};
  auto centre = [&](double length) {  // something coaxial, which others are then aimed at
    sites[0].marks.push_back({0, 0, length, length, 0, kNone});
  };
  if (r.chance(0.4))
    attempt(p, [&] {
      BossSpec b;
      b.length = b.width = r.between(0.5, 1.1, 0.01) * radius, b.height = r.between(4, 20, 0.1);
      if (r.chance(0.3)) b.foot = r.between(0.5, 2, 0.1);
      const size_t n = p.features.size();
      const Spot on = boss(p, top, b, nullptr);
      p.features[n].ifAlone = {"height", "length", "width", "diameter"};
      p.features[n].measureZ = false;
      p.expect(n);
      centre(b.length);
      Spot hub = on;
      hub.above = 25, hub.length = hub.width = b.length;
      sites.push_back({hub, {}});
    });
  if (r.chance(0.5))
    attempt(p, [&] {
      Spot at = sites.size() > 2 ? sites[2].spot : top;
      at.above = 25;
      HoleSpec bore = anyHole(r, at, 0.5 * radius);
      drill(p, r, at, bore);
    });
  for (int n = 0; n < count; n++)
    for (int t = 0; t < 6 && !draw(p, r, sites); t++) {
    }
  return p;
}
