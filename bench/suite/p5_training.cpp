// SPDX-License-Identifier: MIT
// P5 and P6: steps of training with Adam: dense networks, and the convolutional network of 3,274,634 parameters.
#include "networks.hpp"

using namespace bench::suite;

namespace {

/// Results are the losses of the first four steps.
template <class Network>
void add(worker& w, const char* workload) {
  w.add(workload + Network::name(), "etch", Network::flops(), 0, [] {
    const auto t = std::make_shared<training<Network>>();
    return make_job([t] { t->step(); },
                    [t] {
                      t->start();
                      std::vector<float> losses;
                      for (int i = 0; i < 4; ++i) losses.push_back(t->step());
                      return losses;
                    });
  });
}

}  // namespace

int main() {
  worker w;
  add<dense_network<1, false>>(w, "P5 ");
  add<dense_network<50, false>>(w, "P5 ");
  add<dense_network<128, false>>(w, "P5 ");
  add<dense_network<1024, false>>(w, "P5 ");
  add<dense_network<128, true>>(w, "P5 ");
  add<dense_network<1024, true>>(w, "P5 ");
  add<convolutional_network>(w, "P6 ");
  return w.serve();
}
