// Writes parts with known features: generate [--seed N] [--count N] DIR
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>

#include "family.hpp"

namespace {

constexpr int kTries = 40;

// one writes a part and its truth; a part that the modeller cannot make is drawn anew, from the next number.
bool one(uint64_t seed, int index, const std::string& dir, std::map<std::string, int>& failures) {
  const std::string family = kFamilies[index % 5];
  char name[64];
  std::snprintf(name, sizeof name, "%s_%04d", family.c_str(), index);
  for (int attempt = 0; attempt < kTries; attempt++) {
    Random r((seed * 1000003 + uint64_t(index)) * 101 + uint64_t(attempt));
    try {
      const Part p = make(family, r, 1 + int(r.below(12)));
      p.check();
      p.write(dir + "/" + name + ".step");
      std::ofstream out(dir + "/" + name + ".json");
      out << p.truth(name, family);
      return bool(out);
    } catch (const Failed& e) {
      failures[family + ": " + e.what()]++;
    } catch (const Standard_Failure& e) {
      failures[family + ": modeller: " + e.GetMessageString()]++;
    }
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t seed = 1;
  int count = 500;
  std::string dir;
  bool verbose = false;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    if (a == "--seed" && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "--count" && i + 1 < argc)
      count = std::atoi(argv[++i]);
    else if (a == "--verbose")
      verbose = true;
    else
      dir = a;
  }
  if (dir.empty() || count < 1) {
    std::fprintf(stderr, "usage: generate [--seed N] [--count N] [--verbose] DIR\n");
    return 2;
  }
  Message::DefaultMessenger()->ChangePrinters().Clear();
  std::map<std::string, int> failures;
  for (int i = 0; i < count; i++)
    if (!one(seed, i, dir, failures)) {
      std::fprintf(stderr, "part %d could not be made\n", i);
      return 1;
    }
  if (verbose)
    for (const auto& f : failures) std::fprintf(stderr, "%d drawn anew: %s\n", f.second, f.first.c_str());
  return 0;
}
