// Writes B-spline versions of STEP parts: the same solids with every surface and curve a B-spline.
// OCCT is needed only to make the files again:
//
//   apt install g++ libocct-data-exchange-dev libocct-modeling-algorithms-dev \
//       libocct-modeling-data-dev libocct-foundation-dev
//   g++ -O1 -w -std=c++17 -I/usr/include/opencascade -I../../step/testdata make_nurbs.cpp -o /tmp/make_nurbs \
//       -lTKSTEP -lTKSTEPBase -lTKSTEPAttr -lTKXSBase -lTKShHealing -lTKTopAlgo -lTKGeomAlgo \
//       -lTKBRep -lTKGeomBase -lTKG3d -lTKG2d -lTKMath -lTKernel
//   /tmp/make_nurbs . ../../step/testdata/*.step ../../../../cmd/millwright/example/bracket.step
//   gzip -9n *.step
//
// Parts without faces, and those that OCCT cannot convert, are named and left out.
#include "step_file.hpp"

#include <BRepBuilderAPI_NurbsConvert.hxx>
#include <Standard_Failure.hxx>

int main(int argc, char** argv) {
  for (int i = 2; i < argc; i++) {
    std::string path = argv[i];
    std::string name = path.substr(path.find_last_of('/') + 1);
    name = name.substr(0, name.find_last_of('.'));
    try {
      STEPControl_Reader reader;
      if (reader.ReadFile(path.c_str()) != IFSelect_RetDone) throw std::runtime_error("not read");
      reader.TransferRoots();
      TopoDS_Shape shape = reader.OneShape();
      if (shape.IsNull() || stepfile::instances(shape, TopAbs_FACE) == 0) throw std::runtime_error("no faces");
      BRepBuilderAPI_NurbsConvert convert(shape, true);
      stepfile::Options o;
      o.pcurves = false;
      stepfile::write(convert.Shape(), argv[1], name, o);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), e.what());
    } catch (const Standard_Failure& e) {
      std::fprintf(stderr, "%s: %s\n", name.c_str(), e.GetMessageString());
    }
  }
}
