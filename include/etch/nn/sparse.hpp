// SPDX-License-Identifier: MIT
#pragma once
#include <etch/nn/optimizer.hpp>
#include <etch/ops.hpp>

/// Sparse forms of optimizers ("lazy" ones): of a table they read and change the rows that were looked up, and no others, where a gradient is zero.
/// Programs ask for them by `<etch/optimizers.hpp>`.
namespace etch::optimizers {

namespace detail {

/// What a rule is given where its variable is the rows of V that were looked up: its state is as many rows.
template <class Name, class Options, class Rate, class V, class Ids>
struct row_slots : slots<Name, Options, Rate, V, V> {
  using all = slots<Name, Options, Rate, V, V>;
  using variable = V;

  /// x with these rows; those of one id are equal.
  template <class X, class Rows>
  static constexpr auto with_rows(X x, Rows rows) {
    return scatter_nd<1>(x, expand_dims(Ids{}, axis<-1>), rows);
  }
  template <class State, class Next>
  static constexpr auto store(State s, Next next) {
    if constexpr (variable_expression<State>) {
      return all::store(s, next);
    } else {
      using whole = etch::detail::variable_with<record_of<State::hash>().operands[0]->hash>;
      return all::store(whole{}, with_rows(whole{}, next));
    }
  }
  template <class Next, class... Stored>
  constexpr auto changes(Next next, Stored... stored) const {
    return all::changes(with_rows(V{}, next), stored...);
  }
};
template <fixed_string Slot, class Name, class Options, class Rate, class V, class Ids, class Start = decltype(0_c)>
constexpr auto state(row_slots<Name, Options, Rate, V, Ids> s, Start start = {}) {
  return gather(state<Slot>(static_cast<typename decltype(s)::all>(s), start), Ids{});
}

/// Whether what the loss is made of reads the table by these rows, and in no other way.
constexpr bool reads_rows_alone(const record* loss, hash_t table, hash_t rows) {
  hash_index seen;
  vector<const record*> stack;
  stack.push_back(etch::detail::unnamed(loss));
  bool reads_rows = false;
  while (!stack.empty()) {
    const record* const r = stack.back();
    stack.pop_back();
    if (seen.find(r->content) >= 0) continue;
    seen.insert(r->content, 1);
    if (r->content == table) return false;
    if (r->content == rows)
      reads_rows = true;
    else
      for (int k = 0; k < r->count; ++k) stack.push_back(r->operands[k]);
  }
  return reads_rows;
}

/// The place of each id among all, (..., axes of ids) of int32.
template <class Ids>
constexpr auto places_of() {
  return []<int... Axis>(std::integer_sequence<int, Axis...>) {
    return stack(axis<Ids::rank>, make_node_of<iota, std::int32_t, typename Ids::shape_type, attributes<Axis>>()...);
  }(std::make_integer_sequence<int, Ids::rank>{});
}

template <class Name, class Rule, class Rate, class Options>
class sparse_optimizer {
 public:
  /// One training step on the rows of `table`, a variable, that the loss has as `gather(table, ids)`. Of several equal ids the gradients add up.
  /// A loss that reads the table in another way, too, is an error: its rows would have gradients that nothing sees.
  template <expression Loss, expression V, expression Ids>
  constexpr auto minimize(Loss loss, V table, Ids ids) const {
    if constexpr (!variable_expression<V>) {
      raise<only_a_variable_can_be_trained, in_function<"minimize">, shown<V>>();
      return group();
    } else if constexpr (!is_integer(dtype_of<typename Ids::value_type>)) {
      raise<indices_are_not_integers, in_function<"optimizers::sparse">, shown<Ids>>();
      return group();
    } else {
      const auto rows = gather(table, ids);
      if constexpr (!reads_rows_alone(&record_of<Loss::hash>(), record_of<V::hash>().content,
                                      record_of<decltype(rows)::hash>().content)) {
        raise<the_loss_must_read_this_table_by_gather_of_these_ids_alone, in_function<"optimizers::sparse">, shown<Loss>, shown<V>,
              shown<Ids>>();
        return group();
      } else {
        return step(table, ids, rows, gradient(loss, rows));
      }
    }
  }
  template <class... A>
  constexpr auto minimize(const A&... a) const {
    etch::detail::refuse_function<this_call_has_the_wrong_arguments, "minimize", "minimize(loss, table, ids)">(a...);
    return group();
  }

 private:
  template <class V, class Ids, class Rows, class G>
  static constexpr auto step(V table, Ids ids, Rows rows, G each) {
    constexpr row_slots<Name, Options, Rate, V, Ids> s;
    if constexpr (Ids::rank == 0) {
      return changes(s, rows, limited(each));
    } else {
      // Each id's place in a table of places, where the last one stays: the same for equal ids, whose gradients are added up there. It need not
      // be cleared: what is read in a step was written in it.
      const auto place =
          state_of<Name, name_of<"place">, std::int32_t, shape<extent_along<0>(typename V::shape_type{}), Ids::rank>>(table);
      const auto next = s.with_rows(place, places_of<Ids>());
      const auto at = gather(next, ids);
      const auto added = scatter_nd<Ids::rank>(zeros<typename V::value_type>(typename G::shape_type{}), at, each, add);
      return changes(s, rows, gather_nd<Ids::rank>(limited(added), at), assign(place, next));
    }
  }
  template <class G>
  static constexpr auto limited(G g) {
    if constexpr (is_none<typename Options::clipping>)
      return g;
    else
      return std::get<0>(typename Options::clipping{}(std::tuple{g}));
  }
  template <class S, class Rows, class G, class... Others>
  static constexpr auto changes(S s, Rows rows, G g, Others... others) {
    return grouped(Rule{}(s, decayed<Options, typename S::variable>(s, rows), g, s.rate()), others...);
  }
  template <class... E, class... Others>
  static constexpr auto grouped(expressions<E...>, Others... others) {
    return group(E{}..., others...);
  }
};

}  // namespace detail

/// The sparse form of an optimizer: `sparse(adam(1e-3_c)).minimize(loss, table, ids)`, where the loss is made of `gather(table, ids)` or
/// `nn::embedding`. It applies the rule to the rows that are looked up, as to a variable of their own: momentum and averages of all others
/// stand still, where the whole rule would let them decay (PyTorch's `SparseAdam`, TensorFlow Addons' `LazyAdam`). For rules that go element by
/// element. A step takes time and memory for the rows, not for the table.
template <class Name, class Rule, class Rate, class Options>
constexpr auto sparse(detail::optimizer<Name, Rule, Rate, Options>) {
  if constexpr (!detail::is_none<typename Options::average_momentum> || !detail::is_none<typename Options::accumulated>)
    raise<a_sparse_optimizer_has_no_moving_average_and_accumulates_nothing, in_function<"optimizers::sparse">, Name>();
  return detail::sparse_optimizer<Name, Rule, Rate, Options>{};
}
ETCH_REFUSE_CALLS_AS("optimizers::sparse", sparse, this_call_has_the_wrong_arguments,
                     "optimizers::sparse(optimizers::adam(1e-3_c))")

}  // namespace etch::optimizers
