// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <etch/format/protobuf.hpp>
#include <etch/format/tensorflow_type.hpp>
#include <etch/print.hpp>

/// Graphs as TensorFlow's GraphDef, which TensorBoard draws: scopes are boxes, devices are colours.
namespace etch::summary::detail {

/// The device of what runs on one: `/device:CPU:0`; of expressions none.
template <class Backend>
std::string device_named() {
  return std::string("/device:") + (Backend::name[0] == 'g' ? "GPU" : "CPU") + ":0";
}
template <class Backend, class... Roots>
std::string known_device(const basic_session<Backend, Roots...>&) {
  return device_named<Backend>();
}
template <class Plan, class Backend>
std::string known_device(const plan_report<Plan, Backend>&) {
  return device_named<Backend>();
}
template <class... What>
std::string device_of(const What&... what) {
  if constexpr (requires { known_device(what...); })
    return known_device(what...);
  else
    return "";
}

/// The attribute `_output_shapes`: a shape for each result. An extent that is not known has the size -1, and its name.
inline void write_output_shapes(format::protobuf_writer& w, const extent_table& table, const tensor_type& type) {
  w.message(1, [&] {
    if (type.type == dtype::none) return;
    w.message(7, [&] {
      for (int i = 0; i < type.rank; ++i)
        w.message(2, [&] {
          const bool is_known = is_static(type.extents[i]);
          w.integer(1, is_known ? type.extents[i] : -1);
          if (!is_known) w.text(2, to_string(table, type.extents[i]));
        });
    });
  });
}

/// What ops are parametrised by stands there as texts, as does the line of source as `place`. TensorBoard draws a Const beside what uses it,
/// and knows `assign` itself.
inline std::string graph_def(const named_graph& named, const std::string& device) {
  const graph& g = named.value;
  const std::vector<node_row> rows = node_table(named);
  std::string definition;
  format::protobuf_writer w(definition);
  for (int n = 0; n < static_cast<int>(rows.size()); ++n) {
    const node_row& row = rows[static_cast<std::size_t>(n)];
    const tensor_type type = g.type(n < g.size() ? n : g.assignments[n - g.size()].variable);
    w.message(1, [&] {
      w.text(1, row.name);
      w.text(2, row.op == "constant" ? "Const" : row.op);
      for (const std::string& input : row.inputs) w.text(3, input.substr(0, input.rfind(':')));
      for (const std::string& input : row.control_inputs) w.text(3, input);
      w.text(4, row.device.empty() ? device : row.device);
      const auto text = [&](const std::string& name, const std::string& value) { w.entry(5, name, [&] { w.text(2, value); }); };
      for (const node_attribute& a : row.attributes) text(a.name, a.value);
      if (!row.place.empty()) text("place", row.place);
      if (type.type != dtype::none) w.entry(5, "T", [&] { w.integer(6, format::detail::tensorflow_code(type.type)); });
      w.entry(5, "_output_shapes", [&] { write_output_shapes(w, g.extents, type); });
    });
  }
  return definition;
}

}  // namespace etch::summary::detail
