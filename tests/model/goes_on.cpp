// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <etch/checkpoint.hpp>
#include <etch/etch.hpp>
#include <etch/model.hpp>
#include <format/files.hpp>
#include <model/line.hpp>
#include <model/line_model.hpp>

/// Trainings that go on within an epoch, from a checkpoint that was saved behind any of its batches.
namespace {

using namespace etch;
using namespace etch::literals;

auto batches_of(const line& data) { return data::slices(data.x, data.y).shuffle(40, 3).batch(8); }

}  // namespace

TEST_CASE("fit goes on behind any batch of an epoch, the last one too, to the last bit") {
  const line data(22);  // 8, 8 and 6 samples
  const files::folder folder("goes_on");
  auto whole = make_line_model();
  auto batches = batches_of(data);
  checkpoint saved;
  saved.track("model", whole).track("data", batches);
  whole.fit(batches, {.epochs = 2}, on_batch_end([&](auto&, const fit_batch& b) {
              saved.save(folder / (std::to_string(b.epoch) + "_" + std::to_string(b.number)));
            }));
  for (const int epoch : {1, 2})
    for (const int batch : {0, 1, 2}) {
      CAPTURE(epoch);
      CAPTURE(batch);
      auto resumed = make_line_model();
      auto rest = batches_of(data);
      checkpoint()
          .track("model", resumed)
          .track("data", rest)
          .restore(folder / (std::to_string(epoch) + "_" + std::to_string(batch)));
      CHECK(rest.goes_on());
      std::vector<std::int64_t> samples;
      const history h = resumed.fit(rest, {.epochs = 3 - epoch}, on_batch_end([&](auto&, const fit_batch& b) {
                                      CHECK((b.total == 0 || b.total == 22));
                                      CHECK(b.samples <= 22);
                                      samples.push_back(b.samples);
                                    }));
      CHECK(values_of(resumed) == values_of(whole));
      // An epoch of which nothing is left is in no history.
      CHECK(h.epochs() == static_cast<std::size_t>(3 - epoch) - (batch == 2 ? 1 : 0));
      CHECK(samples.size() == static_cast<std::size_t>(2 - batch + 3 * (2 - epoch)));
      CHECK(!rest.goes_on());
    }
}
TEST_CASE("evaluate and predict of what is left of a round, and of nothing that is left") {
  const line data(22);
  auto m = make_line_model();
  const auto position_behind = [&](int count) {
    auto d = batches_of(data);
    for (int seen = 0; auto batch : d) {
      static_cast<void>(batch);
      if (++seen == count) break;
    }
    return d.position();
  };
  auto d = batches_of(data);
  d.restore(position_behind(2));
  CHECK(m.predict(d).shape()[0] == 6);
  d.restore(position_behind(3));
  std::string message;
  try {
    m.evaluate(d);
  } catch (const error& e) {
    message = e.what();
  }
  CHECK(message == "evaluate: the dataset has no elements behind its position");
  CHECK(m.predict(d).shape()[0] == 22);
}
