// Reads parts and writes them anew by OCCT: rewrite DIR FILE... writes DIR/STEM.step in mm, DIR/STEM.inch.step in
// inches, and DIR/STEM.igs with its solids as boundary representations.
#include <IGESControl_Controller.hxx>
#include <IGESControl_Reader.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Controller.hxx>
#include <STEPControl_Reader.hxx>
#include <STEPControl_Writer.hxx>
#include <Standard_Failure.hxx>
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string>

namespace {

TopoDS_Shape read(const std::string& file, std::string extension) {
  for (char& c : extension) c = char(std::tolower(static_cast<unsigned char>(c)));
  STEPControl_Reader step;
  IGESControl_Reader iges;
  XSControl_Reader& reader = extension.rfind(".ig", 0) == 0 ? static_cast<XSControl_Reader&>(iges) : step;
  if (reader.ReadFile(file.c_str()) != IFSelect_RetDone) return {};
  reader.TransferRoots();
  return reader.OneShape();
}

bool step(const TopoDS_Shape& shape, const std::string& to, const char* unit) {
  STEPControl_Controller::Init();
  Interface_Static::SetCVal("write.step.schema", "AP214IS");
  Interface_Static::SetCVal("write.step.unit", unit);
  STEPControl_Writer writer;
  return writer.Transfer(shape, STEPControl_AsIs) == IFSelect_RetDone && writer.Write(to.c_str()) == IFSelect_RetDone;
}

bool iges(const TopoDS_Shape& shape, const std::string& to) {
  IGESControl_Controller::Init();
  IGESControl_Writer writer("MM", 1);
  return writer.AddShape(shape) && writer.Write(to.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: rewrite DIR FILE...\n";
    return 2;
  }
  Message::DefaultMessenger()->ChangePrinters().Clear();
  int failed = 0;
  for (int i = 2; i < argc; i++) {
    const std::string file = argv[i];
    const std::string name = file.substr(file.find_last_of('/') + 1);
    const size_t dot = std::min(name.find_last_of('.'), name.size());
    const std::string to = std::string(argv[1]) + "/" + name.substr(0, dot);
    try {
      const TopoDS_Shape shape = read(file, name.substr(dot));
      if (!shape.IsNull() && step(shape, to + ".step", "MM") && step(shape, to + ".inch.step", "INCH") &&
          iges(shape, to + ".igs"))
        continue;
      std::cerr << file << ": not read or written\n";
    } catch (const Standard_Failure& e) {
      std::cerr << file << ": " << e.GetMessageString() << "\n";
    }
    failed++;
  }
  return failed > 0;
}
