// Layout: where features go, so that they meet only where they are meant to.
#pragma once
#include "stock.hpp"

// grid cuts a spot into cells and fills some of them. Left is how many features may still be made.
void grid(Part& p, Random& r, const Spot& region, int& left);
// lane puts one channel across a box, as near to its +x side as is free; taken is what is not.
void lane(Part& p, Random& r, const Stock& stock, const Spot& top, double& taken, int& left);
// crossed puts two slots of different depth across each other.
void crossed(Part& p, Random& r, const Spot& top, int& left);
