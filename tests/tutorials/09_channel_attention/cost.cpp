#include "tutorials/09_channel_attention/cost.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace attend;
using namespace attend::chapter09;

TEST_CASE("ResNet-50 has the 25,557,032 numbers that its published form has") {
  CHECK(resnet50().parameters == 25557032);
  CHECK(resnet50().multiplications == 4089184256);
}

TEST_CASE("squeeze-and-excitation in it: 2 C² / r for each of 16 blocks") {
  CHECK(excitations(16).parameters == 2514944);
  CHECK(excitations(64).parameters * 4 == excitations(16).parameters);
  CHECK(excitations(16).multiplications == excitations(16).parameters);
  CHECK_THROWS_AS(excitations(512), std::invalid_argument);
}

TEST_CASE("what is counted when the layers run is what their sizes say") {
  const Measured se = measure_excitation(16, 1);
  CHECK(se.matmul == 2 * 1024 * 1024 / 16);
  CHECK(se.parameters == se.matmul);
  CHECK(se.multiplications > se.matmul + 1024 * 14 * 14);  // each number of the maps is weighed
  const Measured block = measure_block(1);
  CHECK(block.matmul == (2 * 1024 * 256 + 9 * 256 * 256) * 14 * 14);
}
