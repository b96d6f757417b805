// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <sstream>

#include <etch/checkpoint.hpp>
#include <etch/data.hpp>
#include <etch/etch.hpp>
#include <format/files.hpp>

// The code of docs/checkpoints.md.
namespace {

using namespace etch::literals;

constexpr etch::placeholder<"pixels", float, etch::any<"batch">, 4> pixels;
constexpr etch::placeholder<"digits", std::int32_t, etch::any<"batch">> digits;
constexpr auto logits = etch::nn::dense<"last", 3>(etch::dropout<"some">(pixels, 0.5_c));
constexpr auto loss = etch::mean(etch::nn::sparse_softmax_cross_entropy(logits, digits));
constexpr auto train = etch::optimizers::adam(1e-2_c).minimize(loss);

/// The program of the page, which is stopped at a step. Its weights then.
xt::xtensor<float, 2> run(const std::filesystem::path& saved, std::int64_t stop) {
  xt::xtensor<float, 2> images = xt::zeros<float>({60, 4});
  xt::xtensor<std::int32_t, 1> labels = xt::zeros<std::int32_t>({60});
  for (std::size_t i = 0; i < 60; ++i) {
    labels(i) = static_cast<std::int32_t>(i % 3);
    images(i, i % 3) = static_cast<float>(i);
  }

  etch::session session(loss, train);
  auto data = etch::data::slices(images, labels).shuffle(60, 1).batch(5);
  std::int64_t step = 0;

  etch::checkpoint checkpoint;
  checkpoint.track("model", session).track("data", data).track("step", step);
  etch::checkpoint_manager manager(checkpoint, saved, {.max_to_keep = 3});
  if (!manager.restore_latest()) session.initialize(42);

  while (step < stop)
    for (auto [x, y] : data) {
      session.run(train, pixels = x, digits = y);
      if (++step % 10 == 0) manager.save(step);
      if (step == stop) break;
    }
  return session.get<"last/kernel">();
}

}  // namespace

TEST_CASE("docs/checkpoints.md: a program that is stopped goes on as if it had not, and its files can be listed") {
  const files::folder folder("docs_checkpoints");
  const auto whole = run(folder / "whole", 57);
  run(folder / "stopped", 33);  // its newest checkpoint is of step 30
  CHECK(run(folder / "stopped", 57) == whole);

  etch::format::tensor_bundle_reader checkpoint(folder / "stopped" / "ckpt-50");
  std::ostringstream list;
  for (const etch::format::named_tensor& t : checkpoint.tensors())
    list << etch::format::name_of_stored(t.name) << ": " << t.type_text() << "\n";
  CHECK(list.str() ==
        "_CHECKPOINTABLE_OBJECT_GRAPH: string []\n"
        "data/dataset: string []\n"
        "data/position: int64 [4]\n"
        "model/.random_state: uint64 [2]\n"
        "model/last/bias: float32 [3]\n"
        "model/last/bias/adam/m: float32 [3]\n"
        "model/last/bias/adam/v: float32 [3]\n"
        "model/last/kernel: float32 [4, 3]\n"
        "model/last/kernel/adam/m: float32 [4, 3]\n"
        "model/last/kernel/adam/step: float64 []\n"
        "model/last/kernel/adam/v: float32 [4, 3]\n"
        "save_counter: int64 []\n"
        "step: int64 []\n");
}
