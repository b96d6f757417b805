// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/eager.hpp>
#include <etch/etch.hpp>
#include <etch/function.hpp>
#include <etch/summary/in_graph.hpp>

#include "readers.hpp"

/// Summaries that graphs write.
namespace {

using namespace etch;
using namespace etch::literals;

constexpr placeholder<"x", float, any<"n">> x;
constexpr auto w = variable<"w">(full<float>(shape<>{}, 3_c));
constexpr auto steps = variable<"steps">(zeros<int>(shape<>{}), not_trainable);
constexpr auto loss = mean(square(w * x));
constexpr auto train = optimizers::sgd(0.1_c).minimize(loss);
constexpr auto watched = group(summary::scalar<"loss">(loss, steps), summary::histogram<"x">(x, steps));

}  // namespace

TEST_CASE("TB-02, TB-04: a training step writes its loss, once a run in which it is fetched") {
  const readers::folder folder("in_graph");
  std::vector<std::string> expected;
  {
    summary::file_writer writer(folder.path);
    etch::session session(train, watched, assign_add(steps, 1_c), loss);
    session.initialize();
    const std::vector<float> values = {1, 1};
    session.run(watched, x = values);  // there is no writer
    {
      summary::default_writer here(writer);
      float w_now = 3;
      for (int i = 0; i < 3; ++i) {
        session.run(train, watched, x = values);
        session.run(assign_add(steps, 1_c));
        char line[64];
        std::snprintf(line, sizeof line, "scalar %d loss %.9g", i, static_cast<double>(w_now * w_now));
        expected.emplace_back(line);
        w_now -= 0.1f * 2 * w_now;
        session.run(loss, x = values);  // not fetched
      }
    }
    session.run(watched, x = values);
  }
  std::vector<std::string> scalars;
  for (const std::string& line : readers::lines_of("python3 summary/decode_events.py " + folder.path.string()))
    if (line.starts_with("scalar")) scalars.push_back(line);
  CHECK(scalars == expected);
}

TEST_CASE("summaries in loops, branches, traced functions and eager code") {
  const readers::folder folder("in_graph_modes");
  {
    summary::file_writer writer(folder.path), other(folder.path / "other");
    summary::default_writer here(writer);
    constexpr auto doubled = for_range<3>([](auto i, auto v) { return after(v * 2_c, summary::scalar<"in a loop">(v, i)); },
                                          full<float>(shape<>{}, 1.5_c));
    etch::session session(doubled);
    session.run(doubled);
    auto f = function([](auto a) { return after(a + 1_c, summary::scalar<"in a function">(a, 7_c)); });
    f(tensor<float, 0>(2.5f));
    summary::scalar<"eager">(sum(tensor<float, 1>{1, 2}), 5);
    {
      summary::default_writer there(other);
      summary::scalar<"elsewhere">(1.0f, 1);
    }
    summary::image<"image">(tensor<std::uint8_t, 2>{{0, 255}}, 6);
  }
  readers::check_values(folder.path, {"scalar 0 in a loop 1.5", "scalar 1 in a loop 3", "scalar 2 in a loop 6",
                                      "scalar 7 in a function 2.5", "scalar 5 eager 3", "image 6 image 1x2x1 00ff"});
}
