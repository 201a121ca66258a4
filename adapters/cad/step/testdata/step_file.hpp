// Writing and measuring STEP files with OCCT, shared by the programs that make the test parts and
// the example part. Lengths in the programs are mm whatever unit a file is written in.
#pragma once

#include <APIHeaderSection_MakeHeader.hxx>
#include <BRepAdaptor_Surface.hxx>
#include <BRepBndLib.hxx>
#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <Bnd_Box.hxx>
#include <GProp_GProps.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <ShapeUpgrade_ShapeDivideAngle.hxx>
#include <ShapeUpgrade_ShapeDivideContinuity.hxx>
#include <StepBasic_CalendarDate.hxx>
#include <StepBasic_LocalTime.hxx>
#include <StepBasic_Organization.hxx>
#include <StepBasic_Person.hxx>
#include <StepBasic_Product.hxx>
#include <StepData_StepModel.hxx>
#include <TCollection_HAsciiString.hxx>
#include <TopExp.hxx>
#include <TopExp_Explorer.hxx>
#include <TopTools_IndexedMapOfShape.hxx>
#include <TopoDS.hxx>

#include <array>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>

namespace stepfile {

// Options choose among the forms in which one shape can be written.
struct Options {
  const char* schema = "AP214IS";  // AP203, AP214IS, AP242DIS
  const char* unit = "MM";         // MM, M, INCH
  bool pcurves = true;             // SURFACE_CURVE with PCURVEs, or plain 3D curves
  bool assembly = false;           // compounds become assemblies, or several solids in one shape
  STEPControl_StepModelType as = STEPControl_AsIs;
};

inline Handle(TCollection_HAsciiString) text(const char* s) { return new TCollection_HAsciiString(s); }

// apply sets OCCT's global writing parameters; call it before a writer is constructed.
inline void apply(const Options& o, const std::string& product) {
  STEPControl_Controller::Init();
  Message::DefaultMessenger()->ChangePrinters().Clear();
  Interface_Static::SetCVal("write.step.schema", o.schema);
  Interface_Static::SetCVal("write.step.unit", o.unit);
  Interface_Static::SetIVal("write.surfacecurve.mode", o.pcurves ? 1 : 0);
  Interface_Static::SetIVal("write.step.assembly", o.assembly ? 1 : 0);
  Interface_Static::SetCVal("write.step.product.name", product.c_str());
}

// neutralHeader fills the header with fixed values, so that a file is the same wherever it is made.
inline void neutralHeader(const Handle(StepData_StepModel) & model, const std::string& product) {
  APIHeaderSection_MakeHeader header(model);
  header.SetName(text((product + ".step").c_str()));
  header.SetTimeStamp(text("2026-01-01T00:00:00"));
  header.SetAuthorValue(1, text(""));
  header.SetOrganizationValue(1, text(""));
  header.SetPreprocessorVersion(text("Open CASCADE Technology"));
  header.SetOriginatingSystem(text("millwright test parts"));
  header.SetAuthorisation(text(""));
  header.SetDescriptionValue(1, text(product.c_str()));
}

// neutralData drops from the data section what OCCT takes from its surroundings: the counter in the
// name of a part, and in AP203 files user, machine and time.
inline void neutralData(const Handle(StepData_StepModel) & model, const std::string& product) {
  for (int i = 1; i <= model->NbEntities(); i++) {
    Handle(Standard_Transient) entity = model->Value(i);
    if (auto p = Handle(StepBasic_Product)::DownCast(entity); !p.IsNull() && !product.empty()) {
      p->SetId(text(product.c_str()));
      p->SetName(text(product.c_str()));
    } else if (auto person = Handle(StepBasic_Person)::DownCast(entity); !person.IsNull()) {
      person->SetId(text("1"));
      person->SetLastName(text("unknown"));
      person->SetFirstName(text("unknown"));
    } else if (auto group = Handle(StepBasic_Organization)::DownCast(entity); !group.IsNull()) {
      group->SetId(text("1"));
    } else if (auto day = Handle(StepBasic_CalendarDate)::DownCast(entity); !day.IsNull()) {
      day->SetYearComponent(2026);
      day->SetMonthComponent(1);
      day->SetDayComponent(1);
    } else if (auto time = Handle(StepBasic_LocalTime)::DownCast(entity); !time.IsNull()) {
      time->SetHourComponent(0);
      time->SetMinuteComponent(0);
    }
  }
}

// write writes one shape as PRODUCT.step in dir and returns the path.
inline std::string write(const TopoDS_Shape& s, const std::string& dir, const std::string& product,
                         const Options& o = {}) {
  if (o.as == STEPControl_AsIs && !BRepCheck_Analyzer(s).IsValid())
    throw std::runtime_error(product + ": invalid shape");
  apply(o, product);
  STEPControl_Writer w;
  if (w.Transfer(s, o.as) != IFSelect_RetDone) throw std::runtime_error(product + ": not transferred");
  neutralHeader(w.Model(), product);
  neutralData(w.Model(), product);
  std::string path = dir + "/" + product + ".step";
  if (w.Write(path.c_str()) != IFSelect_RetDone) throw std::runtime_error(path + ": not written");
  return path;
}

// Measured is what OCCT finds in a file: counts over all instances, exact figures in mm.
struct Measured {
  int solids = 0, shells = 0, faces = 0, edges = 0, vertices = 0;
  double volume = 0, area = 0;
  std::array<double, 3> centroid{};
  std::array<double, 6> bounds{};  // min x y z, max x y z
  std::map<std::string, int> surfaces;
};

inline int instances(const TopoDS_Shape& s, TopAbs_ShapeEnum kind) {
  int n = 0;
  for (TopExp_Explorer e(s, kind); e.More(); e.Next()) n++;
  return n;
}

// distinct counts shared edges and vertices once, but once for every placement in an assembly.
inline int distinct(const TopoDS_Shape& s, TopAbs_ShapeEnum kind) {
  TopTools_IndexedMapOfShape m;
  TopExp::MapShapes(s, kind, m);
  return m.Extent();
}

inline const char* surfaceName(GeomAbs_SurfaceType t) {
  switch (t) {
    case GeomAbs_Plane: return "plane";
    case GeomAbs_Cylinder: return "cylinder";
    case GeomAbs_Cone: return "cone";
    case GeomAbs_Sphere: return "sphere";
    case GeomAbs_Torus: return "torus";
    case GeomAbs_BSplineSurface: return "bspline";
    case GeomAbs_SurfaceOfRevolution: return "revolution";
    case GeomAbs_SurfaceOfExtrusion: return "extrusion";
    case GeomAbs_OffsetSurface: return "offset";
    default: return "other";
  }
}

// smoothPieces cuts the faces of a shape into pieces without knots inside that turn little. OCCT's
// Gauss integration is exact to about 1e-8 on those; on whole faces it was seen to err by 1e-3.
inline TopoDS_Shape smoothPieces(const TopoDS_Shape& s) {
  ShapeUpgrade_ShapeDivideContinuity knots(s);
  knots.SetBoundaryCriterion(GeomAbs_C2);
  knots.SetPCurveCriterion(GeomAbs_C2);
  knots.SetSurfaceCriterion(GeomAbs_CN);
  knots.SetTolerance(1e-7);  // mm
  knots.Perform();
  ShapeUpgrade_ShapeDivideAngle turns(0.4, knots.Result());  // rad
  turns.Perform();
  return turns.Result();
}

// measureShape measures a shape as it is in memory.
inline Measured measureShape(const TopoDS_Shape& s) {
  Measured m;
  if (s.IsNull()) return m;
  m.solids = instances(s, TopAbs_SOLID);
  m.shells = instances(s, TopAbs_SHELL);
  m.faces = instances(s, TopAbs_FACE);
  m.edges = distinct(s, TopAbs_EDGE);
  m.vertices = distinct(s, TopAbs_VERTEX);
  TopoDS_Shape pieces = m.faces ? smoothPieces(s) : s;
  GProp_GProps volume, area;
  if (m.solids) BRepGProp::VolumeProperties(pieces, volume);
  if (m.faces) BRepGProp::SurfaceProperties(pieces, area);
  m.volume = volume.Mass();
  m.area = area.Mass();
  gp_Pnt c = volume.CentreOfMass();
  m.centroid = {c.X(), c.Y(), c.Z()};
  Bnd_Box box;
  BRepBndLib::AddOptimal(s, box, false, false);
  if (!box.IsVoid()) box.Get(m.bounds[0], m.bounds[1], m.bounds[2], m.bounds[3], m.bounds[4], m.bounds[5]);
  for (TopExp_Explorer e(s, TopAbs_FACE); e.More(); e.Next())
    m.surfaces[surfaceName(BRepAdaptor_Surface(TopoDS::Face(e.Current()), false).GetType())]++;
  return m;
}

// measure reads a file back, so that the figures belong to what was written.
inline Measured measure(const std::string& path) {
  STEPControl_Reader r;
  if (r.ReadFile(path.c_str()) != IFSelect_RetDone) throw std::runtime_error(path + ": not readable");
  r.TransferRoots();
  return measureShape(r.OneShape());
}

// printJSON writes one object, without a line break.
inline void printJSON(FILE* f, const std::string& file, const Measured& m) {
  auto n = [](double v) { return std::abs(v) < 1e-6 ? 0.0 : v; };  // no noise around 0
  const auto& c = m.centroid;
  const auto& b = m.bounds;
  fprintf(f, "{\"file\": \"%s\", \"solids\": %d, \"shells\": %d, ", file.c_str(), m.solids, m.shells);
  fprintf(f, "\"faces\": %d, \"edges\": %d, \"vertices\": %d,\n", m.faces, m.edges, m.vertices);
  fprintf(f, "  \"volume\": %.12g, \"area\": %.12g, ", n(m.volume), n(m.area));
  fprintf(f, "\"centroid\": [%.9g, %.9g, %.9g],\n", n(c[0]), n(c[1]), n(c[2]));
  fprintf(f, "  \"bounds\": [%.9g, %.9g, %.9g, %.9g, %.9g, %.9g], \"surfaces\": {", n(b[0]), n(b[1]), n(b[2]),
          n(b[3]), n(b[4]), n(b[5]));
  const char* separator = "";
  for (auto& kind : m.surfaces) {
    fprintf(f, "%s\"%s\": %d", separator, kind.first.c_str(), kind.second);
    separator = ", ";
  }
  fprintf(f, "}}");
}

}  // namespace stepfile
