// SPDX-License-Identifier: MIT
// P4: what a call costs over the number of nodes of its graph: chains of multiplications and additions of 64 floats.
#include <memory>

#include "session.hpp"

using namespace bench::suite;
using namespace etch::literals;

namespace {

constexpr etch::placeholder<"x", float, 64> x;
constexpr etch::placeholder<"y", float, 64> y;

/// Steps / 2 times a * c + b, by halves: the depth of instantiations grows with the logarithm.
template <int Steps, class A, class B, class C>
constexpr auto chain(const A& a, const B& b, const C& c) {
  if constexpr (Steps == 2)
    return a * c + b;
  else
    return chain<Steps / 4 * 2>(chain<Steps - Steps / 4 * 2>(a, b, c), b, c);
}

template <int Nodes>
void add(worker& w) {
  w.add("P4 chain of " + std::to_string(Nodes) + " nodes, 64 floats", "etch", 0, 0, [] {
    const auto a = std::make_shared<filled<float, 64>>(1u), b = std::make_shared<filled<float, 64>>(2u);
    return etch_job(chain<Nodes>(x, y, 0.5_c), [a] { return x = a->values; }, [b] { return y = b->values; });
  });
}

}  // namespace

int main() {
  worker w;
  add<10>(w);
  add<30>(w);
  add<100>(w);
  add<300>(w);
  add<1000>(w);
  return w.serve();
}
