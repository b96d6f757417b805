// SPDX-License-Identifier: MIT
#pragma once
#include <utility>

#include <etch/data/slices.hpp>

namespace etch::data {

/// Rows of arrays that are from a file, with a text that says which, for positions.
template <class... Rows>
struct file_slices_stage {
  using element = element_of<slices_stage<Rows...>>;
  slices_stage<Rows...> rows;  ///< it keeps what they lie in
  std::string text;

  std::int64_t size() const { return rows.size(); }
  std::string describe() const { return text; }

  class reader : public slices_stage<Rows...>::reader {
   public:
    explicit reader(const file_slices_stage& s) : slices_stage<Rows...>::reader(s.rows) {}
  };
};

}  // namespace etch::data
