// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <algorithm>
#include <csignal>

#include <checkpoint/model.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;
using namespace etch::literals;

constexpr auto w = variable<"w">(zeros(shape<200'000>{}));
constexpr auto add_one = assign_add(w, 1_c);

bool all_are(const auto& session, float value) {
  const std::vector<float> values = session.variables().at("w").template get<float>();
  return std::ranges::all_of(values, [value](float x) { return x == value; });
}

}  // namespace

TEST_CASE("a checkpoint that is written in the background has the values of the moment at which it was asked for") {
  const files::folder folder("background");
  for (const char* name : {"saved", "saved.safetensors", "saved.npz"}) {
    CAPTURE(name);
    etch::session session(add_one);
    session.initialize();
    std::vector<int> numbers = {1, 2, 3};
    checkpoint c;
    c.track("model", session).track("numbers", numbers);
    for (float n = 1; n <= 5; ++n) {
      session.run(add_one);
      numbers.push_back(static_cast<int>(n));
      c.save_in_background(folder / name);
      session.run(add_one);
      numbers.clear();
      c.wait();
      etch::session restored(add_one);
      std::vector<int> also;
      checkpoint again;
      again.track("model", restored).track("numbers", also);
      again.restore(folder / name);
      CHECK(all_are(restored, 2 * n - 1));
      CHECK(also.back() == static_cast<int>(n));
      CHECK(c.saves() == static_cast<std::int64_t>(n));
      CHECK(again.saves() == c.saves());
    }
    // Saved on the thread of the program again: what lies there now.
    c.save(folder / name);
    etch::session restored(add_one);
    checkpoint again;
    again.track("model", restored).track("numbers", numbers);
    again.restore(folder / name);
    CHECK(all_are(restored, 10));
  }
}
TEST_CASE("a manager that saves in the background") {
  const files::folder folder("background_manager");
  etch::session session(add_one);
  session.initialize();
  checkpoint c;
  c.track("", session);
  {
    checkpoint_manager manager(c, folder / "saved", {.max_to_keep = 2, .in_background = true});
    for (int i = 1; i <= 5; ++i) {
      session.run(add_one);
      CHECK(manager.save() == folder / "saved" / ("ckpt-" + std::to_string(i)));
    }
    CHECK(manager.checkpoints().size() == 2);
    CHECK(*manager.latest() == folder / "saved" / "ckpt-5");
    session.run(add_one);
    manager.save(100);
  }
  CHECK(*latest_checkpoint(folder / "saved") == folder / "saved" / "ckpt-100");
  session.initialize();
  checkpoint_manager manager(c, folder / "saved");
  manager.restore_latest();
  CHECK(all_are(session, 6));
}
TEST_CASE("what cannot be written in the background is thrown by the next call, and the checkpoint before is there") {
  const files::folder folder("background_full");
  etch::session session(add_one);
  session.initialize();
  checkpoint c;
  c.track("", session);
  c.save(folder / "saved");
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100'000;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  session.run(add_one);
  bool is_written = false;
  c.save_in_background(folder / "saved", [&] { is_written = true; });
  CHECK_THROWS_WITH_AS(c.wait(),
                       ((folder / "saved.data-00000-of-00002").string() + ": it cannot be written: File too large").c_str(), error);
  CHECK(!is_written);
  CHECK_NOTHROW(c.wait());
  {
    checkpoint_manager manager(c, folder / "managed", {.in_background = true});
    manager.save();
    CHECK_THROWS_AS(manager.save(), error);
    manager.save();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  CHECK(c.saves() == 1);
  CHECK(!latest_checkpoint(folder / "managed"));
  c.restore(folder / "saved");
  CHECK(all_are(session, 0));
}
TEST_CASE("a checkpoint that is moved or assigned to while a thread writes it") {
  const files::folder folder("background_moved");
  std::vector<float> numbers(2'000'000, 3);
  const auto tracked = [&] {
    checkpoint c;
    c.track("numbers", numbers);
    return c;
  };
  const auto check = [&](const char* name) {
    std::ranges::fill(numbers, 0.f);
    tracked().restore(folder / name);
    CHECK(std::ranges::count(numbers, 3.f) == 2'000'000);
  };
  {
    checkpoint c = tracked();
    c.save_in_background(folder / "assigned");
    c = checkpoint();
    CHECK(c.saves() == 0);
  }
  check("assigned");
  {
    checkpoint c = tracked();
    c.save_in_background(folder / "moved");
    checkpoint other = std::move(c);
    CHECK(other.saves() == 1);
  }
  check("moved");
}
TEST_CASE("a manager that goes says nothing of what its thread threw, whatever that is") {
  const files::folder folder("background_thrown");
  std::vector<float> numbers(10);
  checkpoint c;
  c.track("numbers", numbers);
  {
    checkpoint_manager manager(c, folder / "saved");
    c.save_in_background(folder / "other", [] { throw std::bad_alloc(); });
  }
  CHECK(c.saves() == 0);
  {
    checkpoint_manager manager(c, folder / "saved");
    c.save_in_background(folder / "other", [] { throw std::runtime_error("then"); });
    CHECK_THROWS_WITH(manager.wait(), "then");
  }
}
