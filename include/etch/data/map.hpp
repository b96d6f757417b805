// SPDX-License-Identifier: MIT
#pragma once
#include <exception>
#include <functional>
#include <memory>

#include <etch/data/sequence.hpp>
#include <etch/eager/tensor.hpp>

/// Functions of elements: map and filter.
namespace etch::data {

namespace detail {

/// What a function is given of a component: a number or another single value, or an eager tensor with a copy.
template <class T, int Rank>
decltype(auto) argument(const component<T, Rank>& c) {
  if constexpr (Rank == 0)
    return static_cast<const T&>(*c.values);
  else
    return tensor<T, Rank>(seen(c));
}
template <class C>
using argument_of = decltype(argument(std::declval<const C&>()));
template <class F, class... C>
decltype(auto) call(F& f, const std::tuple<C...>& element) {
  return std::apply([&](const auto&... c) -> decltype(auto) { return f(argument(c)...); }, element);
}

/// A function that cannot be copied, of all stages that are made of one.
template <class F>
struct shared_function {
  std::shared_ptr<F> f;
  template <class... A>
    requires std::is_invocable_v<F&, A...>
  decltype(auto) operator()(A&&... a) const {
    return (*f)(std::forward<A>(a)...);
  }
};
/// As a stage has it: a copy; of what cannot be copied, as a traced function with its variables, a reference, or where it is handed over itself.
template <class F>
auto kept_function(F&& f) {
  using function = std::remove_cvref_t<F>;
  if constexpr (std::is_copy_constructible_v<function>)
    return function(std::forward<F>(f));
  else if constexpr (std::is_lvalue_reference_v<F>)
    return std::ref(f);
  else
    return shared_function<function>{std::make_shared<function>(std::move(f))};
}
template <class F>
using function_kept_of = decltype(kept_function(std::declval<F>()));

template <fixed_string Step, class F, class... C>
constexpr bool check_function(std::type_identity<std::tuple<C...>>) {
  if constexpr (std::is_invocable_v<F&, argument_of<C>...>)
    return true;
  else
    return raise<this_function_does_not_take_the_components_of_an_element, in_function<Step>,
                 expected<std::remove_cvref_t<argument_of<C>>...>, got<F>>();
}
/// Whether a step can call its function for each element; where it cannot it is refused, and nothing else is said of it. (A function, since
/// nvcc 13 takes a variable template whose specialisation begins with a lambda for the general one.)
template <fixed_string Step, class F, class Element>
constexpr bool takes_elements() {
  return check_function<Step, F>(std::type_identity<Element>{});
}

template <class V>
concept array_result = requires(const V& v) {
  v.data();
  std::tuple_size<typename V::shape_type>::value;
};
/// What a result is as a component.
template <class V>
struct result_component {
  using type = component<V, 0>;
  static type of(const V& v) { return {&v, {}}; }
};
template <array_result V>
struct result_component<V> {
  using type =
      component<std::remove_const_t<typename V::value_type>, static_cast<int>(std::tuple_size<typename V::shape_type>::value)>;
  static type of(const V& v) {
    type c{v.data(), {}};
    for (std::size_t i = 0; i < c.extents.size(); ++i) c.extents[i] = static_cast<std::int64_t>(v.shape()[i]);
    return c;
  }
};
template <class V>
inline constexpr bool is_lazy = xt::is_xexpression<V>::value && !requires(const V& v) { v.data(); };

/// Arrays whose values may lie elsewhere than at `data()` row by row: xtensor's views, transposed arrays, other layouts.
template <class V>
concept array_of_any_layout =
    requires(const V& v) { v.expression(); } || requires { requires V::static_layout != xt::layout_type::row_major; };

/// What a result is kept as.
template <class V>
struct kept_result {
  using type = V;
};
template <class V>
  requires array_result<V> && array_of_any_layout<V>
struct kept_result<V> {
  using type = xt::xtensor<std::remove_const_t<typename V::value_type>, std::tuple_size<typename V::shape_type>::value,
                           xt::layout_type::row_major>;
};

template <class R>
struct result_element {
  using values = std::tuple<typename kept_result<R>::type>;
};
template <class... R>
struct result_element<std::tuple<R...>> {
  using values = std::tuple<typename kept_result<std::remove_cvref_t<R>>::type...>;
};
template <class A, class B>
struct result_element<std::pair<A, B>> : result_element<std::tuple<A, B>> {};

template <class Values>
struct components_of_results;
template <class... V>
struct components_of_results<std::tuple<V...>> {
  using element = std::tuple<typename result_component<V>::type...>;
  /// The arguments of what is lazy would be gone by then.
  static constexpr bool check() {
    if constexpr ((is_lazy<V> || ...))
      return raise<a_map_returns_what_xtensor_has_not_yet_computed, in_function<"map">, got<V...>,
                   instead_write<"return xt::eval(x)">>();
    else
      return true;
  }
  static element of(const std::tuple<V...>& values) {
    return std::apply([](const V&... v) { return element(result_component<V>::of(v)...); }, values);
  }
};

/// f(element), where a `std::exception` that f throws names the element.
template <class F, class Element>
decltype(auto) call_for(const char* step, F& f, const Element& element, std::int64_t number) {
  try {
    return call(f, element);
  } catch (const std::exception& e) {
    fail("data: %s: element %lld: %s", step, static_cast<long long>(number), e.what());
  }
}

/// What a function of a source's elements gives.
template <class Source, class F>
struct map_result {
  using result = std::remove_cvref_t<decltype(call(std::declval<F&>(), std::declval<const element_of<Source>&>()))>;
  using values = typename result_element<result>::values;
  using components = components_of_results<values>;
  using element = typename components::element;
};

template <class Source, class F>
constexpr bool can_map() {
  if constexpr (!takes_elements<"map", F, element_of<Source>>())
    return false;
  else if constexpr (std::is_void_v<decltype(call(std::declval<F&>(), std::declval<const element_of<Source>&>()))>)
    return raise<a_map_returns_nothing, in_function<"map">, got<F>>();
  else
    return map_result<Source, F>::components::check();
}

/// The results of a function, kept until the next.
template <class Source, class F>
class mapped {
 public:
  explicit mapped(const F& f) : f_(f) {}
  void call_with(const element_of<Source>& e, std::int64_t number) { values_.emplace(call_for("map", f_, e, number)); }
  auto get() const { return map_result<Source, F>::components::of(*values_); }

 private:
  F f_;
  std::optional<typename map_result<Source, F>::values> values_;
};

}  // namespace detail

/// A function's result for each element.
template <class Source, class F>
struct map_stage {
  using element = typename detail::map_result<Source, F>::element;
  Source source;
  F f;

  std::string describe() const { return source.describe() + ".map(f)"; }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const map_stage& s) : counting_cursor<Source>(s.source), result_(s.f) {}
    bool next() {
      if (!this->source_.next()) return false;
      result_.call_with(this->source_.get(), this->number_++);
      return true;
    }
    element get() const { return result_.get(); }
    /// As a parallel map does, so that a program may go on with threads, or without.
    void save(std::vector<std::int64_t>& state) const {
      state.insert(state.end(), {this->number_, 0});
      this->source_.save(state);
    }
    void restore(state_reader& state) {
      this->number_ = state.take();
      const std::int64_t skipped = state.take_up_to(this->number_);
      this->source_.restore(state);
      skip_elements(this->source_, skipped, this->number_);
    }

   private:
    detail::mapped<Source, F> result_;
  };
};
template <class Source, class F>
  requires indexed<Source>
struct map_stage<Source, F> {
  using element = typename detail::map_result<Source, F>::element;
  Source source;
  F f;

  std::int64_t size() const { return source.size(); }
  std::string describe() const { return source.describe() + ".map(f)"; }

  class reader {
   public:
    explicit reader(const map_stage& s) : source_(s.source), result_(s.f) {}
    std::int64_t lookahead() const { return detail::lookahead(source_); }
    void expect(std::span<const std::int64_t> numbers) { detail::expect(source_, numbers); }
    element at(std::int64_t i) {
      result_.call_with(source_.at(i), i);
      return result_.get();
    }

   private:
    typename Source::reader source_;
    detail::mapped<Source, F> result_;
  };
};

/// The elements for which a predicate holds.
template <class Source, class F>
struct filter_stage {
  using element = element_of<Source>;
  Source source;
  F predicate;

  std::string describe() const { return source.describe() + ".filter(f)"; }

  class cursor : public counting_cursor<Source> {
   public:
    explicit cursor(const filter_stage& s) : counting_cursor<Source>(s.source), predicate_(s.predicate) {}
    bool next() {
      while (this->source_.next())
        if (detail::call_for("filter", predicate_, this->source_.get(), this->number_++)) return true;
      return false;
    }
    element get() const { return this->source_.get(); }

   private:
    F predicate_;
  };
};

}  // namespace etch::data
