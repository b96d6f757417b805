// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

/// One side of the benchmark suite: a program that does named work when the driver (run.py) says so, so that programs in several languages
/// take turns. Lines of commands, each answered by one line:
///   list                          case TAB library TAB flops TAB bytes; ... ; and an empty line
///   check CASE TAB LIBRARY TAB F  writes the result's floats to file F
///   time CASE TAB LIBRARY TAB N   seconds of wall time that N calls took
///   figures TEXT                  case TAB library TAB what TAB number; ... ; and an empty line: what is not timed, of cases with TEXT
/// The same protocol in Python: worker.py.
namespace bench::suite {

/// Work that is ready to be done.
struct job {
  std::function<void(long)> repeat;             ///< so many calls
  std::function<std::vector<float>()> results;  ///< of a call
};

/// Numbers, by what they are.
using figures = std::vector<std::pair<std::string, double>>;

/// A job whose loop over the calls is compiled together with the call.
template <class Call, class Results>
job make_job(Call call, Results results) {
  return {[call](long calls) mutable {
            for (long i = 0; i < calls; ++i) {
              call();
              asm volatile("" ::: "memory");
            }
          },
          std::move(results)};
}

/// Element i of the array with that number: the same in all languages. In [-1, 1).
inline float element(std::uint32_t array, std::uint32_t i) {
  std::uint32_t x = i * 2654435761u + array * 40503u + 12345u;
  x ^= x >> 16;
  x *= 2246822519u;
  x ^= x >> 13;
  return static_cast<float>(x >> 8) / 8388608.0f - 1.0f;
}
inline void fill(std::uint32_t array, float* to, std::size_t n, float scale = 1, float shift = 0) {
  for (std::size_t i = 0; i < n; ++i) to[i] = element(array, static_cast<std::uint32_t>(i)) * scale + shift;
}
inline void fill(std::uint32_t array, std::int8_t* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::int8_t>(element(array, static_cast<std::uint32_t>(i)) * 127);
}
inline void fill(std::uint32_t array, std::uint8_t* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>((element(array, static_cast<std::uint32_t>(i)) + 1) * 127);
}
/// Label i of so many classes.
inline std::int32_t label(std::uint32_t i, int classes) {
  return static_cast<std::int32_t>(i * 7 % static_cast<unsigned>(classes));
}

class worker {
 public:
  /// make: called when the case is first wanted. flops, bytes: of a call, 0 where they say nothing.
  void add(const std::string& name, const std::string& library, double flops, double bytes, std::function<job()> make) {
    if (cases_.count({name, library}) == 0) order_.push_back({name, library});
    cases_[{name, library}] = {flops, bytes, std::move(make), {}};
  }
  void add_figures(const std::string& name, const std::string& library, std::function<figures()> of) {
    figures_.push_back({{name, library}, std::move(of)});
  }
  /// Until the input ends.
  int serve() {
    std::cout.precision(15);
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command, name, library, argument;
      std::getline(words, command, '\t');
      std::getline(words, name, '\t');
      std::getline(words, library, '\t');
      std::getline(words, argument, '\t');
      if (command == "list") {
        for (const key& k : order_)
          std::cout << k.first << '\t' << k.second << '\t' << cases_[k].flops << '\t' << cases_[k].bytes << '\n';
        std::cout << std::endl;
        continue;
      }
      if (command == "figures") {
        for (const auto& [k, of] : figures_)
          if (k.first.find(name) != std::string::npos)
            for (const auto& [what, number] : of())
              std::cout << k.first << '\t' << k.second << '\t' << what << '\t' << number << '\n';
        std::cout << std::endl;
        continue;
      }
      entry& e = cases_.at({name, library});
      if (current_ != &e) {
        if (current_ != nullptr) current_->ready = {};  // one at a time in memory
        e.ready = e.make();
        current_ = &e;
      }
      if (command == "check") {
        const std::vector<float> r = e.ready.results();
        std::FILE* const f = std::fopen(argument.c_str(), "wb");
        if (f == nullptr || std::fwrite(r.data(), sizeof(float), r.size(), f) != r.size()) return 1;
        std::fclose(f);
        std::cout << r.size() << std::endl;
      } else {
        const long calls = std::atol(argument.c_str());
        const auto begin = std::chrono::steady_clock::now();
        e.ready.repeat(calls);
        std::cout << std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() << std::endl;
      }
    }
    return 0;
  }

 private:
  using key = std::pair<std::string, std::string>;
  struct entry {
    double flops, bytes;
    std::function<job()> make;
    job ready;
  };
  std::map<key, entry> cases_;
  std::vector<key> order_;
  std::vector<std::pair<key, std::function<figures()>>> figures_;
  entry* current_ = nullptr;
};

/// A case whose call computes, of operands that are made when it is first wanted, what their result() then gives.
template <class Operands, class Call>
void add_library(worker& w, const std::string& name, const char* library, Call call, double flops = 0, double bytes = 0) {
  w.add(name, library, flops, bytes, [call] {
    const auto operands = std::make_shared<Operands>();
    return make_job([operands, call] { call(*operands); },
                    [operands, call] {
                      call(*operands);
                      return operands->result();
                    });
  });
}

/// How many threads the driver wants.
inline int threads_wanted() {
  const char* const text = std::getenv("BENCH_THREADS");
  return text == nullptr ? 1 : std::atoi(text);
}

}  // namespace bench::suite
