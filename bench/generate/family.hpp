// The five families of parts.
#pragma once
#include "part.hpp"
#include "random.hpp"

constexpr const char* kFamilies[] = {"plate", "block", "bracket", "housing", "lid"};

// somewhere is where parts lie in space: mostly as drawn, else turned by right angles, or anyhow.
gp_Trsf somewhere(Random& r);

// make draws a part with up to count features besides its raw faces.
Part make(const std::string& family, Random& r, int count);
