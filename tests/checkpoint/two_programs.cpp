// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include <sys/wait.h>

#include <checkpoint/model.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

/// The model after some steps, and what it then gives for its samples, as a program prints it.
template <class Session>
std::string outputs_of(Session& session) {
  const auto [a, b] = model::samples();
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", static_cast<double>(session.run(model::loss, model::x = a, model::y = b)));
  return text;
}

}  // namespace

TEST_CASE("CKPT-07, CKPT-09: one program trains and saves each 100 batches, another restores the last and gives what that gave") {
  const files::folder folder("two_programs");
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      etch::session session(model::loss, model::train);
      session.initialize(3);
      const auto [a, b] = model::samples();
      auto batches = data::slices(a, b).shuffle(40, 1).batch(8).repeat();
      checkpoint c;
      c.track("model", session);
      checkpoint_manager manager(c, folder / "saved", {.max_to_keep = 2});
      std::int64_t step = 0;
      for (auto [x, y] : batches) {
        session.run(model::train, model::x = x, model::y = y);
        if (++step % 100 == 0) {
          const random_state before = session.random_state();
          files::write(folder / "printed", outputs_of(session));
          session.set_random_state(before);
          manager.save(step);
        }
        if (step == 350) break;
      }
      ::_exit(0);
    } catch (...) {
    }
    ::_exit(1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  REQUIRE(status == 0);
  etch::session session(model::loss, model::train);
  checkpoint c;
  c.track("model", session);
  const auto latest = latest_checkpoint(folder / "saved");
  REQUIRE(latest);
  CHECK(latest->filename() == "ckpt-300");
  c.restore(*latest);
  CHECK(outputs_of(session) == files::read(folder / "printed"));
}
