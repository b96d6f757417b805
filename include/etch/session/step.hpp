// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include <etch/session/bound_step.hpp>

/// Bound steps of a type that has a name: for members of classes, and for functions of other files.
namespace etch {

namespace detail {

template <class R>
struct array_result {
  using type = R;
};
template <class T, std::size_t N>
struct array_result<xt::xtensor<T, N>> {
  using type = std::span<const T>;
};

/// What a step may say that it gives, as messages show it, where the plan gives R...: a span stands for any array.
template <class... R>
struct step_result {
  using type = std::tuple<typename array_result<R>::type...>;
};
template <class R>
struct step_result<R> : array_result<R> {};
template <>
struct step_result<> {
  using type = void;
};

/// Whether a result R may be given as a Given.
template <class Given, class R>
inline constexpr bool is_given =
    std::is_same_v<Given, typename array_result<R>::type> || (!is_number_type<R> && std::is_same_v<Given, const R&>);
template <class Given, class R>
ETCH_INLINE Given give(const R& result) {
  if constexpr (std::is_same_v<Given, const R&> || is_number_type<R>)
    return result;
  else
    return Given(result.data(), result.size());
}

/// What a call gives, out of all results, of which those at `Places` have a value.
template <class Given, class Places>
struct giver;
template <class Given, std::size_t... I>
struct giver<Given, std::index_sequence<I...>> {
  template <class... R>
  static constexpr bool fits(const plain_tuple<R...>*) {
    return sizeof...(I) == 1 && (is_given<Given, std::tuple_element_t<I, std::tuple<R...>>> && ...);
  }
  template <class... R>
  static auto shown(const plain_tuple<R...>*) -> typename step_result<std::tuple_element_t<I, std::tuple<R...>>...>::type;
  template <class Results>
  ETCH_INLINE static Given from(const Results& all) {
    return (give<Given>(member<I>(all)), ...);
  }
};
template <std::size_t... I>
struct giver<void, std::index_sequence<I...>> {
  static constexpr bool fits(const void*) { return true; }
  static void from(const auto&) {}
};
template <class... Given, std::size_t... I>
  requires(sizeof...(Given) == sizeof...(I))
struct giver<std::tuple<Given...>, std::index_sequence<I...>> {
  template <class... R>
  static constexpr bool fits(const plain_tuple<R...>*) {
    return sizeof...(I) > 1 && (is_given<Given, std::tuple_element_t<I, std::tuple<R...>>> && ...);
  }
  template <class... R>
  static auto shown(const plain_tuple<R...>*) -> typename step_result<std::tuple_element_t<I, std::tuple<R...>>...>::type;
  template <class Results>
  ETCH_INLINE static std::tuple<Given...> from(const Results& all) {
    return std::tuple<Given...>(give<Given>(member<I>(all))...);
  }
};

/// Of a structure: R as the call of the bound step gives it.
template <class Given>
  requires(!std::is_void_v<Given>)
struct giver<Given, structured_places> {
  template <class Results>
  static constexpr bool fits(const Results*) {
    return std::is_same_v<Given, decltype(views_of(std::declval<const Results&>()))>;
  }
  template <class Results>
  static auto shown(const Results*) -> decltype(views_of(std::declval<const Results&>()));
  template <class Results>
  static Given from(const Results& all) {
    if constexpr (fits(static_cast<const Results*>(nullptr)))
      return views_of(all);
    else
      return std::declval<Given>();
  }
};
template <>
struct giver<void, structured_places> : giver<void, std::index_sequence<>> {};

template <class... R>
typename valued<R...>::type places_of_results(const plain_tuple<R...>*);

template <class T>
inline constexpr bool is_bound_step = false;
template <class Plan, class Backend, class Feeds, class Results>
inline constexpr bool is_bound_step<bound_step<Plan, Backend, Feeds, Results>> = true;
template <class T>
inline constexpr bool is_refused = false;
template <class A>
inline constexpr bool is_refused<refused_element<A>> = true;

}  // namespace detail

template <class Signature>
class step {
 public:
  step() { refuse(); }
  template <class... A>
  step(const A&...) {
    refuse();
  }
  template <class... A>
  int operator()(const A&...) {
    return 0;
  }

 private:
  static constexpr void refuse() {
    raise<a_step_has_the_type_of_a_function, got<Signature>, instead_write<"step<float(const float*)>">>();
  }
};

/// A bound step by what it takes and gives alone, so that it can be stored, and named where etch's expressions are not known:
/// `step<float(const float*, const std::int32_t*)> train = session.bind(loss, x = images, y = labels);`. A call costs one indirect
/// call more than the bound step's, and allocates nothing. All that is said of those holds: what they hold, which arrays must live
/// on, one thread at a time.
///
/// R: void, or what the fetches give: a number for a scalar, `std::span<const T>` (row-major) or `const xt::xtensor<T, N>&` for
/// an array, `std::tuple` of these for several. A: a pointer for each feed, as bound steps are called with; or none, then the
/// step reads what was bound.
///
/// To call one that is empty, or has been moved from, throws `etch::error`.
template <class R, class... A>
class step<R(A...)> {
 public:
  step() = default;
  template <class Bound>
    requires(!std::is_same_v<std::remove_cvref_t<Bound>, step>)
  step(Bound&& bound) {
    using type = std::remove_cvref_t<Bound>;
    if constexpr (detail::is_bound_step<type> && !std::is_lvalue_reference_v<Bound>) {
      if constexpr (check<type>()) take(bound);
    } else if constexpr (detail::is_bound_step<type>) {
      // Of Bound, so that it is no error of this template.
      raise<a_bound_step_cannot_be_copied_move_it,
            std::conditional_t<detail::is_bound_step<type>, instead_write<"std::move(bound)">, type>>();
    } else if constexpr (!detail::is_refused<type>) {
      raise<a_step_is_made_of_what_bind_gives, typename detail::shown_argument<type>::type,
            instead_write<"session.bind(y, x = values)">>();
    }
  }
  step(step&& other) noexcept : state_(other.state_), call_(other.call_), destroy_(other.destroy_) { other.leave(); }
  step& operator=(step&& other) noexcept {
    if (this != &other) {
      destroy_(state_);
      state_ = other.state_;
      call_ = other.call_;
      destroy_ = other.destroy_;
      other.leave();
    }
    return *this;
  }
  ~step() { destroy_(state_); }

  template <class... P>
  ETCH_INLINE R operator()(P... pointers) {
    constexpr bool fit = [] {
      if constexpr (sizeof...(P) == sizeof...(A))
        return (std::is_convertible_v<P, A> && ...);
      else
        return false;
    }();
    if constexpr (fit) {
      return call_(state_, pointers...);
    } else {
      raise<a_step_takes_a_pointer_for_each_feed, expected<A...>, got<P...>>();
      return call_(state_, A{}...);
    }
  }

 private:
  template <class Bound>
  static constexpr bool check() {
    constexpr const decltype(Bound::state::results)* results = nullptr;
    using gives = detail::giver<R, decltype(detail::places_of_results(results))>;
    if constexpr (!gives::fits(results))
      return raise<the_result_of_this_step_has_another_type, expected<decltype(gives::shown(results))>, got<R>>();
    else if constexpr (sizeof...(A) > 0)
      return detail::check_pointers<typename Bound::plan_type>(typename Bound::elements{}, detail::type_list<A...>{});
    else
      return true;
  }
  template <class Bound>
  void take(Bound& bound) {
    using state = typename Bound::state;
    state_ = bound.state_.release();
    call_ = state_ != nullptr ? &call<Bound> : &moved_from;
    destroy_ = [](void* s) { delete static_cast<state*>(s); };
  }
  template <class Bound>
  static R call(void* at, A... pointers) {
    auto& s = *static_cast<typename Bound::state*>(at);
    if constexpr (sizeof...(A) > 0) s.point_to(pointers...);
    s.run();
    return detail::giver<R, decltype(detail::places_of_results(&s.results))>::from(s.results);
  }
  /// (std::exchange would instantiate 35 classes, here and now.)
  void leave() {
    state_ = nullptr;
    call_ = &moved_from;
  }
  static R nothing_bound(void*, A...) { fail("step: nothing is bound to it"); }
  static R moved_from(void*, A...) { fail("step: it has been moved from"); }

  void* state_ = nullptr;
  R (*call_)(void*, A...) = &nothing_bound;
  void (*destroy_)(void*) = [](void*) {};
};

}  // namespace etch
