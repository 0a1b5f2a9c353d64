#include <doctest/doctest.h>

#include <limits>

#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

const Tensor x =
    numbers({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}, {2, 3, 4});

}  // namespace

TEST_CASE("views share the block and copy nothing") {
  const Counts before;
  for (const Tensor& view : {reshape(x, {4, 6}), permute(x, {2, 0, 1}), transpose(x), broadcast_to(x, {5, 2, 3, 4}),
                             slice(x, 1, 0, 2, 2), flip(x, {0, 2}), unsqueeze(x, 1), squeeze(unsqueeze(x, 1), {1}),
                             diagonal(slice(x, 2, 0, 3), 1, 2), windows(x, 2, 2)}) {
    CHECK(view.shares_block(x));
  }
  check_nothing_left(before);
}

TEST_CASE("reshape keeps the row-major order, and one size may be left open") {
  check_close(reshape(x, {4, 6}), {4, 6}, x.to_vector(), 0);
  CHECK(reshape(x, {-1}).shape() == Shape{24});
  CHECK(reshape(x, {2, -1, 2}).shape() == Shape{2, 6, 2});
  CHECK(reshape(x, {24, -1}).shape() == Shape{24, 1});
  CHECK(reshape(numbers({1}, {1}), {}).shape() == Shape{});
  CHECK(reshape(numbers({}, {0, 3}), {3, 0, 5}).shape() == Shape{3, 0, 5});
  CHECK(reshape(numbers({}, {0, 3}), {-1, 3}).shape() == Shape{0, 3});
  check_throws_with([] { reshape(x, {5, 5}); }, {"reshape", "[2, 3, 4]", "24", "[5, 5]"});
  check_throws_with([] { reshape(x, {-1, 5}); }, {"reshape", "[2, 3, 4]", "[-1, 5]"});
  check_throws_with([] { reshape(x, {-1, -1}); }, {"reshape", "[-1, -1]"});
  check_throws_with([] { reshape(x, {-2, -12}); }, {"reshape", "[-2, -12]"});
  check_throws_with([] { reshape(numbers({}, {0, 3}), {0, -1}); }, {"reshape", "[0, 3]", "[0, -1]"});
  check_throws_with([] { reshape(x, {}); }, {"reshape", "[2, 3, 4]", "[]"});
}

TEST_CASE("reshape of a view is a view where strides can say it, else a copy, and right either way") {
  const Tensor turned = transpose(x);  // [2, 4, 3], strides 12, 1, 4
  CHECK(reshape(turned, {2, 2, 2, 3}).shares_block(x));
  CHECK(reshape(turned, {2, 1, 4, 1, 3}).shares_block(x));
  CHECK_FALSE(reshape(turned, {8, 3}).shares_block(x));
  CHECK_FALSE(reshape(turned, {2, 12}).shares_block(x));
  CHECK(reshape(slice(x, 2, 0, 2, 2), {6, 2}).shares_block(x));  // rows stay evenly spaced
  CHECK(reshape(flip(x, {0, 1, 2}), {6, 4}).shares_block(x));    // one step back throughout
  CHECK_FALSE(reshape(flip(x, {0}), {24}).shares_block(x));
  CHECK(reshape(broadcast_to(numbers({1}, {1, 1}), {2, 6}), {3, 4}).strides() == Strides{0, 0});
  for (const View& view : views_of(x)) {
    for (const Shape& shape : {Shape{24}, Shape{6, 4}, Shape{2, 12}, Shape{3, 8}, Shape{2, 3, 2, 2}, Shape{1, 24, 1}}) {
      INFO(view.name, " as ", text(shape));
      check_close(reshape(view.tensor, shape), shape, x.to_vector(), 0);
      check_close(reshape(transpose(view.tensor), shape), shape, contiguous(transpose(x)).to_vector(), 0);
      check_close(reshape(permute(view.tensor, {1, 2, 0}), shape), shape, permute(x, {1, 2, 0}).to_vector(), 0);
    }
  }
}

TEST_CASE("permute and transpose exchange axes") {
  const Tensor y = permute(x, {2, 0, -2});
  CHECK(y.shape() == Shape{4, 2, 3});
  CHECK(y.at({3, 1, 2}) == x.at({1, 2, 3}));
  CHECK(y.at({1, 0, 2}) == x.at({0, 2, 1}));
  CHECK(transpose(x).at({1, 3, 2}) == x.at({1, 2, 3}));
  CHECK(permute(numbers({5}, {}), {}).item() == 5);
  check_throws_with([] { permute(x, {0, 1}); }, {"permute", "[2, 3, 4]", "[0, 1]"});
  check_throws_with([] { permute(x, {0, 1, 1}); }, {"permute", "[0, 1, 1]", "twice"});
  check_throws_with([] { permute(x, {0, 1, 3}); }, {"permute", "axis 3"});
  check_throws_with([] { transpose(numbers({1, 2}, {2})); }, {"transpose", "[2]"});
}

TEST_CASE("broadcast_to repeats axes of size 1 and new leading axes") {
  check_close(broadcast_to(numbers({1, 2}, {2, 1}), {2, 3}), {2, 3}, {1, 1, 1, 2, 2, 2}, 0);
  check_close(broadcast_to(numbers({1, 2}, {2}), {3, 2}), {3, 2}, {1, 2, 1, 2, 1, 2}, 0);
  check_close(broadcast_to(numbers({1}, {1}), {0}), {0}, {}, 0);
  check_throws_with([] { broadcast_to(x, {2, 3, 5}); }, {"broadcast_to", "[2, 3, 4]", "[2, 3, 5]"});
  check_throws_with([] { broadcast_to(x, {3, 4}); }, {"broadcast_to", "[2, 3, 4]", "[3, 4]"});
  check_throws_with([] { broadcast_to(numbers({1}, {1}), {-1}); }, {"broadcast_to", "[1]", "[-1]"});
  check_throws_with([] { broadcast_to(x, {2, 3, 1}); }, {"broadcast_to", "[2, 3, 4]", "[2, 3, 1]"});
}

TEST_CASE("slice takes steps, backwards too, and stays inside its axis") {
  const Tensor row = numbers({0, 1, 2, 3, 4, 5, 6}, {7});
  check_close(slice(row, 0, 1, 3), {3}, {1, 2, 3}, 0);
  check_close(slice(row, -1, 0, 4, 2), {4}, {0, 2, 4, 6}, 0);
  check_close(slice(row, 0, 6, 3, -3), {3}, {6, 3, 0}, 0);
  check_close(slice(slice(row, 0, 6, 3, -3), 0, 2, 2, -2), {2}, {0, 6}, 0);
  check_close(slice(row, 0, 3, 0), {0}, {}, 0);
  check_close(slice(row, 0, 3, 1, 100), {1}, {3}, 0);
  check_throws_with([&] { slice(row, 0, 5, 3); }, {"slice", "[7]", "3 elements from 5", "axis 0"});
  check_throws_with([&] { slice(row, 0, -1, 2); }, {"slice", "[7]"});
  check_throws_with([&] { slice(row, 0, 1, 3, -1); }, {"slice", "[7]", "steps of -1"});
  check_throws_with([&] { slice(row, 0, 0, -1); }, {"slice", "[7]"});
  check_throws_with([&] { slice(row, 0, 0, 2, 0); }, {"slice", "steps of 0"});
  check_throws_with([&] { slice(row, 1, 0, 1); }, {"slice", "axis 1"});
}

TEST_CASE("flip reverses the named axes") {
  check_close(flip(numbers({0, 1, 2, 3, 4, 5}, {2, 3}), {1}), {2, 3}, {2, 1, 0, 5, 4, 3}, 0);
  check_close(flip(numbers({0, 1, 2, 3, 4, 5}, {2, 3}), {-1, 0}), {2, 3}, {5, 4, 3, 2, 1, 0}, 0);
  check_close(flip(flip(x, {1}), {1}), x.shape(), x.to_vector(), 0);
  check_close(flip(numbers({}, {0, 2}), {0}), {0, 2}, {}, 0);
  check_throws_with([] { flip(x, {0, -3}); }, {"flip", "twice"});
}

TEST_CASE("numbers so large that their product overflows do not make a view of memory that is not there") {
  const Size quarter = Size{1} << 62, most = std::numeric_limits<Size>::max(), least = std::numeric_limits<Size>::min();
  check_throws_with([&] { slice(x, 0, 0, quarter + 1, 4); }, {"slice", "[2, 3, 4]"});
  for (Size count : {most, least}) check_throws_with([&] { slice(x, 0, 0, count); }, {"slice", "[2, 3, 4]"});
  for (Size start : {most, least}) check_throws_with([&] { slice(x, 0, start, 2); }, {"slice", "[2, 3, 4]"});
  for (Size step : {most, least}) check_throws_with([&] { slice(x, 0, 1, 2, step); }, {"slice", "[2, 3, 4]"});
  check_throws_with([&] { reshape(numbers({1, 2, 3, 4}, {4}), {quarter + 1, 4}); }, {"shape", "4"});
  check_throws_with([&] { reshape(numbers({}, {0}), {quarter, 4}); }, {"shape", "4"});
}

TEST_CASE("axes of size 1 come and go") {
  CHECK(unsqueeze(x, 0).shape() == Shape{1, 2, 3, 4});
  CHECK(unsqueeze(x, 3).shape() == Shape{2, 3, 4, 1});
  CHECK(unsqueeze(x, -1).shape() == Shape{2, 3, 4, 1});
  CHECK(squeeze(numbers({1, 2}, {1, 2, 1}), {0, -1}).shape() == Shape{2});
  CHECK(squeeze(numbers({1, 2}, {1, 2, 1}), {0}).shape() == Shape{2, 1});
  check_throws_with([] { unsqueeze(x, 4); }, {"unsqueeze", "axis 4"});
  check_throws_with([] { squeeze(x, {1}); }, {"squeeze", "[2, 3, 4]", "axis 1"});
  check_throws_with([] { unsqueeze(Tensor::zeros({1, 1, 1, 1, 1, 1, 1, 1}), 0); }, {"shape", "8 axes"});
}

TEST_CASE("the diagonal of two axes becomes the last one") {
  const Tensor square = numbers({0, 1, 2, 3, 4, 5, 6, 7, 8}, {3, 3});
  check_close(diagonal(square, 0, 1), {3}, {0, 4, 8}, 0);
  check_close(diagonal(flip(square, {1}), 0, 1), {3}, {2, 4, 6}, 0);
  check_close(diagonal(slice(x, 2, 0, 2), 0, -1), {3, 2}, {0, 13, 4, 17, 8, 21}, 0);
  check_throws_with([] { diagonal(x, 0, 1); }, {"diagonal", "[2, 3, 4]", "[0, 1]"});
  check_throws_with([] { diagonal(x, 1, 1); }, {"diagonal", "twice"});
}

TEST_CASE("windows slide along an axis, their elements on a new last one") {
  const Tensor row = numbers({0, 1, 2, 3, 4, 5, 6}, {7});
  check_close(windows(row, 0, 3, 2), {3, 3}, {0, 1, 2, 2, 3, 4, 4, 5, 6}, 0);
  check_close(windows(row, -1, 2, 3), {2, 2}, {0, 1, 3, 4}, 0);  // element 6 begins no whole window
  check_close(windows(row, 0, 3, 1, 2), {3, 3}, {0, 2, 4, 1, 3, 5, 2, 4, 6}, 0);
  check_close(windows(row, 0, 7), {1, 7}, row.to_vector(), 0);
  check_close(windows(row, 0, 1, 100, 100), {1, 1}, {0}, 0);
  check_close(windows(flip(row, {0}), 0, 2, 5), {2, 2}, {6, 5, 1, 0}, 0);
  const Tensor y = windows(x, 1, 2);
  CHECK(y.shape() == Shape{2, 2, 4, 2});
  CHECK(y.at({1, 1, 3, 0}) == x.at({1, 1, 3}));
  CHECK(y.at({1, 1, 3, 1}) == x.at({1, 2, 3}));
  check_throws_with([&] { windows(row, 0, 8); }, {"windows", "[7]", "8 elements", "length 7"});
  check_throws_with([&] { windows(row, 0, 4, 1, 3); }, {"windows", "[7]", "4 elements 3 apart", "length 7"});
  check_throws_with([&] { windows(row, 0, 0); }, {"windows", "0 elements"});
  check_throws_with([&] { windows(row, 0, 2, 0); }, {"windows", "every 0"});
  check_throws_with([&] { windows(row, 0, 1, 1, 0); }, {"windows", "0 apart"});
  check_throws_with([&] { windows(row, 1, 1); }, {"windows", "axis 1"});
}

TEST_CASE("overlap_add adds every window to where it was read, for every kind of view") {
  const Tensor w = numbers({1, 2, 3, 10, 20, 30}, {2, 3});
  for (const View& view : views_of(w)) {
    INFO(view.name);
    check_close(kernel::overlap_add(view.tensor, 0, 6, 1, 1), {6}, {1, 12, 23, 30, 0, 0}, 0);
    check_close(kernel::overlap_add(view.tensor, 0, 6, 1, 2), {6}, {1, 10, 2, 20, 3, 30}, 0);
    check_close(kernel::overlap_add(view.tensor, 0, 5, 2, 1), {5}, {1, 2, 13, 20, 30}, 0);
  }
  const Tensor two = numbers({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});  // along either axis
  check_close(kernel::overlap_add(two, 0, 3, 1, 1), {3, 2}, {1, 3, 7, 11, 6, 8}, 0);
  check_close(kernel::overlap_add(two, 1, 3, 1, 1), {2, 3}, {1, 5, 4, 5, 13, 8}, 0);
  check_throws_with([&] { kernel::overlap_add(Tensor::zeros({0, 2}), 0, 3, 1, 1); }, {"overlap_add", "[0, 2]"});
  check_throws_with([&] { kernel::overlap_add(Tensor::zeros({2, 0}), 0, 3, 1, 1); }, {"overlap_add", "[2, 0]"});
  check_throws_with([&] { kernel::overlap_add(w, 0, 3, 1, 1); }, {"overlap_add", "[2, 3]", "3"});
  check_throws_with([&] { kernel::overlap_add(w, 0, 4, 0, 1); }, {"overlap_add", "[2, 3]"});
  check_throws_with([&] { kernel::overlap_add(w, 1, 4, 1, 1); }, {"overlap_add", "axis 1"});
  check_throws_with([&] { kernel::overlap_add(Tensor::from_ints({1}, {1, 1}), 0, 1, 1, 1); }, {"overlap_add", "int64"});
}

TEST_CASE("windows whose elements lie too far apart to be counted do not fit") {
  const Tensor row = Tensor::arange(7);
  for (Size dilation : {Size{1} << 62, std::numeric_limits<Size>::max()}) {
    check_throws_with([&] { windows(row, 0, 3, 1, dilation); }, {"windows: ", "[7]", std::to_string(dilation)});
    check_close(windows(row, 0, 1, 100, dilation), {1, 1}, {0}, 0);
  }
  check_throws_with([&] { windows(row, 0, std::numeric_limits<Size>::max(), 1, 2); }, {"windows: ", "[7]"});
}
