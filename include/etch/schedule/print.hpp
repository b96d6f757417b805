// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>

#include <etch/graph/print.hpp>
#include <etch/schedule/plan.hpp>

/// Plans as text, one line per step, stable: what the golden tests compare and what a user reads to see what was fused.
namespace etch {

namespace detail {

inline const char* kind_name(cluster_kind k) {
  switch (k) {
    case cluster_kind::map: return "map";
    case cluster_kind::sweep: return "sweep";
    case cluster_kind::contraction: return "contraction";
    case cluster_kind::opaque: return "opaque";
    case cluster_kind::copy: return "copy";
  }
  return "";
}

template <class Plan>
std::string buffer_text(int b) {
  const auto& p = Plan::value;
  if (b < 0) return "index";
  const buffer& d = p.buffers[b];
  const auto slot = [](const port& q) { return q.name != nullptr ? std::string(q.name) : std::string("node"); };
  switch (d.kind) {
    case storage::arena: return "%" + std::to_string(b) + (d.shares >= 0 ? "(in place of %" + std::to_string(d.shares) + ")" : "");
    case storage::feed: return slot(p.feeds[d.index]);
    case storage::variable: return slot(p.variables[d.index]);
    case storage::fetch: return "fetch" + std::to_string(d.index);
    case storage::extent: return to_string(p.extents, d.elements);
  }
  return "";
}

/// The ops of a step's program, in order.
template <class Plan, int I>
std::string program_text() {
  std::string text;
  [&]<int... W>(std::integer_sequence<int, W...>) {
    (
        [&] {
          constexpr instruction in = decode_instruction(Plan::value.program_words[Plan::value.steps[I].first_word + 2 * W],
                                                        Plan::value.program_words[Plan::value.steps[I].first_word + 2 * W + 1]);
          const char* separator = text.empty() ? "" : " ";
          if constexpr (in.code == opcode::apply || in.code == opcode::reduce) text += separator + std::string(op_of<in.payload>::name);
          if constexpr (in.code == opcode::accumulator) text += "matmul";
        }(),
        ...);
  }(std::make_integer_sequence<int, Plan::value.steps[I].word_count / 2>{});
  return text.empty() ? Plan::value.steps[I].op_name : text;
}

template <class Plan, int I>
std::string step_text() {
  const auto& p = Plan::value;
  const step& s = p.steps[I];
  std::string text = std::to_string(I) + " " + kind_name(s.kind) + " [";
  for (int d = 0; d < s.rank; ++d) {
    if (d > 0) text += s.kind == cluster_kind::sweep && d == s.kept ? " | " : ", ";
    if (d == 0 && s.kind == cluster_kind::sweep && s.kept == 0) text += "| ";
    text += to_string(p.extents, s.extents[d]);
  }
  if (s.kind == cluster_kind::contraction) text += " x " + to_string(p.extents, s.inner);
  text += "] " + program_text<Plan, I>() + " :";
  std::string reads, writes;
  for (int k = 0; k < s.access_count; ++k) {
    const int b = p.accesses[s.first_access + k].buffer;
    bool written = s.kind == cluster_kind::opaque && k == 0;
    for (int w = 0; w < s.word_count; w += 2) {
      const instruction in = decode_instruction(p.program_words[s.first_word + w], 0);
      written = written || (in.code == opcode::store && in.slot == k);
    }
    const std::string name = " " + buffer_text<Plan>(b);
    if ((written ? writes : reads).find(name + " ") == std::string::npos) (written ? writes : reads) += name + " ";
  }
  const auto tidy_spaces = [](std::string t) {
    std::string r;
    for (char c : t)
      if (c != ' ' || (!r.empty() && r.back() != ' ')) r += c;
    while (!r.empty() && r.back() == ' ') r.pop_back();
    return r;
  };
  return text + " " + tidy_spaces(reads) + " -> " + tidy_spaces(writes);
}

}  // namespace detail

/// One line per step: loop nest (rows | swept axes), ops, what is read -> what is written. %n is a buffer in the arena.
template <class Plan>
std::string to_string_plan() {
  std::string text;
  [&]<int... I>(std::integer_sequence<int, I...>) { ((text += detail::step_text<Plan, I>() + "\n"), ...); }
  (std::make_integer_sequence<int, Plan::size.steps>{});
  return text;
}

}  // namespace etch
