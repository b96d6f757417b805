// SPDX-License-Identifier: MIT
#pragma once
#include <string>
#include <utility>

#include <etch/graph/names.hpp>
#include <etch/graph/print.hpp>
#include <etch/ops/regions.hpp>
#include <etch/schedule/plan.hpp>
#include <etch/schedule/stages.hpp>

/// Plans as text, one line per step, stable: what the golden tests compare and what a user reads to see what was fused.
namespace etch {

namespace detail {

inline const char* kind_name(cluster_kind k) {
  switch (k) {
    case cluster_kind::map: return "map";
    case cluster_kind::sweep: return "sweep";
    case cluster_kind::scan: return "scan";
    case cluster_kind::contraction: return "contraction";
    case cluster_kind::opaque: return "opaque";
    case cluster_kind::copy: return "copy";
    case cluster_kind::call: return "call";
  }
  return "";
}

/// By `append`: g++ 12 warns, at -O2 and without reason, of `"..." + std::string()` (-Wrestrict).
inline std::string joined(const char* text, const std::string& more) { return std::string(text).append(more); }
inline std::string numbered(const char* text, int number) { return joined(text, std::to_string(number)); }

template <class Plan>
std::string buffer_text(int b, const named_graph& g) {
  const auto& p = Plan::value;
  if (b < 0) return "index";
  const buffer& d = p.buffers[b];
  const auto node_name = [&](const std::string& otherwise) {
    const auto n = static_cast<std::size_t>(d.node);
    return d.node >= 0 && g.is_named[n] != 0 ? g.names[n] : otherwise;
  };
  const auto slot = [&](const port& q) { return q.name != nullptr ? std::string(q.name) : node_name("node"); };
  switch (d.kind) {
    case storage::arena:
      return node_name(numbered("%", b)) + (d.shares >= 0 ? joined("(in place of ", buffer_text<Plan>(d.shares, g)) + ")" : "");
    case storage::feed:
      if (d.index < 0) return g.names[static_cast<std::size_t>(d.node)];  // the plan was asked for without it
      return p.feeds[d.index].name != nullptr ? std::string(p.feeds[d.index].name) : node_name(numbered("given", d.index));
    case storage::variable: return slot(p.variables[d.index]);
    case storage::fetch: {
      const std::string name = node_name("");
      return numbered("fetch", d.index) + (name.empty() ? "" : joined("(", name) + ")");
    }
    case storage::extent: return to_string(Plan::facts.extents, d.elements);
  }
  return "";
}

/// The ops of a kernel's program, in order, then those of operands that it computes; nothing where it has none.
template <class Plan, int K>
std::string program_text() {
  std::string text, operands[2];
  [&]<int... W>(std::integer_sequence<int, W...>) {
    (
        [&] {
          constexpr const plan_step& s = Plan::value.steps[Plan::value.kernels[K].first_step];
          constexpr instruction in = decode_instruction(Plan::value.program_words[s.first_word + 2 * W],
                                                        Plan::value.program_words[s.first_word + 2 * W + 1]);
          constexpr bool is_operand = s.packed != 0 && in.section != 0;
          std::string& to = is_operand ? operands[is_operand ? in.section / 2 - 1 : 0] : text;
          const char* separator = to.empty() ? "" : " ";
          if constexpr (in.code == opcode::apply || in.code == opcode::reduce || in.code == opcode::scan)
            to.append(separator).append(op_of<in.payload>::name);
          if constexpr (is_operand && in.code == opcode::load && in.memory != in.type) to.append(separator).append("cast");
          if constexpr (in.code == opcode::accumulator) to += s.op_name;
        }(),
        ...);
  }(std::make_integer_sequence<int, Plan::value.kernels[K].key.word_count / 2>{});
  if (!operands[0].empty()) text += " (first operand: " + operands[0] + ")";
  if (!operands[1].empty()) text += " (second operand: " + operands[1] + ")";
  return text;
}

/// Appends a name unless the list has it.
inline void add_name(std::string& list, const std::string& name) {
  if ((joined(" ", list) + " ").find(joined(" ", name) + " ") != std::string::npos) return;
  list += (list.empty() ? "" : " ") + name;
}

/// What a call runs.
inline const char* call_name(call_kind kind) {
  switch (kind) {
    case call_kind::loop: return "loop";
    case call_kind::loop_with_condition: return "while";
    case call_kind::branch: return "branch";
    case call_kind::function: return "function";
  }
  return "";
}

template <class Plan>
std::string step_text(int i, const std::string& program, const named_graph& g) {
  const auto& p = Plan::value;
  const plan_step& s = p.steps[i];
  std::string text = std::to_string(i) + " " + kind_name(s.kind) + " [";
  for (int d = 0; d < s.rank; ++d) {
    if (d > 0) text += d != s.kept || s.kind == cluster_kind::opaque ? ", " : s.kind == cluster_kind::contraction ? " x " : " | ";
    if (d == 0 && (s.kind == cluster_kind::sweep || s.kind == cluster_kind::scan) && s.kept == 0) text += "| ";
    text += to_string(Plan::facts.extents, p.extent(s, d));
  }
  const char* const op = s.kind == cluster_kind::call ? call_name(call_kind{p.attributes[s.first_attribute]}) : s.op_name;
  text += "] " + (program.empty() ? op : program) + " :";
  std::string reads, writes;
  for (int k = 0; k < s.access_count; ++k) {
    const access& a = p.accesses[s.first_access + k];
    add_name(a.stores ? writes : reads, buffer_text<Plan>(a.buffer, g));
  }
  return text + (reads.empty() ? "" : " ") + reads + " -> " + writes;
}

}  // namespace detail

/// One line per step: loop nest (rows | swept axes), ops, what is read -> what is written: slots and nodes by the names that the
/// program gives them, `fetch0` for the first result, `given0` for what a sub-graph is given first, else `%n` for buffer n of the arena.
/// Below a call of a loop or a branch, with two more spaces in front, the steps of its sub-graphs, `--` between them: of a loop the
/// condition's last, of `cond` what is run where it is true first. `roots`: the expressions that the plan is made from.
template <class Plan>
std::string plan_text(const record* const* roots, int count, const std::string& indent = "");

namespace detail {

template <class Plan, int Number>
std::string call_text(const record* const* roots, int count, const std::string& indent) {
  std::string text;
  [&]<int... Part>(std::integer_sequence<int, Part...>) {
    ((text += plan_text<typename Plan::template part<Number, Part>>(roots, count, indent + "  ") +
              (Part + 1 < static_cast<int>(sizeof...(Part)) ? indent + "  --\n" : "")),
     ...);
  }(std::make_integer_sequence<int, Plan::template parts<Number>>{});
  return text;
}

}  // namespace detail

template <class Plan>
std::string plan_text(const record* const* roots, int count, const std::string& indent) {
  const named_graph g = name_nodes(detail::kept_graph<typename Plan::materialised>::value.thaw(), roots, count);
  std::string programs[Plan::size.kernels + 1], calls[Plan::calls + 1];
  [&]<int... K>(std::integer_sequence<int, K...>) {
    ((programs[K] = detail::program_text<Plan, K>()), ...);
  }(std::make_integer_sequence<int, Plan::size.kernels>{});
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ((calls[N] = detail::call_text<Plan, N>(roots, count, indent)), ...);
  }(std::make_integer_sequence<int, Plan::calls>{});
  std::string text;
  for (int i = 0; i < Plan::size.steps; ++i) {
    const plan_step& s = Plan::value.steps[i];
    text += indent + detail::step_text<Plan>(i, programs[s.kernel], g) + "\n";
    if (s.kind == cluster_kind::call) text += calls[Plan::value.attributes[s.first_attribute + 1]];
  }
  return text;
}

}  // namespace etch
