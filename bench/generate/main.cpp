// Writes parts with known features: generate [--set NAME] [--seed N] [--count N] [--jobs N] DIR
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "family.hpp"
#include "interact.hpp"
#include "sheet.hpp"

namespace {

constexpr int kTries = 40;

// familyOf is the family of the parts of a set with a number.
std::string familyOf(const std::string& set, size_t index) {
  if (set == "interacting") return kInteracting[index % kInteracting.size()];
  if (set == "sheet") return kSheets[index % kSheets.size()];
  return kFamilies[index % 5];
}

// one writes a part and its truth; a part that the modeller cannot make is drawn anew, from the next number.
bool one(const std::string& set, uint64_t seed, int index, const std::string& dir,
         std::map<std::string, int>& failures) {
  const std::string family = familyOf(set, size_t(index));
  char name[64];
  std::snprintf(name, sizeof name, "%s_%04d", family.c_str(), index);
  for (int attempt = 0; attempt < kTries; attempt++) {
    Random r((seed * 1000003 + uint64_t(index)) * 101 + uint64_t(attempt));
    try {
      const std::string path = dir + "/" + name;
      std::string truth;
      if (set == "sheet") {
        Sheet s = bent(family, r);
        s.part.check();
        s.part.write(path + ".step");
        truth = labels(s);
      } else {
        const bool interacts = set == "interacting";
        Part p = interacts ? interacting(family, r, 3 + int(r.below(14))) : make(family, r, 1 + int(r.below(12)));
        if (interacts) p.stand(), p.settle();
        p.check();
        p.write(path + ".step");
        truth = p.truth(name, family);
      }
      std::ofstream out(path + ".json");
      out << truth;
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
  std::string dir, set = "generated";
  bool verbose = false, wrong = false;
  int jobs = 1;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    if (a == "--seed" && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (a == "--count" && i + 1 < argc)
      count = std::atoi(argv[++i]);
    else if (a == "--jobs" && i + 1 < argc)
      jobs = std::atoi(argv[++i]);
    else if (a == "--set" && i + 1 < argc)
      set = argv[++i];
    else if (a == "--verbose")
      verbose = true;
    else if (a.rfind("-", 0) == 0)
      wrong = true;
    else
      dir = a;
  }
  wrong = wrong || (set != "generated" && set != "interacting" && set != "sheet");
  if (wrong || dir.empty() || count < 1 || jobs < 1) {
    std::fprintf(stderr,
                 "usage: generate [--set generated|interacting|sheet] [--seed N] [--count N] [--jobs N] [--verbose] DIR\n");
    return 2;
  }
  if (access(dir.c_str(), W_OK | X_OK) != 0) {
    std::perror(dir.c_str());
    return 2;
  }
  Message::DefaultMessenger()->ChangePrinters().Clear();
  std::map<std::string, int> failures;
  // Parts are made by their numbers alone, so any process may make any of them.
  int job = 0;
  std::vector<pid_t> others;
  for (int k = 1; k < jobs && job == 0; k++) {
    const pid_t child = fork();
    if (child == 0)
      job = k, others.clear();
    else
      others.push_back(child);
  }
  int failed = 0;
  for (int i = job; i < count; i += jobs)
    if (!one(set, seed, i, dir, failures)) {
      std::fprintf(stderr, "part %d could not be made\n", i);
      failed = 1;
    }
  for (const pid_t child : others) {
    int status = 0;
    if (waitpid(child, &status, 0) < 0 || status != 0) failed = 1;
  }
  if (verbose)
    for (const auto& f : failures) std::fprintf(stderr, "%d drawn anew: %s\n", f.second, f.first.c_str());
  return failed;
}
