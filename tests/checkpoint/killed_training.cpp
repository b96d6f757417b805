// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <checkpoint/model.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

/// Five in a round.
const auto samples = model::samples();
auto make_batches() { return data::slices(samples.first, samples.second).shuffle(40, 1).batch(8); }

/// A program that trains with dropout on shuffled batches, and what it saves. The reference is one that never stops.
struct trainer {
  using batches_type = decltype(make_batches());

  decltype(etch::session(model::loss, model::train)) session{model::loss, model::train};
  batches_type batches = make_batches();
  std::optional<batches_type::iterator> at;
  std::int64_t step = 0;
  std::vector<float> losses;
  etch::checkpoint checkpoint;
  std::optional<checkpoint_manager> manager;

  trainer() {
    session.initialize(3);
    checkpoint.track("model", session).track("batches", batches).track("step", step).track("losses", losses);
  }
  trainer(const trainer&) = delete;

  void train_step() {
    if (at) ++*at;
    while (!at || *at == batches.end()) at.emplace(batches.begin());
    const auto [a, b] = **at;
    losses.push_back(session.run(model::loss, model::train, model::x = a, model::y = b));
    ++step;
  }
  /// All that it has is, to the last bit, what `other` has.
  void check_is(trainer& other) {
    REQUIRE(step == other.step);
    REQUIRE(std::ssize(losses) == step);
    REQUIRE(std::ssize(other.losses) == step);
    REQUIRE(std::memcmp(losses.data(), other.losses.data(), losses.size() * sizeof(float)) == 0);
    REQUIRE(model::values_of(session) == model::values_of(other.session));
    REQUIRE(session.random_state() == other.session.random_state());
    REQUIRE(batches.position() == other.batches.position());
  }
};

/// Lets a child train and save each step and kills it, so many times, each child going on from what the one before left: at any moment before
/// its first save or within one of the first three. Each says by a byte when it has saved, since how long that takes, a loaded machine
/// decides. `save(trainer)`, `restore(trainer)`: whether there was anything.
template <class Save, class Restore>
void kill_again_and_again(int times, const Save& save, const Restore& restore) {
  using clock = std::chrono::steady_clock;
  trainer uninterrupted;
  const auto catch_up_with = [&](const trainer& t) {
    while (uninterrupted.step < t.step) uninterrupted.train_step();
  };
  const auto begin = clock::now();
  {
    trainer first;
    for (int i = 0; i < 5; ++i) {
      first.train_step();
      save(first);
    }
  }
  const auto two = std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - begin).count() * 2 / 5;
  std::mt19937_64 random(1);
  std::int64_t last = 5;
  for (int i = 0; i < times; ++i) {
    int saved[2];
    REQUIRE(::pipe(saved) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        trainer t;
        for (restore(t);;) {
          t.train_step();
          save(t);
          if (::write(saved[1], "", 1) != 1) break;
        }
      } catch (...) {
      }
      ::_exit(1);
    }
    ::close(saved[1]);
    REQUIRE(child > 0);
    char byte = 0;
    for (auto n = random() % 3; n > 0; --n) CHECK(::read(saved[0], &byte, 1) == 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % static_cast<std::uint64_t>(two)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(saved[0]);
    CHECK(WIFSIGNALED(status));  // it did not end by an error
    trainer t;
    REQUIRE(restore(t));
    CHECK(t.step >= last);
    last = t.step;
    catch_up_with(t);
    t.check_is(uninterrupted);
  }
  CHECK(last > times / 2);  // children left checkpoints of their own
  trainer t;
  restore(t);
  for (int i = 0; i < 100; ++i) t.train_step();
  catch_up_with(t);
  t.check_is(uninterrupted);
}

}  // namespace

TEST_CASE("a training that is killed again and again is, bit by bit, one that never stopped: a manager") {
  const files::folder folder("killed_training_manager");
  for (const bool in_background : {false, true}) {
    CAPTURE(in_background);
    const auto saved = folder / (in_background ? "background" : "waiting");
    kill_again_and_again(
        45,
        [&](trainer& t) {
          // In the background the next step is trained while this one is written.
          if (!t.manager)
            t.manager.emplace(t.checkpoint, saved, checkpoint_manager_options{.max_to_keep = 2, .in_background = in_background});
          t.manager->save(t.step);
        },
        [&](trainer& t) {
          const auto latest = latest_checkpoint(saved);
          if (latest) t.checkpoint.restore(*latest);
          return latest.has_value();
        });
  }
}

TEST_CASE("a training that is killed again and again is, bit by bit, one that never stopped: one path") {
  const files::folder folder("killed_training_one");
  for (const char* name : {"saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    kill_again_and_again(
        30, [&](trainer& t) { t.checkpoint.save(folder / name); },
        [&](trainer& t) {
          const bool is_there = std::filesystem::exists(folder / name);
          if (is_there) t.checkpoint.restore(folder / name);
          return is_there;
        });
  }
}
