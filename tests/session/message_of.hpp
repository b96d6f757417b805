// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include <etch/core/diagnostics.hpp>

/// What `call` throws, as text.
template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const etch::error& e) {
    return e.what();
  }
  return "nothing was thrown";
}
