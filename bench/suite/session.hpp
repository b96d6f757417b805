// SPDX-License-Identifier: MIT
#pragma once
#include <etch/etch.hpp>
#include <etch/thread_pool.hpp>

#include "worker.hpp"

/// Jobs of etch: a bound step of a session on as many threads as the driver wants.
namespace bench::suite {

inline etch::executor* pool() {
  static etch::thread_pool threads(threads_wanted());
  return &threads;
}

template <class T, int... N>
struct filled {
  xt::xtensor<T, sizeof...(N)> values = xt::zeros<T>({static_cast<std::size_t>(N)...});
  template <class... Change>
  explicit filled(std::uint32_t array, Change... change) {
    fill(array, values.data(), values.size(), change...);
  }
};

/// A step that computes e; feeds: functions that give bindings to arrays that live as long as they.
template <class E, class... Feeds>
job etch_job(const E& e, Feeds... feeds) {
  etch::session s(e);
  s.set_executor(pool());
  s.initialize();
  auto bound = std::make_shared<decltype(s.bind(e, feeds()...))>(s.bind(e, feeds()...));
  return make_job([bound] { (*bound)(); },
                  [bound, feeds...] {
                    const auto& r = (*bound)();
                    if constexpr (requires { r.data(); })
                      return std::vector<float>(r.data(), r.data() + r.size());
                    else
                      return std::vector<float>{static_cast<float>(r)};
                  });
}

/// Numbers of a variable: the elements of an array times `scale`.
struct weight {
  std::string name;
  std::uint32_t array;
  float scale = 1;
};

template <class Session>
void set_weight(Session& session, const weight& w) {
  auto variable = session.variables().at(w.name);
  std::vector<float> values(static_cast<std::size_t>(variable.elements()));
  fill(w.array, values.data(), values.size(), w.scale);
  variable.copy_from(values.data());
}

/// A step that computes e, whose variables have these numbers, and 0 where they are not named.
template <class E, class... Feeds>
job layers_job(const E& e, const std::vector<weight>& weights, Feeds... feeds) {
  const auto session = std::make_shared<etch::session<E>>(e);
  session->set_executor(pool());
  session->initialize();
  for (const weight& w : weights) set_weight(*session, w);
  const auto bound = std::make_shared<decltype(session->bind(e, feeds()...))>(session->bind(e, feeds()...));
  return make_job([session, bound] { (*bound)(); },
                  [session, bound, feeds...] {
                    const auto& r = (*bound)();
                    return std::vector<float>(r.data(), r.data() + r.size());
                  });
}

/// A step that changes variables. Results: those of `state` after so many steps from what `start` makes of a session's initial values.
template <class Step, class State, class Start, class... Feeds>
job state_job(const Step& step, const State& state, int steps, Start start, Feeds... feeds) {
  const auto session = std::make_shared<etch::session<Step>>(step);
  session->set_executor(pool());
  const auto begin = [session, start] {
    session->initialize();
    start(*session);
  };
  begin();
  const auto bound = std::make_shared<decltype(session->bind(step, feeds()...))>(session->bind(step, feeds()...));
  return make_job([session, bound, feeds...] { (*bound)(); },
                  [session, bound, begin, state, steps] {
                    begin();
                    for (int i = 0; i < steps; ++i) (*bound)();
                    const auto& now = session->get(state);
                    return std::vector<float>(now.begin(), now.end());
                  });
}

}  // namespace bench::suite
