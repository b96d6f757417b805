// SPDX-License-Identifier: MIT
#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include <doctest/doctest.h>

#include <etch/ops.hpp>
#include <etch/tape.hpp>

#include "session/message_of.hpp"

// A tape belongs to the thread that has made it. Another one gets an error when it calls it, and may destroy it: nothing of it stays in
// its own thread's list. The address sanitizer sees what is left behind there, the thread sanitizer what both touch.

namespace {

using scalar = etch::tensor<float, 0>;

template <class Call>
void in_another_thread(Call call) {
  std::thread(call).join();
}
std::string refused(const char* call) {
  return std::string("tape: ") + call + " is called by another thread than the one that has made the tape, whose ops it records";
}

}  // namespace

TEST_SUITE("threads") {
  TEST_CASE("TAPE-05: a tape that another thread asks throws, and stays as it is") {
    const scalar x = 3;
    std::string told[3];
    {
      etch::tape tape;
      const scalar y = x * x;
      in_another_thread([&] {
        told[0] = message_of([&] { tape.gradient(y, x); });
        told[1] = message_of([&] { tape.stop(); });
        told[2] = message_of([&] { tape.watch(x); });
      });
      const scalar z = y * x;
      CHECK(tape.gradient(z, x).item() == 27);
    }
    CHECK(told[0] == refused("gradient"));
    CHECK(told[1] == refused("stop"));
    CHECK(told[2] == refused("watch"));
    CHECK((x * x).item() == 9);
  }

  TEST_CASE("TAPE-05: a tape that another thread has asked leaves nothing behind when its scope ends") {
    const scalar x = 3;
    const auto ask = [&](auto&& call) {
      etch::tape tape(etch::persistent);
      const scalar y = x * x;
      in_another_thread([&] { message_of([&] { call(tape, y); }); });
    };
    ask([&](etch::tape& tape, const scalar& y) { tape.gradient(y, x); });
    CHECK((x * x).item() == 9);
    ask([](etch::tape& tape, const scalar&) { tape.stop(); });
    CHECK((x * x).item() == 9);
    etch::tape again;
    CHECK(again.gradient(x * x, x).item() == 6);
  }

  TEST_CASE("TAPE-05: a tape that another thread destroys leaves nothing behind, whatever tapes stand around it") {
    const std::int64_t before = etch::eager::live_bytes();
    {
      const scalar x = 3;
      etch::tape outer;
      auto middle = std::make_unique<etch::tape>();
      etch::tape inner;
      scalar y = x * x;
      in_another_thread([&] { middle.reset(); });
      y = y * x;
      const scalar slope = inner.gradient(y, x);
      CHECK(slope.item() == 27);
      CHECK(outer.gradient(slope, x).item() == 18);

      std::optional<etch::tape> alone(std::in_place);
      y = x * x;
      in_another_thread([&] { alone.reset(); });
      etch::tape later;
      CHECK(later.gradient(x * x, x).item() == 6);
    }
    CHECK((scalar(3) * scalar(2)).item() == 6);
    CHECK(etch::eager::live_bytes() == before);
  }

  TEST_CASE("TAPE-05: a tape is destroyed while its thread evaluates") {
    const scalar x = 3;
    auto tape = std::make_unique<etch::tape>(etch::persistent);
    std::atomic<bool> has_begun = false, is_over = false;
    std::thread other([&] {
      while (!has_begun) std::this_thread::yield();
      tape.reset();
      is_over = true;
    });
    int wrong = 0;
    for (int i = 0; i < 1000 || !is_over; ++i) {
      wrong += (x * x).item() == 9 ? 0 : 1;
      has_begun = true;
    }
    other.join();
    CHECK(wrong == 0);
    etch::tape later;
    CHECK(later.gradient(x * x, x).item() == 6);
  }

  TEST_CASE("TAPE-05: a tape outlives the thread that has made it") {
    const scalar x = 3;
    std::unique_ptr<etch::tape> tape;
    scalar y;
    in_another_thread([&] {
      tape = std::make_unique<etch::tape>();
      y = x * x;
    });
    // Its number is not that of a thread which begins later, at the same place in memory perhaps.
    std::string told;
    in_another_thread([&] { told = message_of([&] { tape->gradient(y, x); }); });
    CHECK(told == refused("gradient"));
    CHECK(message_of([&] { tape->gradient(y, x); }) == refused("gradient"));
    tape.reset();
    CHECK((x * x).item() == 9);
  }

  TEST_CASE("TAPE-05: of tapes that record no more nothing is left in their thread's list") {
    const scalar x = 3;
    etch::tape outer(etch::persistent);
    std::optional<etch::tape> inner(std::in_place, etch::persistent);
    const scalar y = x * x * x;
    outer.stop();
    CHECK(inner->gradient(y, x).item() == 27);
    CHECK(inner->gradient(y, x).item() == 27);
    CHECK(outer.gradient(y, x).item() == 27);
    inner.reset();
    CHECK(etch::eager::this_recorder == nullptr);
  }
}
