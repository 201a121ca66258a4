// Writes the IGES test parts of this folder, each as STEP, as trimmed surfaces (IGES 144) and as solids
// (IGES 186), and expected.json, what OCCT measures of each part before it is written.
// OCCT is needed only to make the files again:
//
//   apt install g++ libocct-data-exchange-dev libocct-modeling-algorithms-dev \
//       libocct-modeling-data-dev libocct-foundation-dev
//   g++ -O1 -w -std=c++17 -I/usr/include/opencascade make_parts.cpp -o /tmp/make_iges_parts \
//       -lTKIGES -lTKSTEP -lTKSTEPBase -lTKSTEPAttr -lTKXSBase -lTKFeat -lTKFillet -lTKBO -lTKBool \
//       -lTKOffset -lTKPrim -lTKShHealing -lTKTopAlgo -lTKGeomAlgo -lTKBRep -lTKGeomBase -lTKG3d -lTKG2d \
//       -lTKMath -lTKernel
//   /tmp/make_iges_parts . && gzip -9nf *.igs *.step
//
// All lengths are mm whatever unit a file is written in. The files are the same byte for byte whenever
// they are made, but for the order of the faces of thick_shell.
#include "shapes.hpp"
#include "../../step/testdata/step_file.hpp"

#include <IGESControl_Controller.hxx>
#include <IGESControl_Writer.hxx>
#include <IGESData_GlobalSection.hxx>
#include <IGESData_IGESModel.hxx>

namespace {

struct Part {
  const char* name;
  Shape shape;
  const char* unit = "MM";
};

// neutral sets what OCCT takes from its surroundings to fixed values.
void neutral(const Handle(IGESData_IGESModel) & model, const std::string& file) {
  IGESData_GlobalSection g = model->GlobalSection();
  g.SetFileName(stepfile::text(file.c_str()));
  g.SetSendName(stepfile::text(file.c_str()));
  g.SetDate(stepfile::text("20260101.000000"));
  g.SetLastChangeDate(stepfile::text("20260101.000000"));
  g.SetSystemId(stepfile::text("Open CASCADE Technology"));
  g.SetAuthorName(stepfile::text(""));
  g.SetCompanyName(stepfile::text(""));
  model->SetGlobalSection(g);
}

// writeIGES writes a part as trimmed surfaces (mode 0) or as solids (mode 1).
void writeIGES(const Part& p, const std::string& dir, int mode) {
  std::string file = std::string(p.name) + (mode ? "_186.igs" : "_144.igs");
  IGESControl_Controller::Init();
  IGESControl_Writer w(p.unit, mode);
  if (!w.AddShape(p.shape)) throw std::runtime_error(file + ": not transferred");
  w.ComputeModel();
  neutral(w.Model(), file);
  if (!w.Write((dir + "/" + file).c_str())) throw std::runtime_error(file + ": not written");
}

}  // namespace

int main(int argc, char** argv) try {
  std::string dir = argc > 1 ? argv[1] : ".";
  const std::vector<Part> parts = {
      {"box", box(-3, 4, 1, 30, 20, 10)},
      {"drilled_plate", drilledPlate()},
      {"counterbores", counterbores()},
      {"cone_apex", cone(gp_Pnt(1, 2, 3), gp_Dir(1, 0, 2), 12, 0, 25)},
      {"frustum", cone(gp_Pnt(0, 0, 0), kUp, 15, 6, 18)},
      {"sphere", BRepPrimAPI_MakeSphere(gp_Pnt(5, -3, 2), 12).Shape()},
      {"torus", BRepPrimAPI_MakeTorus(gp_Ax2(gp_Pnt(0, 0, 4), gp_Dir(0, 1, 2)), 20, 6).Shape()},
      {"torus_groove", torusGroove()},
      {"torus_sector", torusSector()},
      {"fillets", fillets()},
      {"fillet_variable", filletVariable()},
      {"chamfers", chamfers()},
      {"loft_ruled", loft(true)},
      {"loft_smooth", loft(false)},
      {"loft_to_point", loftToPoint()},
      {"pipe_spline", pipeSpline()},
      {"pipe_bends", pipeBends()},
      {"thick_shell", thickShell()},
      {"void_box", voidBox()},
      {"revolved_spline", revolvedSpline()},
      {"revolved_ellipse", revolvedEllipse()},
      {"extruded_spline", extrudedSpline()},
      {"two_solids", twoSolids()},
      {"mirrored", mirrored(counterbores())},
      {"inch_plate", drilledPlate(), "IN"},
      {"metre_plate", counterbores(), "M"},
      {"tiny", scaled(fillets(), 0.1 / 60)},
      {"huge", scaled(drilledPlate(), 10000.0 / 80)},
      {"steinmetz", steinmetz()},
      {"saddle_holes", saddleHoles()},
      {"cone_side_hole", coneSideHole()},
      {"thread", thread()},
      {"split_faces", splitFaces()},
      {"seam_pocket", seamPocket()},
      {"sphere_pocket", spherePocket()},
      {"sphere_drilled", sphereDrilled()},
      {"nurbs_fillets", nurbs(fillets())},
      {"nurbs_octant", nurbs(octant())},
      {"halved_faces", halvedFaces()},
      {"oblique_cut", obliqueCut()},
      {"hyperbola_cut", hyperbolaCut()},
      {"closed_spline_prism", closedSplinePrism()},
      {"torus_notch", torusNotch()},
      {"offset_cover", offsetCover()},
      {"twisted_blade", twistedBlade()},
      {"draft_pocket", draftPocket()},
      {"wedge", BRepPrimAPI_MakeWedge(30, 20, 25, 8, 5, 18, 20).Shape()},
      {"gear_profile", gearProfile()},
      {"turned_part", turnedPart()},
      {"pattern", pattern()},
  };
  FILE* f = fopen((dir + "/expected.json").c_str(), "w");
  if (!f) throw std::runtime_error(dir + "/expected.json: not writable");
  const char* open = "[\n";
  for (auto& p : parts) {
    stepfile::Options o{"AP214IS", p.unit[0] == 'I' ? "INCH" : p.unit};
    stepfile::write(p.shape, dir, p.name, o);
    writeIGES(p, dir, 0);
    writeIGES(p, dir, 1);
    fputs(open, f);
    open = ",\n";
    stepfile::printJSON(f, p.name, stepfile::measureShape(p.shape));
  }
  fputs("\n]\n", f);
  fclose(f);
  return 0;
} catch (const Standard_Failure& e) {
  fprintf(stderr, "OCCT: %s\n", e.GetMessageString());
  return 1;
} catch (const std::exception& e) {
  fprintf(stderr, "%s\n", e.what());
  return 1;
}
