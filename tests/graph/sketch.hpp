// SPDX-License-Identifier: MIT
#pragma once
#include <deque>
#include <initializer_list>
#include <string>

#include <etch/graph/build.hpp>
#include <etch/ops/regions.hpp>
#include <etch/graph/print.hpp>

/// Graphs written by hand: a graph with the slots that it owns.
namespace etch {

inline tensor_type type_of(dtype d, std::initializer_list<extent_value> extents) {
  tensor_type t;
  t.type = d;
  for (extent_value e : extents) t.extents[t.rank++] = e;
  return t;
}

/// A placeholder of any content and slot, or of no slot.
constexpr ref append_placeholder(graph& owner, const tensor_type& type, const slot_info* slot, hash_t content) {
  return {&owner, owner.push(info_of<detail::placeholder_op>, words(), type, nullptr, 0, slot, content)};
}

struct sketch {
  graph g;
  std::deque<slot_info> slots;
  std::deque<std::string> names;

  sketch() = default;
  sketch(const sketch&) = delete;
  sketch& operator=(const sketch&) = delete;

  ref placeholder(const std::string& name, std::initializer_list<extent_value> extents, dtype d = dtype::float64) {
    return placeholder(name, type_of(d, extents));
  }
  ref placeholder(const std::string& name, const tensor_type& type) {
    return append_placeholder(g, type, slot(name), hash_of(name.c_str()));
  }
  ref variable(const std::string& name, std::initializer_list<extent_value> extents, dtype d = dtype::float64) {
    return variable(name, type_of(d, extents));
  }
  ref variable(const std::string& name, const tensor_type& type) {
    return {&g, g.push(info_of<detail::variable_op>, words(1), type, nullptr, 0, slot(name), hash_of(name.c_str()))};
  }
  ref parameter(int level, int number, std::initializer_list<extent_value> extents) {
    return {&g, g.push(info_of<region_parameter>, words(level, number), type_of(dtype::float64, extents), nullptr, 0)};
  }
  /// A loop or a branch, which has no value itself, and what it gives.
  ref region(const op_info& op, const words& w, std::initializer_list<ref> operands) {
    return value(op, w, operands, tensor_type{});
  }
  ref value_of(const op_info& op, const words& w, std::initializer_list<ref> operands,
               std::initializer_list<extent_value> extents) {
    return value(op, w, operands, type_of(dtype::float64, extents));
  }
  ref constant_of(double value, dtype d = dtype::float64) { return append_constant(g, d, value); }
  /// A random draw of that name.
  ref draw(hash_t name, std::initializer_list<extent_value> extents) {
    return {&g, g.push(info_of<uniform_draw>, words(name), type_of(dtype::float64, extents), nullptr, 0)};
  }
  ref call(const op_info& op, std::initializer_list<ref> operands, const words& w = words()) {
    ref in[64];
    int count = 0;
    for (const ref& r : operands) in[count++] = r;
    return append(op, w, in, count);
  }
  ref assign(ref variable, ref value) { return call(info_of<struct etch::assign>, {variable, value}); }
  /// To the part of the variable that a slice with these attributes is.
  ref assign(ref variable, const words& part, ref value) {
    const ref in[] = {variable, value};
    return append(info_of<struct etch::assign>, part, in, 2);
  }
  ref group(std::initializer_list<ref> operations) { return call(info_of<struct etch::group>, operations); }
  ref after(ref value, ref operation) { return call(info_of<struct etch::after>, {value, operation}); }
  ref reshape(ref x, std::initializer_list<extent_value> extents) { return etch::reshape.to(x, type_of(x.type().type, extents)); }
  ref broadcast(ref x, std::initializer_list<extent_value> extents) {
    return etch::broadcast_to.to(x, type_of(x.type().type, extents));
  }
  void fetch(std::initializer_list<ref> nodes) {
    for (const ref& r : nodes) g.fetches.push_back(r.node);
  }

 private:
  ref value(const op_info& op, const words& w, std::initializer_list<ref> operands, const tensor_type& type) {
    int in[64];
    int count = 0;
    for (const ref& r : operands) in[count++] = r.node;
    return {&g, g.push(op, w, type, in, count)};
  }
  const slot_info* slot(const std::string& name) {
    names.push_back(name);
    slots.push_back({names.back().c_str(), true, nullptr});
    return &slots.back();
  }
};

/// How many nodes of an op a graph has.
inline int count_of(const graph& g, const op_info& op) {
  int n = 0;
  for (int i = 0; i < g.size(); ++i) n += g.is(i, op) ? 1 : 0;
  return n;
}

/// Whether operands come before what is made of them, and fetches are nodes.
inline bool is_ordered(const graph& g) {
  for (int i = 0; i < g.size(); ++i)
    for (int k = 0; k < g[i].count; ++k)
      if (g.operand(i, k) < 0 || g.operand(i, k) >= i) return false;
  for (int i = 0; i < g.fetches.size(); ++i)
    if (g.fetches[i] < 0 || g.fetches[i] >= g.size()) return false;
  return true;
}

}  // namespace etch
