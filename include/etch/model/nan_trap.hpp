// SPDX-License-Identifier: MIT
#pragma once
#include <cmath>

#include <etch/debug.hpp>
#include <etch/model/fit_batch.hpp>
#include <etch/model/kept_variables.hpp>

namespace etch {

/// A callback of `fit` that throws `etch::error` behind the batch that made the loss NaN: with the epoch, the batch, and the first op that gave a
/// NaN, its operands, and where the program names it. It keeps a copy of all variables from before the batch, to run that again by an
/// interpreter: for a search, not for each training. Afterwards the model has the variables from before the batch.
class nan_trap {
 public:
  template <class Model, class... Components>
  void before_batch(Model& model, const fit_batch&, const Components&...) {
    kept_.keep(model.session());
    random_ = model.session().random_state();
  }
  template <class Model, class... Components>
  void after_batch(Model& model, const fit_batch& b, const Components&... components) {
    if (!std::isnan(model.results()[0])) return;
    kept_.restore(model.session());
    model.session().set_random_state(random_);
    try {
      model.debug_step(trap_nan{.infinities = false}, components...);
    } catch (const error& e) {
      fail("fit: epoch %d, batch %lld: %s", b.epoch, static_cast<long long>(b.number), e.what());
    }
    fail("fit: epoch %d, batch %lld: the loss is NaN, and no op gives one where it is computed again", b.epoch,
         static_cast<long long>(b.number));
  }

 private:
  detail::kept_variables kept_;
  random_state random_;
};

}  // namespace etch
