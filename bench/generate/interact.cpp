#include "interact.hpp"

#include <Standard_Failure.hxx>
#include <TopExp.hxx>
#include <TopoDS_Vertex.hxx>
#include <algorithm>
#include <cmath>

namespace {

constexpr double kClear = 25;  // mm, how high tools reach over the plane they are used on

// anywhere within half a size, to a hundredth so that hardly ever two features have a plane in common.
double within(Random& r, double size) { return r.between(-size / 2, size / 2, 0.01); }

// border is a point on the outline of a mark.
Point border(Random& r, const Mark& m) {
  const double side = r.chance(0.5) ? 0.5 : -0.5;
  if (r.chance(m.width / (m.length + m.width))) return {m.x + side * m.length, m.y + within(r, m.width)};
  return {m.x + within(r, m.length), m.y + side * m.width};
}

// remember notes what was drawn where.
void remember(Site& s, const Aim& a, double length, double width, double depth, Tag floor) {
  s.marks.push_back({a.x, a.y, length, width, depth > 0 ? a.base + depth : 0, floor});
}

// crossed says of an open pocket or a channel what is not known once others take from it.
void crossed(Feature& f) {
  f.ifAlone = {"volume", "length", "width", "narrowestWidth", "maxClearingDiameter", "depth", "minCornerRadius",
               "islandCount", "floorRadius", "shape"};
}

}  // namespace

bool attempt(Part& p, const std::function<void()>& change) {
  const Part before = p;
  try {
    change();
    p.stand();
    return true;
  } catch (const Failed&) {
  } catch (const Standard_Failure&) {
  }
  p = before;
  return false;
}

Aim aim(Random& r, const Site& s, double length, double width) {
  Aim a;
  const double l = s.spot.length, w = s.spot.width;
  a.x = within(r, std::max(0.0, l - length - 4)), a.y = within(r, std::max(0.0, w - width - 4));
  if (!s.marks.empty() && r.chance(0.75)) {
    const Mark& m = s.marks[size_t(r.below(int64_t(s.marks.size())))];
    const Point at = border(r, m);
    switch (r.below(6)) {
      case 0:
      case 1:  // across its border
        a.x = at.x, a.y = at.y;
        break;
      case 2: {  // beside it, with a thin wall between
        const double gap = r.between(0.6, 3, 0.01);
        if (r.chance(0.5))
          a.x = m.x + (r.chance(0.5) ? 1 : -1) * ((m.length + length) / 2 + gap), a.y = m.y + within(r, m.width);
        else
          a.y = m.y + (r.chance(0.5) ? 1 : -1) * ((m.width + width) / 2 + gap), a.x = m.x + within(r, m.length);
        break;
      }
      case 3:  // in it
        a.x = m.x + within(r, 0.7 * m.length), a.y = m.y + within(r, 0.7 * m.width);
        a.base = m.depth;
        break;
      case 4:  // in it and across its border
        a.x = at.x, a.y = at.y, a.base = m.depth;
        break;
      default:  // round it or over all of it
        a.x = m.x + within(r, 0.3 * m.length), a.y = m.y + within(r, 0.3 * m.width);
    }
  }
  a.spot = s.spot.shifted(a.x, a.y, -a.base);
  a.spot.length = length, a.spot.width = width;
  a.spot.depth = s.spot.depth - a.base, a.spot.above = kClear + a.base;
  a.spot.through = s.spot.through > 0 ? s.spot.through - a.base : 0;
  if (a.spot.depth < 2) throw Failed("no room");
  return a;
}

bool hole(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    const double size = r.between(6, 18, 0.1);
    Aim a = aim(r, s, size, size);
    if (r.chance(0.15)) {  // at the border of the site
      const bool along = r.chance(0.5);
      (along ? a.x : a.y) = (along ? s.spot.length : s.spot.width) / 2 * (r.chance(0.5) ? 1 : -1) +
                            (r.chance(0.5) ? 1 : -1) * r.between(0.06, 0.3, 0.01) * size;
      const Spot spot = s.spot.shifted(a.x, a.y, 0);
      a.spot.at = spot.at, a.base = 0;
    }
    HoleSpec h = anyHole(r, a.spot, size);
    drill(p, r, a.spot, h);
    remember(s, a, size, size, h.through ? 0 : h.depth, kNone);
  });
}

bool closedPocket(Part& p, Random& r, Site& s, bool through) {
  return attempt(p, [&] {
    const double l = r.between(8, 34, 0.01), w = r.between(7, 24, 0.01);
    Aim a = aim(r, s, l, w);
    PocketSpec q = anyPocket(r, a.spot, through);
    q.length += r.between(0, 0.49, 0.01), q.width += r.between(0, 0.49, 0.01);
    if (r.chance(0.25) && q.shape != PocketSpec::kSlot) {
      q.shape = PocketSpec::kRegular, q.corner = 0, q.fillet = 0;
      q.sides = r.chance(0.5) ? 3 : 6;
      q.width = q.length = std::min(l, w);
    }
    if (through && a.spot.through <= 0) throw Failed("no way through");
    Spot at = a.spot;
    double x = q.length, y = q.width;
    if (r.chance(0.3)) at = at.turned(M_PI / 2), std::swap(x, y);
    else if (r.chance(0.2)) at = at.turned(r.between(5, 85, 0.5) * kDegree);
    const Hollow h = pocket(p, at, q);
    // A passage that a side of the part breaks open opposite one of its walls is a dovetail seen from there.
    if (through && q.shape == PocketSpec::kRegular && q.sides == 3) {
      Feature& f = p.features[h.feature];
      f.alternatives.push_back({{{"Dovetail"}, f.tags, {}}});
    }
    if (!at.flat) p.expect(h.feature);
    remember(s, a, x, y, through ? 0 : q.depth, h.floor.plane);
  });
}

bool openPocket(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    const int side = int(r.below(4));
    Spot at = s.spot.turned(side * M_PI / 2);
    if (side % 2) std::swap(at.length, at.width);
    PocketSpec q;
    q.length = r.between(8, 30, 0.01), q.width = r.between(8, 0.4 * at.width, 0.01);
    q.depth = r.between(2, s.spot.depth, 0.01);
    q.through = s.spot.through > 0 && r.chance(0.25);
    const int64_t shape = r.below(8);
    if (shape < 4)
      q.corner = r.chance(0.3) ? 0 : r.between(1, 0.48 * std::min(q.width, q.length), 0.01);
    else if (shape < 6)
      q.shape = PocketSpec::kSlot, q.length = std::max(q.length, 1.4 * q.width);
    else
      q.shape = PocketSpec::kRegular, q.sides = shape == 6 ? 3 : 6, q.length = q.width;
    if (q.corner > 2 && !q.through && r.chance(0.3))
      q.fillet = r.between(0.5, std::min(0.6 * q.corner, 0.5 * q.depth), 0.1);
    const double room = at.width - q.width - 4;
    if (room <= 0) throw Failed("no room");
    const double reach = q.shape == PocketSpec::kRectangle ? q.length / 2 - q.corner : 0.2 * q.length;
    const double y = within(r, room);
    Spot spot = at.shifted(at.length / 2 - r.between(0, std::max(0.5, 0.8 * reach), 0.01), y, 0);
    spot.above = kClear, spot.depth = s.spot.depth, spot.through = s.spot.through;
    const Hollow h = pocket(p, spot, q);
    Feature& f = p.features[h.feature];
    f.name = "open " + f.name;
    f.facts = Json::object();
    f.facts.set("kind", "Pocket");
    f.facts.set("isOpen", true);
    f.facts.set("isThrough", q.through);
    f.needs.clear();
    // What narrows towards the side is a dovetail seen from there.
    if (q.shape == PocketSpec::kRegular && q.sides == 3) f.alternatives = {{{{"Dovetail"}, f.tags, {}}}};
    Aim a;
    const double half = at.length / 2, c = std::cos(side * M_PI / 2), d = std::sin(side * M_PI / 2);
    a.x = c * half - d * y, a.y = d * half + c * y;
    remember(s, a, side % 2 ? q.width : q.length, side % 2 ? q.length : q.width, q.through ? 0 : q.depth,
             h.floor.plane);
  });
}

namespace {

// lengthwise is a spot for a channel along one of the sides of a site, at x from its middle.
Spot lengthwise(Random& r, const Site& s, double width, bool& turned) {
  turned = r.chance(0.5);
  Spot at = turned ? s.spot.turned(M_PI / 2) : s.spot;
  if (turned) std::swap(at.length, at.width);
  at = at.shifted(within(r, std::max(0.0, at.length - width - 6)), 0, 0);
  at.above = kClear;
  return at;
}

void rememberLine(Site& s, const Spot& at, bool turned, double width, double length, double depth, Tag floor) {
  const gp_Pnt c = gp_Pnt(0, 0, 0).Transformed(s.spot.at.Inverted() * at.at);
  s.marks.push_back({c.X(), c.Y(), turned ? length : width, turned ? width : length, depth, floor});
}

}  // namespace

namespace {

// cornerCut takes a triangle or part of a circle out of a corner of the site.
Hollow cornerCut(Part& p, Random& r, const Spot& at, double depth) {
  const double x = at.length / 2, y = at.width / 2;
  if (r.chance(0.5)) {
    const double a = r.between(8, 20, 0.01), b = r.between(8, 20, 0.01), o = 2;
    // The long side goes on beyond the part, where the tool's other corners lie.
    const Outline tip = Outline::polygon(
        {{x + o, y - b - o * b / a}, {x + o, y + o}, {x - a - o * a / b, y + o}});
    return corner(p, at, "triangular blind step", tip, depth);
  }
  gp_Trsf to;
  to.SetTranslation(gp_Vec(x + r.between(-3, 3, 0.01), y + r.between(-3, 3, 0.01), 0));
  Outline o = Outline::circle(r.between(8, 18, 0.01));
  o.wire = TopoDS::Wire(o.wire.Moved(TopLoc_Location(to)));
  return corner(p, at, "circular blind step", o, depth);
}

}  // namespace

bool channel(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    bool turned = false;
    const double w = r.between(4, 16, 0.01), d = r.between(2, s.spot.depth, 0.01);
    Spot at = lengthwise(r, s, w, turned);
    Hollow h;
    double length = at.width;
    switch (r.below(10)) {
      case 0:
      case 1:
      case 2: {
        ChannelSpec c;
        c.width = w, c.depth = d;
        c.fillet = r.chance(0.25) ? r.between(0.4, std::min(0.3 * w, 0.4 * d), 0.1) : 0;
        if (r.chance(0.5))
          c.openEnds = 1, c.stop = r.between(-0.35, 0.3, 0.01) * at.width, c.round = r.chance(0.6),
          length = at.width / 2 - c.stop;
        if (c.openEnds == 1 && r.chance(0.5)) at = at.turned(M_PI);
        h = slot(p, at, c);
        break;
      }
      case 3:
      case 4: {
        const double edge = at.length / 2 - w;
        at = s.spot.turned((turned ? 1 : 0) * M_PI / 2 + (r.chance(0.5) ? M_PI : 0));
        if (turned) std::swap(at.length, at.width);
        at.above = kClear;
        if (r.chance(0.25))
          h = slantedStep(p, at, edge, d, r.between(25, 50, 1));
        else
          h = step(p, at, edge, d, r.chance(0.3) ? r.between(0.5, 0.4 * d, 0.1) : 0);
        at = at.shifted(edge + w / 2, 0, 0);
        break;
      }
      case 5:
      case 6: {
        const int64_t side = r.below(4);
        at = s.spot.turned(double(side) * M_PI / 2);
        if (side % 2) std::swap(at.length, at.width);
        at.above = kClear;
        if (r.chance(0.4)) {
          h = cornerCut(p, r, at, d);
          at = at.shifted(at.length / 2 - 6, at.width / 2 - 6, 0);
          length = w;
          break;
        }
        const double x = at.length / 2 - r.between(8, 20, 0.01), y = r.between(-0.2, 0.35, 0.01) * at.width;
        h = notch(p, at, x, y, d, r.chance(0.6) ? r.between(1, 7, 0.01) : 0);
        break;
      }
      case 7:
        h = ballSlot(p, at, w, r.chance(0.3) ? w / 2 : w / 2 + r.between(0.5, 6, 0.01));
        break;
      default:
        h = vee(p, at, w, r.between(30, 60, 1));
    }
    crossed(p.features[h.feature]);
    rememberLine(s, at, turned, w, length, d, h.floor.plane);
  });
}

bool undercut(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    bool turned = false;
    const double w = r.between(5, 14, 0.01), d = r.between(5, std::max(5.0, s.spot.depth), 0.01);
    const bool isTslot = r.chance(0.55);
    const double reach = r.between(1.5, 4, 0.01), lean = r.chance(0.5) ? 60 : r.chance(0.5) ? 55 : 45;
    const double foot = isTslot ? reach : d / std::tan(lean * kDegree);
    if (w < 0.25 * (w + 2 * foot)) throw Failed("no cutter has so thin a neck");
    Spot at = lengthwise(r, s, w + 2 * foot, turned);
    if (r.chance(0.5)) at = at.turned(M_PI);
    size_t f;
    if (isTslot) {
      const double sink = r.between(0.25, 0.6, 0.01) * d;
      f = tslot(p, at, w, sink, w + 2 * reach, d - sink, r.chance(0.7) ? 2 : 1, -0.2 * at.width);
    } else {
      f = dovetail(p, at, w, lean, d, r.chance(0.2) ? 0.5 : 0);
    }
    p.features[f].ifAlone = {"openEnds", "neckDepth", "depth"};
    if (!isTslot) p.features[f].ifAlone.push_back("neckWidth");  // others may cut the flanks down
    rememberLine(s, at, turned, w, at.width, d, kNone);
  });
}

namespace {

// stands throws Failed unless a boss stands wholly on material, with nothing round it that it grows into.
void stands(const Part& p, const Spot& s, const BossSpec& b) {
  const double grow = 2 * (b.foot + b.height * std::tan(b.draft * kDegree)) + 0.6;
  const Outline o = b.round ? Outline::circle((b.length + grow) / 2)
                            : Outline::rectangle(b.length + grow, b.width + grow);
  const Sides any{0, 0, 0};
  const Body under = prism(o, -0.6, -0.1, any).moved(s.at), over = prism(o, 0.1, b.height, any).moved(s.at);
  const double v = volumeOf(under.shape());
  if (p.body.overlap(under) < v * (1 - 1e-6)) throw Failed("a boss would not stand");
  if (p.body.overlap(over) > 1e-6) throw Failed("a boss would grow into another feature");
}

}  // namespace

bool stud(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    const double size = r.between(6, 22, 0.01);
    Aim a = aim(r, s, size, size);
    BossSpec b;
    b.round = r.chance(0.45);
    b.length = size * r.between(0.5, 0.9, 0.01), b.width = b.round ? b.length : b.length * r.between(0.5, 1, 0.01);
    b.height = r.between(2, 14, 0.01);
    if (!b.round && r.chance(0.5)) b.corner = r.between(0.5, 0.3 * b.width, 0.05);
    const int64_t extra = r.below(6);
    if (extra < (b.round ? 2 : 1)) b.draft = std::min(r.between(2, 12, 0.5), 0.5 * b.width / b.height / kDegree / 2);
    const double most = std::min({2.0, 0.3 * b.height, 0.15 * b.width});
    if (extra == 2 && most >= 0.4 && (b.round || b.corner > 0)) b.foot = r.between(0.4, most, 0.1);
    if (extra == 3 && most >= 0.4) b.top = BossSpec::kChamfered;
    if (extra == 4 && most >= 0.4 && (b.round || b.corner > most)) b.top = BossSpec::kRounded;
    b.edge = std::max(0.4, most * 0.8);
    if (a.base == 0 && r.chance(0.4)) {  // by the border of the site
      const double gap = r.between(0.5, 3, 0.01);
      if (r.chance(0.5))
        a.x = (r.chance(0.5) ? 1 : -1) * (s.spot.length / 2 - b.length / 2 - gap - b.foot);
      else
        a.y = (r.chance(0.5) ? 1 : -1) * (s.spot.width / 2 - (b.round ? b.length : b.width) / 2 - gap - b.foot);
      a.spot.at = s.spot.shifted(a.x, a.y, 0).at;
    }
    stands(p, a.spot, b);
    const size_t n = p.features.size();
    const Spot on = boss(p, a.spot, b, nullptr);
    p.features[n].ifAlone = {"height", "length", "width", "diameter"};
    p.features[n].measureZ = false;
    p.expect(n);
    remember(s, a, b.length, b.round ? b.length : b.width, 0, kNone);
    if (std::min(on.length, on.width) >= 4 && r.chance(0.4)) {
      Spot at = on;
      at.above = kClear;
      at.through = 0, at.depth = b.height + 0.5 * s.spot.depth;
      drill(p, r, at, anyHole(r, at, std::min(on.length, on.width) - 1));
      remember(s, a, on.length, on.width, 0, kNone);
    }
  });
}

bool groove(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    GrooveSpec g;
    g.length = r.between(12, 34, 0.01), g.width = r.chance(0.5) ? g.length : r.between(12, 28, 0.01);
    g.round = r.chance(0.6);
    if (g.round) g.width = g.length;
    g.across = r.between(2, 4.5, 0.01), g.depth = r.between(1.2, 4, 0.01);
    g.corner = r.between(g.across + 1, std::max(g.across + 1, 0.45 * std::min(g.length, g.width)), 0.01);
    g.rim = r.chance(0.35) ? r.between(0.3, 0.8, 0.1) : 0;
    const Aim a = aim(r, s, g.length, g.width);
    const size_t f = ringGroove(p, a.spot, g);
    if (g.rim > 0) p.expect(f);
    remember(s, a, g.length, g.width, 0, kNone);
  });
}

namespace {

// chain returns those edges that hang together with the first.
std::vector<TopoDS_Edge> chain(std::vector<TopoDS_Edge> edges) {
  std::vector<TopoDS_Edge> out = {edges.front()};
  edges.erase(edges.begin());
  for (size_t i = 0; i < out.size(); i++)
    for (size_t k = edges.size(); k-- > 0;) {
      TopoDS_Vertex common;
      if (!TopExp::CommonVertex(out[i], edges[k], common)) continue;
      out.push_back(edges[k]);
      edges.erase(edges.begin() + long(k));
    }
  return out;
}

}  // namespace

bool edges(Part& p, Random& r, Site& s) {
  return attempt(p, [&] {
    // The rim of something: the edges between the plane and one other feature.
    std::vector<size_t> some;
    for (size_t i = 0; i < p.features.size(); i++) {
      if (p.features[i].kind != "Pocket" || p.features[i].name == "V-groove") continue;
      for (Tag t : p.features[i].tags)
        if (!p.body.between(t, s.spot.plane).empty()) {
          some.push_back(i);
          break;
        }
    }
    if (some.empty()) throw Failed("nothing has a rim");
    const size_t of = some[size_t(r.below(int64_t(some.size())))];
    std::vector<TopoDS_Edge> rim;
    for (Tag t : p.features[of].tags)
      for (const TopoDS_Edge& e : p.body.between(t, s.spot.plane)) rim.push_back(e);
    const double c = r.between(0.5, 1.2, 0.1);
    if (r.chance(0.3)) {  // a rounding is of the pocket whose wall ends in it
      const Tag blend = p.tag();
      p.body.blend(chain(rim), c, blend);
      Feature& f = p.features[of];
      f.tags.insert(blend);
      f.left[blend] = p.body.left()[blend];
      f.facts.drop("depth");
      for (const char* name : {"isOpen", "shape", "length", "width"}) f.facts.drop(name);
      return;
    }
    edgeChamfer(p, chain(rim), s.spot.plane, c, c, s.spot.up(), false);
  });
}
