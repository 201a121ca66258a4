// Writes parts with known features: generate [--set NAME] [--seed N] [--count N] [--jobs N] DIR
#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <Standard_Failure.hxx>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "family.hpp"
#include "interact.hpp"

namespace {

constexpr int kTries = 40;

// one writes a part and its truth; a part that the modeller cannot make is drawn anew, from the next number.
bool one(bool interacts, uint64_t seed, int index, const std::string& dir,
         std::map<std::string, int>& failures) {
  const std::string family =
      interacts ? kInteracting[size_t(index) % kInteracting.size()] : kFamilies[index % 5];
  char name[64];
  std::snprintf(name, sizeof name, "%s_%04d", family.c_str(), index);
  for (int attempt = 0; attempt < kTries; attempt++) {
    Random r((seed * 1000003 + uint64_t(index)) * 101 + uint64_t(attempt));
    try {
      Part p = interacts ? interacting(family, r, 3 + int(r.below(14))) : make(family, r, 1 + int(r.below(12)));
      if (interacts) p.stand(), p.settle();
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
  bool verbose = false, interacts = false, wrong = false;
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
      interacts = std::strcmp(argv[++i], "interacting") == 0;
    else if (a == "--verbose")
      verbose = true;
    else if (a.rfind("-", 0) == 0)
      wrong = true;
    else
      dir = a;
  }
  if (wrong || dir.empty() || count < 1 || jobs < 1) {
    std::fprintf(stderr,
                 "usage: generate [--set generated|interacting] [--seed N] [--count N] [--jobs N] [--verbose] DIR\n");
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
    if (!one(interacts, seed, i, dir, failures)) {
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
