// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <string>
#include <string_view>

#include <etch/layers/sequential.hpp>
#include <etch/session/session.hpp>

/// What a model has: its parameters, and Keras's table of its layers.
namespace etch::detail {

/// Elements of those variables of an expression for which f(description) holds.
template <class Y, class F>
constexpr std::int64_t count_parameters(const F& f) {
  using root = root_graph<Y::hash>;
  std::int64_t count = 0;
  for (int v = 0; v < root::size.variables; ++v) {
    const variable_description& d = variables_of<root>::value.at[v];
    if (f(d)) count += d.elements;
  }
  return count;
}

/// "(None, 4)"
template <class Shape>
std::string keras_shape() {
  extent_table table;
  const tensor_type t = Shape::value(table, dtype::float32);
  std::string text = "(";
  for (int i = 0; i < t.rank; ++i)
    text += (i > 0 ? ", " : "") + (is_static(t.extents[i]) ? std::to_string(t.extents[i]) : std::string("None"));
  return text + (t.rank == 1 ? ",)" : ")");
}

template <class Net, class X, class F>
std::string model_summary(const F& is_trained) {
  using output = decltype(Net{}(X{}));
  std::string text = "Model: \"sequential\"\n";
  const std::string line(65, '_'), thick(65, '=');
  const auto row = [&](const std::string& a, const std::string& b, const std::string& c) {
    char cells[160];
    std::snprintf(cells, sizeof cells, " %-27s %-25s %-10s\n", a.c_str(), b.c_str(), c.c_str());
    text += cells;
  };
  text += line + "\n";
  row("Layer (type)", "Output Shape", "Param #");
  text += thick + "\n";
  std::int64_t all = 0, trainable = 0;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          constexpr auto name = Net::template name<static_cast<int>(I)>();
          using shape_type = typename decltype(Net{}.template first_layers<static_cast<int>(I) + 1>(X{}))::shape_type;
          const std::int64_t count =
              count_parameters<output>([&](const variable_description& d) { return is_under(d.name, name.text); });
          all += count;
          trainable +=
              count_parameters<output>([&](const variable_description& d) { return is_under(d.name, name.text) && is_trained(d); });
          row(name.text, keras_shape<shape_type>(), std::to_string(count));
        }(),
        ...);
  }(std::make_index_sequence<static_cast<std::size_t>(Net::size)>{});
  text += thick + "\n";
  text += "Total params: " + std::to_string(all) + "\nTrainable params: " + std::to_string(trainable) +
          "\nNon-trainable params: " + std::to_string(all - trainable) + "\n" + line + "\n";
  return text;
}

}  // namespace etch::detail
