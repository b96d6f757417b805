// SPDX-License-Identifier: MIT
// What programs that read images link: the one file that libjpeg's and libpng's headers are needed for.
#include <etch/image/codecs/jpeg.hpp>
#include <etch/image/codecs/png.hpp>
