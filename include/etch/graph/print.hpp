// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <etch/base/formatted.hpp>
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
/// One word of an op's attributes.
inline std::string attribute_text(const graph& g, int n, attribute_kind kind, std::int64_t word) {
  switch (kind) {
    case attribute_kind::axes: {
      std::string axes;
      for (int i = 0; i < max_rank; ++i)
        if ((word >> i & 1) != 0) axes.append(axes.empty() ? "" : ",").append(std::to_string(i));
      return axes;
    }
    case attribute_kind::scalar: {
      const scalar s = constant.decode(g.type(n).type, word);
      if (is_floating(s.type)) return formatted("%.9g", s.real);
      return s.type == dtype::uint64 ? std::to_string(static_cast<std::uint64_t>(s.integer)) : std::to_string(s.integer);
    }
    case attribute_kind::extent: return word == to_end ? "end" : to_string(g.extents, word);
    case attribute_kind::padding: return word == INT64_MAX ? "same" : std::to_string(word);
    case attribute_kind::type: return name_of_dtype(static_cast<dtype>(word));
    case attribute_kind::letters: {
      std::string letters;
      for (; word != 0; word >>= 8) letters += static_cast<char>(word & 255);
      return letters;
    }
    default: return std::to_string(word);
  }
}

/// ` (0,2,1)`: some words of node n, or of an assignment to it.
inline std::string words_text(const graph& g, int n, const attribute_names& names, int first, int count) {
  std::string text = " (";
  for (int k = 0; k < count; ++k) {
    const int at = names.count == 0 ? -1 : names.per_axis ? k % names.count : k;
    const attribute_kind kind = at < 0 || at >= names.count ? attribute_kind::number : names.at[at].kind;
    text.append(k > 0 ? "," : "").append(attribute_text(g, n, kind, g.pool[first + k]));
  }
  return text + ")";
}

/// ` 0.5` of a constant, ` axis=1 keep_dims` of a reduction, ` (0,2,1)` of a transpose.
inline std::string attributes_text(const graph& g, int n) {
  const node& d = g[n];
  if (d.word_count == 0 || d.slot != nullptr || d.op->role == op_role::cast) return "";  // the result's dtype says it
  const attribute_names& names = *d.op->names;
  if (d.op->role == op_role::extent && d.count == 0) return " " + to_string(g.extents, g.word(n, 0));
  std::string text;
  if (d.op->role == op_role::constant) return text.append(" ").append(attribute_text(g, n, names.at[0].kind, g.word(n, 0)));
  if (names.count > 0 && !names.per_axis && names.at[0].kind == attribute_kind::axes) {
    for (int k = 0; k < d.word_count && k < names.count; ++k) {
      if (names.at[k].kind == attribute_kind::flag)
        text += g.word(n, k) != 0 ? std::string(" ") + names.at[k].name : "";
      else
        text.append(" ").append(names.at[k].name).append("=").append(attribute_text(g, n, names.at[k].kind, g.word(n, k)));
    }
    return text;
  }
  return words_text(g, n, names, d.first_word, d.word_count);
}

/// By `append`: g++ 12 warns, at -O2 and without reason, of `"..." + std::string()` (-Wstringop-overflow).
/// A graph whose node n is called `name(n)`; slots say their names where that is another one. `more`: lines before that of the fetches.
template <class Name>
std::string graph_text(const graph& g, const Name& name, const std::string& more = "") {
  std::string text;
  for (int i = 0; i < g.size(); ++i) {
    text += name(i) + " = " + g[i].op->name;
    if (g[i].slot != nullptr && name(i) != g[i].slot->name) text += std::string(" \"") + g[i].slot->name + "\"";
    text += attributes_text(g, i);
    for (int k = 0; k < g[i].count; ++k) text.append(" ").append(name(g.operand(i, k)));
    text.append(" : ").append(to_string(g.extents, g.type(i))).append("\n");
  }
  for (int i = 0; i < g.assignments.size(); ++i) {
    const assignment& a = g.assignments[i];
    text.append("assign ").append(name(a.variable));
    if (a.word_count > 0) text += words_text(g, a.variable, slice.names, a.first_word, a.word_count);
    text.append(" ").append(name(a.value)).append("\n");
  }
  text += more + "fetch";
  for (int i = 0; i < g.fetches.size(); ++i) text.append(" ").append(name(g.fetches[i]));
  return text + "\n";
}
}  // namespace detail

/// A graph without names: `%3 = add %1 %2 : float32[2]`, one line per node; `assign %0 %3`, one per assignment; and the fetches.
inline std::string to_string(const graph& g) {
  return detail::graph_text(g, [](int n) { return "%" + std::to_string(n); });
}

}  // namespace etch
