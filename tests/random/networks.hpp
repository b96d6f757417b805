// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <etch/layers.hpp>
#include <etch/layers/bidirectional.hpp>
#include <etch/model.hpp>

#include "results.hpp"

/// What random networks share.
namespace etch::random_tests {

/// Their names as a text of lines.
template <class Variables>
void write_names(int number, const char* way, const Variables& variables) {
  std::string names;
  for (const auto& v : variables) names += std::string(v.name()) + "\n";
  write_text(number, way, 0, names);
}
/// Each variable's elements as a fetch, in order.
template <class Variables>
void write_variables(int number, const char* way, Variables variables) {
  for (int i = 0; auto v : variables) write_numbers(number, way, i++, v.template get<double>());
}

/// Moving averages of variables, for as many as there are: the names of these, and elements.
template <class Model>
void write_averages(int number, Model& m) {
  std::string names;
  int i = 0;
  for (auto v : m.variables())
    for (auto kept : m.session().variables()) {
      const std::string_view name = kept.name(), of = v.name();
      if (!name.starts_with(of) || !name.ends_with("/average") || name.find('/', of.size() + 1) + 8 != name.size()) continue;
      names += std::string(of) + "\n";
      write_numbers(number, "averages", i++, kept.template get<double>());
    }
  write_text(number, "averaged", 0, names);
}

/// Trains two equal models on the same rows, batch by batch and by `fit`, and writes what comes of it. `from`: the byte at which inputs begin,
/// targets come behind them.
template <class Net, class Optimizer, auto... In, auto... Out>
void run_network(int number, Net net, Optimizer optimizer, shape<In...>, shape<Out...>, std::size_t from, std::size_t rows,
                 std::size_t batch) {
  const auto some = [](std::size_t begin, std::size_t row, std::size_t count, auto... extents) {
    return load<double, 1 + sizeof...(extents)>(begin + row * (extents * ...) * sizeof(double), {count, extents...});
  };
  const auto inputs_from = [&](std::size_t row, std::size_t count) {
    return some(from, row, count, static_cast<std::size_t>(In)...);
  };
  const std::size_t behind = from + rows * (static_cast<std::size_t>(In) * ...) * sizeof(double);
  const auto targets_from = [&](std::size_t row, std::size_t count) {
    return some(behind, row, count, static_cast<std::size_t>(Out)...);
  };
  const auto x = inputs_from(0, rows);
  const auto target = targets_from(0, rows);
  attempt(number, "by_batches", [&] {
    model m(input<double, In...>, net, optimizer, losses::mean_squared_error);
    write_names(number, "names", m.variables());
    write_names(number, "trained", m.trainable_variables());
    write_numbers<double>(number, "counts", 0,
                          {static_cast<double>(m.parameter_count), static_cast<double>(m.trainable_parameter_count)});
    write_variables(number, "begin", m.variables());
    write_one(number, "predict", 0, m.predict(x));
    std::vector<double> losses;
    for (int epoch = 0; epoch < 2; ++epoch)
      for (std::size_t row = 0; row < rows; row += batch) {
        const std::size_t count = rows - row < batch ? rows - row : batch;
        losses.push_back(m.train_on_batch(inputs_from(row, count), targets_from(row, count))[0]);
      }
    write_numbers(number, "losses", 0, losses);
    write_variables(number, "end", m.variables());
    write_averages(number, m);
    write_one(number, "predict", 1, m.predict(x));
    write_numbers<double>(number, "evaluate", 0, {m.evaluate(x, target, 3)[0], m.test_on_batch(x, target)[0]});
    if (m.summary().empty()) throw error("an empty summary");
  });
  attempt(number, "by_fit", [&] {
    model m(input<double, In...>, net, optimizer, losses::mean_squared_error);
    const history h = m.fit(data::slices(x, target).batch(static_cast<std::int64_t>(batch)), {.epochs = 2});
    write_numbers(number, "history", 0, h["loss"]);
    write_variables(number, "fitted", m.variables());
  });
}

}  // namespace etch::random_tests
