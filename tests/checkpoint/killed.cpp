// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <sys/wait.h>

#include <checkpoint/model.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto w = variable<"w">(zeros(shape<5000>{}));
constexpr auto v = variable<"v">(zeros(shape<3>{}));
constexpr auto total = sum(w) + sum(v);

/// What a program has that saves in a loop: all of it says in which round.
struct state_of_program {
  etch::session<decltype(total)> session{total};
  std::int64_t round = 0;
  std::string text = "0";
  etch::checkpoint checkpoint;
  std::optional<checkpoint_manager> manager;

  state_of_program() {
    session.initialize();
    checkpoint.track("model", session).track("round", round).track("text", text);
  }
  state_of_program(const state_of_program&) = delete;
  void set(std::int64_t n) {
    round = n;
    text = std::to_string(n);
    session.set(w, std::vector<float>(5000, static_cast<float>(n)));
    session.set(v, std::vector<float>(3, static_cast<float>(n)));
    session.set_random_state({1, static_cast<std::uint64_t>(n)});
  }
  bool is_of_one_round() const {
    bool is_same = text == std::to_string(round) && session.random_state().runs == static_cast<std::uint64_t>(round);
    for (const auto variable : session.variables())
      for (const float x : variable.template get<float>()) is_same = is_same && x == static_cast<float>(round);
    return is_same;
  }
};

/// Lets a child save in a loop and kills it, so many times, each time going on from what it left. `save(program)`, `restore(program)`: whether
/// there was anything. The number of rounds that were restored.
template <class Save, class Restore>
std::int64_t kill_again_and_again(int times, const Save& save, const Restore& restore) {
  using clock = std::chrono::steady_clock;
  state_of_program measured;
  const auto begin = clock::now();
  for (std::int64_t n = 1; n <= 5; ++n) {
    measured.set(n);
    save(measured);
  }
  measured.manager.reset();
  const auto five = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - begin).count();
  std::mt19937_64 random(1);
  std::int64_t last = 5;
  for (int i = 0; i < times; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        state_of_program p;
        restore(p);
        for (std::int64_t n = p.round + 1;; ++n) {
          p.set(n);
          save(p);
        }
      } catch (...) {
      }
      ::_exit(1);
    }
    REQUIRE(child > 0);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<std::uint64_t>(five)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status));  // it did not end by an error
    state_of_program p;
    REQUIRE(restore(p));
    CHECK(p.is_of_one_round());
    CHECK(p.round >= last);
    last = p.round;
  }
  return last;
}

}  // namespace

TEST_CASE("a program that is killed at any moment leaves its last whole checkpoint: a manager") {
  const files::folder folder("killed_manager");
  for (const int kind : {0, 1, 2, 3}) {
    CAPTURE(kind);
    const auto saved = folder / ("saved" + std::to_string(kind));
    const checkpoint_manager_options options{.max_to_keep = 2,
                                             .extension = kind == 1   ? ".safetensors"
                                                          : kind == 2 ? ".npz"
                                                                      : "",
                                             .in_background = kind == 3};
    const std::int64_t rounds = kill_again_and_again(
        100,
        [&](state_of_program& p) {
          // In the background the next round begins while this one is written.
          if (!p.manager || !options.in_background) p.manager.emplace(p.checkpoint, saved, options);
          p.manager->save(p.round);
        },
        [&](state_of_program& p) {
          const auto latest = latest_checkpoint(saved);
          if (latest) p.checkpoint.restore(*latest);
          return latest.has_value();
        });
    CHECK(rounds > 5);  // some of them came to their end
    // What was left is no heap: two checkpoints, one that a program was deleting or writing, and the state.
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(saved)) ++count;
    CHECK(count <= 12);
  }
}

TEST_CASE("a program that is killed at any moment leaves its last whole checkpoint: one path") {
  const files::folder folder("killed_one");
  for (const char* name : {"saved", "saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    const std::int64_t rounds = kill_again_and_again(
        100, [&](state_of_program& p) { p.checkpoint.save(folder / name); },
        [&](state_of_program& p) {
          p.checkpoint.restore(folder / name);
          return true;
        });
    CHECK(rounds > 5);  // some of them came to their end
  }
}
