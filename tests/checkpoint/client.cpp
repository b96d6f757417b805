// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <etch/checkpoint.hpp>
#include <etch/etch.hpp>
#include <format/client.hpp>
#include <format/files.hpp>

namespace {

using namespace etch;

constexpr placeholder<"x", float, 2, 1> x;
constexpr auto y = nn::dense<"first", 4>(x);

/// What the client script has.
struct model {
  etch::session<decltype(y)> session{y};
  std::int64_t step = 0;
  std::vector<float> losses;
  etch::checkpoint checkpoint;

  model() { checkpoint.track("model", session).track("step", step).track("losses", losses); }
  model(const model&) = delete;
  void check() const {
    CHECK(session.get<"first/kernel">() == xt::xtensor<float, 2>{{0, .5f, 1, 1.5f}});
    CHECK(session.get<"first/bias">() == xt::xtensor<float, 1>{-1, -2, -3, -4});
    CHECK(step == 41);
    CHECK(losses == std::vector<float>{3, 2, 1});
  }
  void save(const std::filesystem::path& folder, const char* extension) {
    session.initialize();
    session.set<"first/kernel">({{0, .5f, 1, 1.5f}});
    session.set<"first/bias">({-1, -2, -3, -4});
    step = 41;
    losses = {3, 2, 1};
    checkpoint_manager manager(checkpoint, folder, {.max_to_keep = 2, .extension = extension});
    for (int i = 0; i < 3; ++i) manager.save();
  }
  /// Of a file that others wrote, who know of no random draws.
  void restore(const std::filesystem::path& file) {
    const restore_report report = checkpoint.restore_partial(file);
    CHECK(report.missing == std::vector<std::string>{"model/.random_state"});
    CHECK(report.left_over.empty());
    CHECK(report.different.empty());
    check();
    CHECK(checkpoint.saves() == 3);
  }
};

}  // namespace

TEST_CASE(
    "CKPT-02, CKPT-04, CKPT-10: tf.train.Checkpoint and CheckpointManager restore what etch saved and go on, and etch from "
    "theirs") {
  if (!client::is_there("tensorflow")) return;
  const files::folder folder("checkpoint_client");
  model().save(folder / "ours", "");
  CHECK(client::run("checkpoint_client.py", {"restore", (folder / "ours").string()}));
  // What TensorFlow saved behind it is the latest now, in its own words.
  CHECK(latest_checkpoint(folder / "ours") == folder / "ours" / "ckpt-4");
  model again;
  again.checkpoint.restore_partial(*latest_checkpoint(folder / "ours"));
  again.check();
  CHECK(again.checkpoint.saves() == 4);

  REQUIRE(client::run("checkpoint_client.py", {"save", (folder / "theirs").string()}));
  REQUIRE(latest_checkpoint(folder / "theirs") == folder / "theirs" / "ckpt-3");
  model m;
  m.restore(folder / "theirs" / "ckpt-3");
}

TEST_CASE("NumPy reads a checkpoint, and etch restores the one that NumPy writes") {
  if (!client::is_there("numpy")) return;
  const files::folder folder("checkpoint_npz");
  std::string note = "a note";
  model m;
  m.checkpoint.track("note", note);
  m.save(folder.path(), ".npz");
  REQUIRE(client::run("checkpoint_client.py", {"npz", folder.path().string()}));
  model().restore(folder / "theirs.npz");
}
TEST_CASE("the safetensors library reads a checkpoint, and etch restores the one that it writes") {
  if (!client::is_there("safetensors")) return;
  const files::folder folder("checkpoint_safetensors");
  model().save(folder.path(), ".safetensors");
  REQUIRE(client::run("checkpoint_client.py", {"safetensors", folder.path().string()}));
  model().restore(folder / "theirs.safetensors");
}
