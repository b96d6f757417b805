// SPDX-License-Identifier: MIT
#pragma once
#include <cstdio>
#include <string>

#include <etch/graph/graph.hpp>

/// Graphs as text, one line per node, stable: documentation, the golden tests' format, and the debugging tool.
namespace etch {

inline std::string to_string(const extent_table& table, extent_value e) {
  if (is_static(e)) return std::to_string(e);
  if (e == unknown_extent) return "?";
  const polynomial p = table.at(e);
  std::string text;
  for (int i = 0; i < p.count; ++i) {
    if (i > 0) text += p.coefficient[i] < 0 ? "-" : "+";
    const std::int64_t c = i > 0 && p.coefficient[i] < 0 ? -p.coefficient[i] : p.coefficient[i];
    bool first = true;
    if (c != 1 || p.powers[i] == 0) {
      text += std::to_string(c);
      first = false;
    }
    for (int s = 0; s < table.symbol_count(); ++s)
      for (std::uint64_t k = p.powers[i] >> (8 * s) & 255; k > 0; --k) {
        if (!first) text += "*";
        text += table.symbol_at(s).name;
        first = false;
      }
  }
  return text;
}

/// `float32[batch, 784]`; `none` for what has no value.
inline std::string to_string(const extent_table& table, const tensor_type& type) {
  std::string text = name_of_dtype(type.type);
  if (type.type == dtype::none) return text;
  text += "[";
  for (int i = 0; i < type.rank; ++i) text += (i > 0 ? ", " : "") + to_string(table, type.extents[i]);
  return text + "]";
}

namespace detail {
inline std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// Attributes as they read best for the op.
inline std::string attributes_text(const graph& g, int n) {
  const node& d = g[n];
  if (d.slot != nullptr) return std::string(" \"") + d.slot->name + "\"";
  if (g.is(n, info_of<struct constant>)) {
    const scalar s = constant.decode(d.type.type, g.word(n, 0));
    return " " + (is_floating(s.type) ? number(s.real) : std::to_string(s.integer));
  }
  if (g.is(n, info_of<cast>) || d.word_count == 0) return "";
  std::string text;
  if (g.is(n, info_of<size_of>) && d.count == 0) return " " + to_string(g.extents, g.word(n, 0));
  if (d.op->kind == op_kind::reduction || g.is(n, info_of<size_of>)) {
    for (int i = 0; i < max_rank; ++i)
      if ((g.word(n, 0) >> i & 1) != 0) text += (text.empty() ? " axis=" : ",") + std::to_string(i);
    if (d.word_count > 1 && g.word(n, 1) != 0) text += " keep_dims";
    return text;
  }
  text = " (";
  for (int k = 0; k < d.word_count; ++k)
    text += (k > 0 ? "," : "") + (g.word(n, k) == to_end             ? std::string("end")
                                  : g.is(n, info_of<struct slice>) ? to_string(g.extents, g.word(n, k))
                                                                   : std::to_string(g.word(n, k)));
  return text + ")";
}
}  // namespace detail

/// `%3 = add %1 %2 : float32[2]`, one line per node, and the fetches.
inline std::string to_string(const graph& g) {
  std::string text;
  for (int i = 0; i < g.size(); ++i) {
    text += "%" + std::to_string(i) + " = " + g[i].op->name + detail::attributes_text(g, i);
    for (int k = 0; k < g[i].count; ++k) text += " %" + std::to_string(g.operand(i, k));
    text += " : " + to_string(g.extents, g[i].type) + "\n";
  }
  text += "fetch";
  for (int i = 0; i < g.fetches.size(); ++i) text += " %" + std::to_string(g.fetches[i]);
  return text + "\n";
}

}  // namespace etch
