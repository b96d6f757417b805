// SPDX-License-Identifier: MIT
#include "contraction_programs.hpp"

/// Contractions along any axes: random programs of letters, of one to six of them, in random orders.
namespace {
using laws::check_einsum;
}

TEST_CASE("law: einsum of two operands is loops over its letters, whatever their order and extents") {
  check_einsum<"cdbae,dce->ba", double>(1);
  check_einsum<"fcadeb,dfc->bea", double>(2);
  check_einsum<"ba,a->b", double>(3);
  check_einsum<"ced,dbac->bade", double>(4);
  check_einsum<"dba,cd->cba", double>(5);
  check_einsum<"bdc,eab->cea", double>(6);
  check_einsum<"cbead,afd->cdf", double>(7);
  check_einsum<"bad,bcd->abcd", double>(8);
  check_einsum<"cad,bcd->dab", double>(9);
  check_einsum<"abdec,afe->cdf", double>(10);
  check_einsum<"cba,acb->", double>(11);
  check_einsum<"a,ba->b", double>(12);
  check_einsum<"abc,c->ba", double>(13);
  check_einsum<"cb,abc->ba", double>(14);
}

TEST_CASE("law: einsum of two operands of float32 and int32 is loops over its letters") {
  check_einsum<"abcd,bde->ace", float>(21);
  check_einsum<"abcd,aecd->acbe", float>(22);
  check_einsum<"acbe,aecd->abcd", float>(23);
  check_einsum<"ebacd,ab->ec", float>(24);
  check_einsum<"abcd,bde->ace", std::int32_t>(25);
  check_einsum<"dcbae,aebd->c", std::int32_t>(26);
  check_einsum<"cab,acb->ca", std::int32_t>(27);
  check_einsum<"ab,ca->bc", std::int32_t>(28);
}
