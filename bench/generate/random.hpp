// Random numbers that are the same on every platform: the distributions of <random> are not.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  // between returns a multiple of step in [lo, hi].
  double between(double lo, double hi, double step = 0.1) {
    const auto n = static_cast<int64_t>(std::floor((hi - lo) / step + 1e-9));
    return n <= 0 ? lo : lo + step * static_cast<double>(below(n + 1));
  }
  int64_t below(int64_t n) { return static_cast<int64_t>(engine_() % static_cast<uint64_t>(n)); }
  bool chance(double p) { return unit() < p; }

 private:
  std::mt19937_64 engine_;
};
