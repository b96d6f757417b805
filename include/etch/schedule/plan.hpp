// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>
#include <etch/passes/fuse.hpp>
#include <etch/schedule/program.hpp>

/// A plan as a value: steps in the order in which they run, each with its kernel and the memory that it touches.
namespace etch {

/// Where a buffer's memory comes from.
enum class storage : std::uint8_t {
  arena,     ///< planned: an offset in the session's workspace
  feed,      ///< handed in
  variable,  ///< the session's
  fetch,     ///< handed out
  extent     ///< one scalar: the value of a named extent (or of a polynomial in them)
};

struct buffer {
  storage kind = storage::arena;
  dtype type = dtype::none;
  extent_value elements = 0;  ///< or, for storage::extent, the extent itself
  int index = 0;              ///< of the feed, variable or fetch
  int first = 0, last = 0;    ///< steps that write it first and read it last
  int shares = -1;            ///< another buffer whose memory this one takes over in place
  std::int64_t offset = 0;    ///< bytes in the arena, where every extent is a number

  constexpr std::int64_t bytes(std::int64_t count) const { return (count * size_of_dtype(type) + 63) / 64 * 64; }
};

/// One operand of a step: element (i, j, ...) of the loop nest is at buffer + offset + i * stride[0] + ... elements.
struct access {
  int buffer = -1;
  dtype type = dtype::none;
  extent_value offset = 0;
  extent_value stride[max_rank]{};
  int rank = 0;                        ///< opaque steps only: the operand's own shape
  extent_value extents[max_rank]{};
};

/// One kernel call.
struct step {
  cluster_kind kind = cluster_kind::map;
  const op_info* op = nullptr;  ///< of an opaque step; else of the root, for printing
  int node = -1;
  int first_word = 0, word_count = 0;      ///< the program
  std::uint64_t lanes = 0;                 ///< lane modes of the accesses
  int first_access = 0, access_count = 0;
  int rank = 0;                            ///< of the loop nest; opaque: of the result
  int kept = 0;                            ///< sweeps: the first `kept` axes of the nest are rows
  bool lanes_along_rows = false;           ///< sweeps: vectors run across rows, not along the reduction
  int short_row = 0;                       ///< sweeps: the extent swept, where vectors run across rows because it is small
  extent_value extents[max_rank]{};
  int first_attribute = 0, attribute_count = 0;
  extent_value inner = 0;                  ///< contractions: the extent that is summed over
};

/// A node of the signature: which expression is fed or fetched.
struct port {
  hash_t content = 0;
  tensor_type type;
  const slot_info* slot = nullptr;
  int buffer = -1;
};

class plan {
 public:
  vector<step> steps;
  vector<access> accesses;
  vector<buffer> buffers;
  vector<std::uint64_t> program_words;
  vector<std::int64_t> attributes;
  vector<port> feeds, variables, fetches;
  extent_table extents;
  polynomial flops;               ///< floating-point operations of one run
  polynomial intermediate_bytes;  ///< of all nodes' values, were none fused
  int nodes_before = 0, nodes = 0;
};

struct plan_sizes {
  int steps, accesses, buffers, program_words, attributes, feeds, variables, fetches;
};
constexpr plan_sizes sizes_of(const plan& p) {
  return {p.steps.size(),      p.accesses.size(), p.buffers.size(),   p.program_words.size(),
          p.attributes.size(), p.feeds.size(),    p.variables.size(), p.fetches.size()};
}

/// A plan in arrays of exactly its size: the constant that backends read.
template <plan_sizes S>
struct frozen_plan {
  static constexpr plan_sizes size = S;
  step steps[S.steps + 1]{};
  access accesses[S.accesses + 1]{};
  buffer buffers[S.buffers + 1]{};
  std::uint64_t program_words[S.program_words + 1]{};
  std::int64_t attributes[S.attributes + 1]{};
  port feeds[S.feeds + 1]{}, variables[S.variables + 1]{}, fetches[S.fetches + 1]{};
  extent_table extents;
  polynomial flops, intermediate_bytes;
  int nodes_before = 0, nodes = 0;
  std::int64_t arena_bytes = 0;  ///< where every extent is a number; else -1
};

template <plan_sizes S>
constexpr frozen_plan<S> freeze(const plan& p) {
  frozen_plan<S> f;
  for (int i = 0; i < S.steps; ++i) f.steps[i] = p.steps[i];
  for (int i = 0; i < S.accesses; ++i) f.accesses[i] = p.accesses[i];
  for (int i = 0; i < S.buffers; ++i) f.buffers[i] = p.buffers[i];
  for (int i = 0; i < S.program_words; ++i) f.program_words[i] = p.program_words[i];
  for (int i = 0; i < S.attributes; ++i) f.attributes[i] = p.attributes[i];
  for (int i = 0; i < S.feeds; ++i) f.feeds[i] = p.feeds[i];
  for (int i = 0; i < S.variables; ++i) f.variables[i] = p.variables[i];
  for (int i = 0; i < S.fetches; ++i) f.fetches[i] = p.fetches[i];
  f.extents = p.extents;
  f.flops = p.flops;
  f.intermediate_bytes = p.intermediate_bytes;
  f.nodes_before = p.nodes_before;
  f.nodes = p.nodes;
  return f;
}

}  // namespace etch
