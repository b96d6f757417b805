// SPDX-License-Identifier: MIT
#pragma once
#include <etch/base/hash.hpp>

/// The link from a hash to what it stands for: the one arcane thing in etch.
///
/// An expression's type must not contain its operands' types. Measured on `h = h + f(h * w)` repeated: nested types take
/// 72 s and 3.8 GB (g++ 12) at depth 20, since the name doubles at every step; with a hash instead, depth 64 takes 1.2 s
/// and 191 MB. So a type says only `expr<add, float, shape<...>, 0x9f3c...>`, and the definition is looked up by the hash.
///
/// The look-up is a friend function that a class template injects: instantiating `define<key<7>, D>` anywhere gives
/// `definition_of(key<7>)` a body, and argument-dependent look-up finds it from then on. Two different definitions under
/// one hash are a redefinition: a collision is a compile error, never a wrong result.
///
/// Three rules keep every compiler content:
/// - Give a hash to a type through a function-local `constexpr` variable. nvcc's front end keeps a dependent expression
///   as it is spelt, and would grow the whole tree again in what it hands to the host compiler.
/// - The warning that such a friend is not a template is silenced around its one declaration.
/// - Instantiate `define` before the look-up: taking a value from it, as `define<...>::hash` does, is enough.
namespace etch {

/// What a hash identifies. Each kind has its own keys, so that an op and an expression may share a number.
template <hash_t Hash>
struct expression_key;
template <hash_t Hash>
struct op_key;
template <hash_t Hash>
struct symbol_key;
template <hash_t Hash>
struct list_key;

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
#if defined(__CUDACC__)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1301
/// The front end of nvcc takes three times as long for a training step of the CNN where `part<Hash % 16>` says where definitions are.
template <template <hash_t> class Key, hash_t Hash>
struct definition_slot {
  friend constexpr auto definition_of(definition_slot<Key, Hash>);
};
template <template <hash_t> class Key, hash_t Hash, class Definition>
struct define {
  friend constexpr auto definition_of(definition_slot<Key, Hash>) { return Definition{}; }
  static constexpr hash_t hash = Hash;
};
#pragma nv_diagnostic pop
#else
/// Compilers compare each function of a name with all before it: of one namespace, definitions took a tenth of what clang needs for an
/// expression of 1,500 nodes, and a fifth of one of 3,000. So they stand in 16, by their hashes.
namespace definitions {
template <int Part>
struct part;

#define ETCH_PART_OF_DEFINITIONS(number)                                      \
  namespace part_##number {                                                   \
    template <class Key>                                                      \
    struct slot {                                                             \
      friend constexpr auto definition_of(slot<Key>);                         \
    };                                                                        \
    template <class Key, hash_t Hash, class Definition>                       \
    struct define {                                                           \
      friend constexpr auto definition_of(slot<Key>) { return Definition{}; } \
      static constexpr hash_t hash = Hash;                                    \
    };                                                                        \
  }                                                                           \
  template <>                                                                 \
  struct part<number> {                                                       \
    template <class Key>                                                      \
    using slot = part_##number::slot<Key>;                                    \
    template <class Key, hash_t Hash, class Definition>                       \
    using define = part_##number::define<Key, Hash, Definition>;              \
  }
ETCH_PART_OF_DEFINITIONS(0);
ETCH_PART_OF_DEFINITIONS(1);
ETCH_PART_OF_DEFINITIONS(2);
ETCH_PART_OF_DEFINITIONS(3);
ETCH_PART_OF_DEFINITIONS(4);
ETCH_PART_OF_DEFINITIONS(5);
ETCH_PART_OF_DEFINITIONS(6);
ETCH_PART_OF_DEFINITIONS(7);
ETCH_PART_OF_DEFINITIONS(8);
ETCH_PART_OF_DEFINITIONS(9);
ETCH_PART_OF_DEFINITIONS(10);
ETCH_PART_OF_DEFINITIONS(11);
ETCH_PART_OF_DEFINITIONS(12);
ETCH_PART_OF_DEFINITIONS(13);
ETCH_PART_OF_DEFINITIONS(14);
ETCH_PART_OF_DEFINITIONS(15);
#undef ETCH_PART_OF_DEFINITIONS
}  // namespace definitions

/// Where the definition of a hash is looked up.
template <template <hash_t> class Key, hash_t Hash>
using definition_slot = typename definitions::part<Hash % 16>::template slot<Key<Hash>>;
/// `define<...>::hash`: gives a hash its definition.
template <template <hash_t> class Key, hash_t Hash, class Definition>
using define = typename definitions::part<Hash % 16>::template define<Key<Hash>, Hash, Definition>;
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// The definition that was given for a hash: an empty class.
template <template <hash_t> class Key, hash_t Hash>
using defined = decltype(definition_of(definition_slot<Key, Hash>{}));

}  // namespace etch
