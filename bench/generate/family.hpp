// The five families of parts.
#pragma once
#include "part.hpp"

constexpr const char* kFamilies[] = {"plate", "block", "bracket", "housing", "lid"};

// make draws a part with up to count features besides its raw faces.
Part make(const std::string& family, Random& r, int count);
