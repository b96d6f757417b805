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

}  // namespace bench::suite
