// SPDX-License-Identifier: MIT
#include <etch/control.hpp>
#include <etch/layers/bidirectional.hpp>
#include "agrees.hpp"

namespace {

using namespace etch;
using namespace etch::literals;
using layers_test::agrees;
using layers_test::keras;

}  // namespace

TEST_CASE("layers: masked steps of recurrent layers are left out as Keras leaves them") {
  constexpr placeholder<"two", float, 2, 4, 3> two;
  constexpr auto t = arange<std::int32_t>(shape<4>{});
  constexpr auto b = expand_dims(arange<std::int32_t>(shape<2>{}), axis<-1>);
  // True, true, false, true; true, false, true, false.
  constexpr auto mask = where(b == 0_c, t, 2_c * (t % 2_c)) != 2_c;
  agrees(layers::lstm<3>(layers::return_sequences, layers::return_state)(two, mask), two, keras("lstm_masked"));
  agrees(layers::bidirectional(layers::gru<2>)(two, mask), two, keras("bidirectional_masked"));
}
