// SPDX-License-Identifier: MIT
#pragma once
#include <etch/graph/graph.hpp>
#include <etch/schedule/kernel_key.hpp>
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
  int node = -1;              ///< whose value it holds, for printing
  int first = 0, last = 0;    ///< steps that write it first and read it last
  int shares = -1;            ///< another buffer whose memory this one takes over in place

  constexpr std::int64_t bytes(std::int64_t count) const { return (count * size_of_dtype(type) + 63) / 64 * 64; }
};

/// The buffer whose memory a buffer has: itself, or that which it takes over, or which that one takes over.
constexpr int memory_of(const buffer* buffers, int b) {
  while (buffers[b].shares >= 0) b = buffers[b].shares;
  return b;
}

/// The axes that a loop nest may have: those of a value, and those that a product sums along.
inline constexpr int max_nest_rank = 2 * max_rank;

/// How many of a call's attributes come before the numbers of its results: those of region_call.
inline constexpr int call_attributes = 6;

/// One operand of a step: element (i, j, ...) of the loop nest is at buffer + offset + i * stride[0] + ... elements. Strides
/// lie in the plan's `extents_pool`, as many as the nest has axes. Of an opaque step, and of a call, those are the operand's own axes,
/// and its extents follow.
struct access {
  int buffer = -1;  ///< -1: none, of an index
  dtype type = dtype::none;
  bool loads = false, stores = false;
  int rank = 0;
  int first_stride = 0;
  extent_value offset = 0;
};

/// One kernel call.
struct plan_step {
  cluster_kind kind = cluster_kind::map;
  bool draws = false;             ///< random numbers
  bool on_host = false;           ///< it makes values of the host, or calls it
  bool is_columnwise = false;     ///< products: columns are both operands', and each is made of one column of either
  bool lanes_along_rows = false;  ///< sweeps: vectors run across rows, not along the reduction
  int short_row = 0;              ///< sweeps: the extent swept, where vectors run across rows because it is small
  /// Maps: so many results, those of the last stores, go back to where the step itself reads. They lie in the memory of those stores
  /// until that of the row is `lag` rows behind; the accesses behind the program's, one for each, say where they go then.
  int returned = 0, lag = 0;
  int kernel = 0;  ///< equal for steps that run the same code: those whose `kernel_key` is
  /// Of an opaque step; else of the root, for printing. An id, since an address would bring an op's rules into programs.
  std::uint64_t op = 0;
  const char* op_name = "";
  int first_word = 0, word_count = 0;  ///< the program; equal programs lie there once
  int first_access = 0, access_count = 0;
  int rank = 0;  ///< of the loop nest; opaque: of the result
  /// Opaque: the accesses, by bit, whose first axes are so many problems of their own; the others are of all of these.
  unsigned batch = 0;
  bool changes_operand = false;  ///< opaque: the result may lie where operand 0 does
  int kept = 0;  ///< the first `kept` axes of the nest are those of rows, or of a product's result; along the others it reduces
  int rows = 0;  ///< products: how many axes are rows; the last of the kept ones are these and one of columns, the others a stack
  /// Products: of so many axes of the first operand places may lie outside, where it is 0. The last accesses, two for each such axis,
  /// count them: the place along the axis, and its last one.
  int bounded = 0;
  /// Products: which operands are computed while they are packed, by bit: the first by section 2 of the program, the second by section 4.
  /// What such a section loads first is access 0 or 1.
  int packed = 0;
  dtype type = dtype::none;  ///< products: of the sums, and, unless that is narrower, of what is multiplied
  int work = 0;              ///< flops per element, as ops state their cost
  int first_extent = 0;      ///< of the loop nest, in `extents_pool`
  int first_attribute = 0, attribute_count = 0;

  /// Whether the operands of a product are matrices: its rows, and what it sums along, are one axis each.
  constexpr bool is_plain_product() const { return rows == 1 && rank == kept + 1 && !is_columnwise; }
  /// Products: whether elements of the operands are narrower than their sums. `first`: access 0, the first operand.
  constexpr bool reads_narrow(const access& first) const { return packed == 0 && first.type != type; }
  /// The accesses of its program: those behind them say where results go back to, or count.
  constexpr int own_accesses() const { return access_count - returned - 2 * bounded; }
  /// Products: along which axis of the nest the vectors of a section lie.
  constexpr int lane_axis(int section) const { return section == operand_section(0) ? rank - 1 : kept - 1; }
  /// Whether its accesses have axes of their own, those of the operands, and the kernel is told attributes.
  constexpr bool walks_whole_operands() const { return kind == cluster_kind::opaque || kind == cluster_kind::call; }
};

/// What every backend compiles a step's kernel from. Kernels of their own are told all else when they run, calls have one between them.
constexpr kernel_key key_of_step(const plan_step& s) {
  using small = std::int8_t;
  using number = std::int16_t;
  if (s.kind == cluster_kind::call) return {.kind = s.kind, .on_host = s.on_host};
  if (s.kind == cluster_kind::opaque)
    return {.op = s.op, .access_count = s.access_count, .typed_accesses = s.access_count, .kind = s.kind, .on_host = s.on_host};
  const bool is_product = s.kind == cluster_kind::contraction;
  return {.word_count = s.word_count,
          .access_count = s.access_count,
          .typed_accesses = is_product ? 2 : 0,
          .lag = s.lag,
          .returned = static_cast<number>(s.returned),
          .short_row = static_cast<number>(s.short_row),
          .rank = static_cast<number>(s.rank),
          .kept = static_cast<number>(s.kept),
          .rows = static_cast<small>(s.rows),
          .bounded = static_cast<small>(s.bounded),
          .packed = static_cast<small>(s.packed),
          .kind = s.kind,
          .type = s.type,
          .on_host = s.on_host,
          .is_columnwise = s.is_columnwise,
          .lanes_along_rows = s.lanes_along_rows};
}

/// Elements of a loop nest, at most the largest number, where all extents are numbers; else -1.
constexpr std::int64_t static_count(const extent_value* extents, int rank) {
  std::int64_t n = 1;
  for (int d = 0; d < rank; ++d) {
    const extent_value e = extents[d];
    if (!is_static(e)) return -1;
    n = e != 0 && n > INT64_MAX / e ? INT64_MAX : n * e;
  }
  return n;
}

/// A step in its tables: what a target makes the key of its kernel from.
struct step_view {
  const plan_step& step;
  const access* accesses;  ///< of the step
  const extent_value* extents_pool;

  constexpr extent_value extent(int axis) const { return extents_pool[step.first_extent + axis]; }
  constexpr extent_value stride(int k, int axis) const { return extents_pool[accesses[k].first_stride + axis]; }
  constexpr std::int64_t count() const { return static_count(extents_pool + step.first_extent, step.rank); }
};

/// How large the matrices of a product are, in elements.
struct product_size {
  std::int64_t rows = 1, columns = 1, inner = 1;
  bool is_plain = true;        ///< as `plan_step::is_plain_product`
  int packed = 0;              ///< as `plan_step::packed`
  bool is_deep = true;         ///< the first operand is contiguous along what is summed
  bool is_columnwise = false;  ///< as `plan_step::is_columnwise`
  int bounded = 0;             ///< as `plan_step::bounded`
  int group = 1;               ///< how many elements of an operand have the size of a sum

  /// Of a step in a run in which an extent or a stride is `value(e)`. `first`: its first operand. An axis of a named extent may be 1, and
  /// then what is summed is contiguous where the compiler does not know it, and has deeper blocks.
  template <class Value>
  constexpr product_size(const plan_step& s, const access& first, const extent_value* pool, const Value& value)
      : is_plain(s.is_plain_product()), packed(s.packed),
        is_deep((s.packed & 1) != 0 || value(pool[first.first_stride + s.rank - 1]) == 1), is_columnwise(s.is_columnwise),
        bounded(s.bounded), group(s.reads_narrow(first) ? size_of_dtype(s.type) / size_of_dtype(first.type) : 1) {
    const extent_value* const extents = pool + s.first_extent;
    columns = value(extents[s.kept - 1]);
    for (int d = s.kept - 1 - s.rows; d < s.kept - 1; ++d) rows *= value(extents[d]);
    for (int d = s.kept; d < s.rank; ++d) inner *= value(extents[d]);
  }
};

/// A sum over nodes: so many for each element of the extents that they have.
struct node_total {
  std::int64_t constant = 0;
  std::int64_t factor[extent_table::max_polynomials]{};  ///< per polynomial of the graph's table

  constexpr void add(extent_value e, std::int64_t by) {
    if (is_static(e))
      constant += by * e;
    else if (e != unknown_extent)
      factor[polynomial_index(e)] += by;
  }
  /// `values` are those of the names.
  constexpr std::int64_t evaluate(const extent_table& extents, const std::int64_t* values) const {
    std::int64_t total = constant;
    for (int i = 0; i < extents.polynomial_count(); ++i)
      total += factor[i] == 0 ? 0 : factor[i] * extents.evaluate(polynomial_reference(i), values);
    return total;
  }
};

/// A node of the signature: which expression is fed or fetched.
struct port {
  hash_t content = 0;
  tensor_type type;
  const char* name = nullptr;  ///< of a slot
  int buffer = -1;
  bool orders_host = false;  ///< a variable that has no value, and no place in sessions
};

/// What only the compiler and reports ask of a plan: programs hold none of its 4.5 kB.
struct plan_facts {
  extent_table extents;
  node_total flops;               ///< floating-point operations of one run
  node_total intermediate_bytes;  ///< of all nodes' values, were none fused
  int nodes_before = 0, nodes = 0;
};

class plan : public plan_facts {
 public:
  constexpr extent_value stride(const access& a, int axis) const { return extents_pool[a.first_stride + axis]; }
  constexpr extent_value extent(const plan_step& s, int axis) const { return extents_pool[s.first_extent + axis]; }

  vector<plan_step> steps;
  vector<access> accesses;
  vector<extent_value> extents_pool;
  vector<buffer> buffers;
  vector<plan_kernel> kernels;
  vector<std::uint64_t> program_words;
  vector<std::int64_t> attributes;
  vector<port> feeds, variables, fetches;
};

struct plan_sizes {
  int steps = 0, accesses = 0, extents = 0, buffers = 0, kernels = 0, program_words = 0, attributes = 0, feeds = 0, variables = 0,
      fetches = 0;

  constexpr bool fit(const plan_sizes& capacity) const {
    return steps <= capacity.steps && accesses <= capacity.accesses && extents <= capacity.extents && buffers <= capacity.buffers &&
           kernels <= capacity.kernels && program_words <= capacity.program_words && attributes <= capacity.attributes &&
           feeds <= capacity.feeds && variables <= capacity.variables && fetches <= capacity.fetches;
  }
};
constexpr plan_sizes sizes_of(const plan& p) {
  return {p.steps.size(),         p.accesses.size(),   p.extents_pool.size(), p.buffers.size(),   p.kernels.size(),
          p.program_words.size(), p.attributes.size(), p.feeds.size(),        p.variables.size(), p.fetches.size()};
}

/// A plan in arrays: the constant that backends read.
template <plan_sizes S>
struct plan_tables {
  static constexpr plan_sizes capacity = S;
  plan_sizes size;
  plan_step steps[S.steps + 1]{};
  access accesses[S.accesses + 1]{};
  extent_value extents_pool[S.extents + 1]{};
  buffer buffers[S.buffers + 1]{};
  plan_kernel kernels[S.kernels + 1]{};
  std::uint64_t program_words[S.program_words + 1]{};
  std::int64_t attributes[S.attributes + 1]{};
  port feeds[S.feeds + 1]{}, variables[S.variables + 1]{}, fetches[S.fetches + 1]{};

  constexpr plan_tables() = default;
  /// Of a plan, or of larger tables.
  template <class Plan>
  constexpr plan_tables(const plan_sizes& of, const Plan& p) : size(of) {
    if (!size.fit(S)) return;
    detail::copy(p.steps, size.steps, steps);
    detail::copy(p.accesses, size.accesses, accesses);
    detail::copy(p.extents_pool, size.extents, extents_pool);
    detail::copy(p.buffers, size.buffers, buffers);
    detail::copy(p.kernels, size.kernels, kernels);
    detail::copy(p.program_words, size.program_words, program_words);
    detail::copy(p.attributes, size.attributes, attributes);
    detail::copy(p.feeds, size.feeds, feeds);
    detail::copy(p.variables, size.variables, variables);
    detail::copy(p.fetches, size.fetches, fetches);
  }

  constexpr extent_value stride(const access& a, int axis) const { return extents_pool[a.first_stride + axis]; }
  constexpr extent_value extent(const plan_step& s, int axis) const { return extents_pool[s.first_extent + axis]; }
  constexpr std::int64_t count(const plan_step& s) const { return static_count(extents_pool + s.first_extent, s.rank); }
};

/// While it is made, when its arrays may be larger than what is in them.
template <plan_sizes S>
struct frozen_plan : plan_tables<S>, plan_facts {
  constexpr frozen_plan() = default;
  /// Where the arrays are too small, it is only counted.
  constexpr explicit frozen_plan(const plan& p) : plan_tables<S>(sizes_of(p), p), plan_facts(p) {}
};

}  // namespace etch
