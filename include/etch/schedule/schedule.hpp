// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash_index.hpp>
#include <etch/passes/fuse.hpp>
#include <etch/schedule/figures.hpp>
#include <etch/schedule/in_place.hpp>
#include <etch/schedule/lower.hpp>
#include <etch/schedule/sequence.hpp>

/// A graph, with its clusters and their order, to a plan: buffers, steps, kernels.
namespace etch {

namespace detail {

class scheduler {
 public:
  constexpr scheduler(graph& g, const fusion& f, const sequence& s, const target_description& target, const hash_t* fed,
                      int fed_count)
      : g_(g), f_(f), s_(s), target_(target) {
    for (int i = 0; i < fed_count; ++i) {
      plan_.feeds.push_back({fed[i], {}, nullptr, -1});
      fed_.insert(fed[i], i);
    }
    buffer_of_.resize(g.size(), -1);
  }

  /// Before all else.
  constexpr void make_buffers() {
    make_slot_buffers();
    make_fetch_buffers();
    make_arena_buffers();
  }
  constexpr void make_steps(int first, int last) {
    lowerer lowering(g_, f_, s_, target_);
    for (int i = first; i < last; ++i) {
      const task& t = s_.tasks[i];
      const lowered& l = t.cluster >= 0 ? lowering.run(t.cluster)
                         : t.join >= 0  ? lowering.run_join(t.join, t.operand)
                                        : lowering.run_assignment(t.assigns);
      plan_step s = l.shape;
      s.first_extent = plan_.extents_pool.size();
      plan_.extents_pool.append(l.extents, s.rank);
      add_accesses(s, l);
      add_attributes(s, l);
      set_words(l);
      s.word_count = words_.size();
      add_kernel(s, target_.key_of({s, plan_.accesses.data() + s.first_access, plan_.extents_pool.data()}));
      plan_.steps.push_back(s);
    }
  }
  /// The steps of a plan of the same buffers, behind those that are here already.
  template <class Part>
  constexpr void append(const Part& part) {
    const int accesses = plan_.accesses.size(), extents = plan_.extents_pool.size(), attributes = plan_.attributes.size();
    plan_.extents_pool.append(part.extents_pool, part.size.extents);
    plan_.attributes.append(part.attributes, part.size.attributes);
    plan_.accesses.append(part.accesses, part.size.accesses);
    for (int k = accesses; k < plan_.accesses.size(); ++k) plan_.accesses[k].first_stride += extents;
    for (int i = 0; i < part.size.steps; ++i) {
      plan_step s = part.steps[i];
      s.first_extent += extents;
      s.first_access += accesses;
      if (s.walks_whole_operands()) s.first_attribute += attributes;
      for (int k = 0; k < s.access_count; ++k) use(plan_.accesses[s.first_access + k].buffer);
      words_.clear();
      words_.append(part.program_words + s.first_word, s.word_count);
      add_kernel(s, part.kernels[s.kernel].key);
      plan_.steps.push_back(s);
    }
  }
  /// After all steps.
  constexpr plan finish() {
    plan_.nodes = g_.size();
    share_in_place(plan_);
    add_figures(g_, plan_);
    return keep();
  }
  /// What there is so far.
  constexpr plan keep() {
    plan_.extents = g_.extents;
    return static_cast<plan&&>(plan_);
  }

 private:
  constexpr const char* name_of(int n) const { return g_[n].slot != nullptr ? g_[n].slot->name : nullptr; }
  constexpr int add_buffer(storage kind, int n) {
    buffer b;
    b.kind = kind;
    b.node = n;
    b.type = g_.type(n).type;
    b.elements = rules::element_count(g_.extents, g_.type(n));
    plan_.buffers.push_back(b);
    return plan_.buffers.size() - 1;
  }

  constexpr void make_slot_buffers() {
    for (int n = 0; n < g_.size(); ++n) {
      if (g_[n].op->kind != op_kind::source) continue;
      if (g_.is(n, op_role::placeholder)) {
        const int made = buffer_of_[n] = add_buffer(storage::feed, n);
        const int feed = fed_.find(g_[n].content);
        plan_.buffers[made].index = feed;
        if (feed >= 0) plan_.feeds[feed] = {g_[n].content, g_.type(n), name_of(n), made};
      } else if (g_.is(n, op_role::variable)) {
        const int made = buffer_of_[n] = add_buffer(storage::variable, n);
        plan_.buffers[made].index = plan_.variables.size();
        plan_.variables.push_back({g_[n].content, g_.type(n), name_of(n), made, g_[n].slot != nullptr && g_[n].slot->orders_host});
      } else if (g_.is(n, op_role::extent)) {
        const int made = buffer_of_[n] = add_buffer(storage::extent, n);
        plan_.buffers[made].elements = g_.word(n, 0);
      }
    }
  }
  constexpr void make_fetch_buffers() {
    for (int i = 0; i < g_.fetches.size(); ++i) {
      const int n = g_.fetches[i];
      port p{g_[n].content, g_.type(n), name_of(n), -1};
      if (p.type.type != dtype::none) {
        p.buffer = add_buffer(storage::fetch, n);
        plan_.buffers[p.buffer].index = i;
        buffer_of_[f_[n].root] = p.buffer;
      }
      plan_.fetches.push_back(p);
    }
  }
  constexpr void make_arena_buffers() {
    const int size = g_.size();
    const bool has_joins = s_.has_joins();
    const int* const stored_in = s_.stored_in.data();
    const char* const stored = s_.stored.data();
    for (int n = 0; n < size; ++n) {
      if (stored_in[n] >= 0) buffer_of_[n] = buffer_of_[stored_in[n]];
      if (stored[n] == 0 || buffer_of_[n] >= 0 || (has_joins && s_.is_joined(n))) continue;
      buffer_of_[n] = add_buffer(storage::arena, n);
      plan_.buffers[buffer_of_[n]].first = -1;
    }
    for (int n = has_joins ? size : 0; n-- > 0;)
      if (s_.is_joined(n)) buffer_of_[n] = buffer_of_[s_.joined[n]];
  }

  constexpr void add_accesses(plan_step& s, const lowered& l) {
    s.first_access = plan_.accesses.size();
    s.access_count = l.walks.size();
    const bool walks_whole_operands = s.walks_whole_operands();
    const walk* const walks = l.walks.data();
    for (int k = 0; k < s.access_count; ++k) {
      const walk& w = walks[k];
      const tensor_type* const whole = walks_whole_operands ? &g_.type(w.node) : nullptr;
      access a;
      a.buffer = w.root < 0 || g_.is(w.root, op_role::index) ? -1 : buffer_of_[w.root];
      a.type = w.type;
      a.loads = w.loads;
      a.stores = w.stores;
      a.rank = whole != nullptr ? whole->rank : s.rank;
      a.offset = w.offset;
      a.first_stride = plan_.extents_pool.size();
      plan_.extents_pool.append(w.stride, a.rank);
      if (whole != nullptr) plan_.extents_pool.append(whole->extents, a.rank);
      plan_.accesses.push_back(a);
      use(a.buffer);
    }
  }
  /// The next step uses that buffer; -1: none.
  constexpr void use(int number) {
    if (number < 0) return;
    buffer& b = plan_.buffers[number];
    b.last = plan_.steps.size();
    if (b.first < 0) b.first = b.last;
  }

  /// An opaque kernel is told the attributes of its op, which lie in the graph's pool; a call also which results are wanted, in the
  /// order of its accesses, of which they are the last.
  constexpr void add_attributes(plan_step& s, const lowered& l) {
    if (!s.walks_whole_operands()) {
      s.attribute_count = 0;
      return;
    }
    const int first = s.first_attribute;
    s.first_attribute = plan_.attributes.size();
    plan_.attributes.append(g_.pool.data() + first, s.attribute_count);
    if (s.kind != cluster_kind::call) return;
    for (int k = 0; k < l.walks.size(); ++k)
      if (l.walks[k].stores) plan_.attributes.push_back(g_.word(l.walks[k].node, 0));
    s.attribute_count = plan_.attributes.size() - s.first_attribute;
  }

  constexpr void set_words(const lowered& l) {
    if (l.code.size() > max_instructions || (l.walks.size() > max_slots && l.shape.kind != cluster_kind::call))
      throw "etch: a kernel has more instructions or operands than its program can number";
    const int count = l.code.size();
    const instruction* const code = l.code.data();
    words_.reserve(2 * count);
    words_.clear();
    for (int k = 0; k < count; ++k) {
      if (code[k].section >= max_sections) throw "etch: a kernel has more sweeps than its program can number";
      const std::uint64_t of_instruction[] = {code[k].word(), code[k].payload};
      words_.append(of_instruction, 2);
    }
  }
  /// Steps whose keys, programs and types are equal have the same kernel; its words lie in the plan once.
  constexpr void add_kernel(plan_step& s, const kernel_key& key) {
    const hash_t h = kernel_hash(s, key);
    const int known = kernels_.find(h);
    if (known >= 0 && is_kernel(plan_.kernels[known], s, key)) {
      s.kernel = known;
      s.first_word = plan_.steps[plan_.kernels[known].first_step].first_word;
      return;
    }
    s.kernel = plan_.kernels.size();
    plan_.kernels.push_back({key, plan_.steps.size()});
    if (known < 0) kernels_.insert(h, s.kernel);
    s.first_word = plan_.program_words.size();
    plan_.program_words.append(words_);
  }
  constexpr hash_t kernel_hash(const plan_step& s, const kernel_key& key) const {
    hash_t h = key.hash();
    const std::uint64_t* const words = words_.data();
    const access* const accesses = plan_.accesses.data() + s.first_access;
    for (int k = 0; k < key.word_count; ++k) h = (h ^ words[k]) * 0x9e3779b97f4a7c15ull + 1;
    for (int k = 0; k < key.typed_accesses; ++k) h = (h ^ static_cast<hash_t>(accesses[k].type)) * 0x9e3779b97f4a7c15ull + 1;
    return (h ^ (h >> 29)) * 0xbf58476d1ce4e5b9ull;
  }
  constexpr bool is_kernel(const plan_kernel& kernel, const plan_step& s, const kernel_key& key) const {
    if (!(kernel.key == key)) return false;
    const plan_step& t = plan_.steps[kernel.first_step];
    const std::uint64_t *const words = words_.data(), *const others = plan_.program_words.data() + t.first_word;
    const access *const own = plan_.accesses.data() + s.first_access, *const of_other = plan_.accesses.data() + t.first_access;
    for (int k = 0; k < key.word_count; ++k)
      if (others[k] != words[k]) return false;
    for (int k = 0; k < key.typed_accesses; ++k)
      if (own[k].type != of_other[k].type) return false;
    return true;
  }

  graph& g_;
  const fusion& f_;
  const sequence& s_;
  const target_description& target_;
  plan plan_;
  hash_index fed_, kernels_;
  vector<int> buffer_of_;  ///< per node
  vector<std::uint64_t> words_;
};

}  // namespace detail

/// The plan of a graph for these feeds (contents, in the order in which they will be handed over).
constexpr plan make_plan(graph& g, const fusion& f, const sequence& s, const target_description& target, const hash_t* fed,
                         int fed_count) {
  detail::scheduler made(g, f, s, target, fed, fed_count);
  made.make_buffers();
  made.make_steps(0, s.tasks.size());
  return made.finish();
}

/// A part of it: all buffers, and the steps of tasks [first, last).
constexpr plan make_part(graph& g, const fusion& f, const sequence& s, const target_description& target, const hash_t* fed,
                         int fed_count, int first, int last) {
  detail::scheduler made(g, f, s, target, fed, fed_count);
  made.make_buffers();
  made.make_steps(first, last);
  return made.keep();
}

/// The plan whose parts, in order, these frozen plans are.
template <class... Parts>
constexpr plan join_parts(graph& g, const fusion& f, const sequence& s, const target_description& target, const hash_t* fed,
                          int fed_count, const Parts&... parts) {
  detail::scheduler made(g, f, s, target, fed, fed_count);
  made.make_buffers();
  (made.append(parts), ...);
  return made.finish();
}

/// All at once: clusters, their order, the plan of a materialised graph.
constexpr plan schedule(const graph& materialised, const target_description& target, const hash_t* fed, int fed_count) {
  // Named objects: g++ 12 frees what a temporary with a destructor holds twice in constant expressions.
  graph g = materialised;
  fusion f = fuse(g, target);
  const sequence s = order_steps(g, f);
  return make_plan(g, f, s, target, fed, fed_count);
}

}  // namespace etch
