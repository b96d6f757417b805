#include <etch/session/reference.hpp>
#include <etch/etch.hpp>
#include <doctest/doctest.h>
