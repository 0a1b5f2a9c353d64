// float16 and bfloat16: their numbers one by one, and kernels that store them and compute in float32.
#include "tensor/half.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tensor/kernels.hpp"
#include "tensor/print.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/special.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// A format as IEEE 754 describes it, in plain arithmetic.
struct Format {
  DType dtype;
  int exponent_bits, fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }

  double value(int bits) const {
    const int fraction = bits & ((1 << fraction_bits) - 1),
              exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
    const double sign = bits >> 15 ? -1 : 1, share = std::ldexp(fraction, -fraction_bits);
    if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * infinity : not_a_number;
    return sign * (exponent == 0 ? std::ldexp(share, 1 - bias()) : std::ldexp(1 + share, exponent - bias()));
  }

  // x in units of the last place that a number of its size has, rounded to a whole number of them.
  double nearest(double x) const {
    if (x == 0 || !std::isfinite(x)) return x;
    const int last_place = std::max(std::ilogb(x), 1 - bias()) - fraction_bits;
    const double rounded = std::ldexp(std::nearbyint(std::ldexp(x, -last_place)), last_place);
    return std::fabs(rounded) >= std::ldexp(1, bias() + 1) ? std::copysign(infinity, x) : rounded;
  }
};

const std::vector<Format> formats = {{DType::float16, 5, 10}, {DType::bfloat16, 8, 7}};
const std::vector<DType> halves = {DType::float16, DType::bfloat16};

Tensor of_bits(const std::vector<int>& bits, DType dtype) {
  Tensor x = Tensor::uninitialized({static_cast<Size>(bits.size())}, dtype);
  auto* to = static_cast<std::uint16_t*>(static_cast<void*>(x.writable<Float16>()));
  for (std::size_t i = 0; i < bits.size(); ++i) to[i] = static_cast<std::uint16_t>(bits[i]);
  return x;
}

int bits_of(const Tensor& x, Size i) {
  return x.dtype() == DType::float16 ? x.data<Float16>()[i].bits : x.data<BFloat16>()[i].bits;
}

Tensor all_patterns(DType dtype) {
  std::vector<int> bits;
  for (int i = 0; i < 65536; ++i) bits.push_back(i);
  return of_bits(bits, dtype);
}

double scalar(double x, DType dtype) { return dtype == DType::float16 ? Float16(x) : BFloat16(x); }

bool same(double a, double b) { return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b); }

// Random numbers that a half holds exactly.
Tensor half(const Shape& shape, DType dtype, std::uint64_t seed = 1) { return random(shape, dtype, seed); }
Tensor wide(const Tensor& x) { return is_half(x.dtype()) ? kernel::cast(x, DType::float32) : x; }

}  // namespace

TEST_CASE("all 65,536 patterns mean the number that IEEE 754 says, and come back from float32 and float64 unchanged") {
  for (const Format& format : formats) {
    const Tensor x = all_patterns(format.dtype);
    const std::vector<double> values = x.to_vector(), narrow = kernel::cast(x, DType::float32).to_vector();
    int wrong = 0, nans = 0;
    for (DType between : {DType::float32, DType::float64}) {
      const Tensor back = kernel::cast(kernel::cast(x, between), format.dtype);
      for (int i = 0; i < 65536; ++i) {
        const std::size_t at = static_cast<std::size_t>(i);
        const double expected = format.value(i);
        wrong += !same(values[at], expected) || !same(narrow[at], expected);
        if (std::isnan(expected)) {  // quiet, with its sign and what else it said
          const int quiet = i | 1 << (format.fraction_bits - 1);
          wrong += bits_of(back, i) != quiet;
          ++nans;
        } else {
          wrong += bits_of(back, i) != i;
        }
      }
    }
    INFO(name_of(format.dtype));
    CHECK(wrong == 0);
    CHECK(nans == 2 * 2 * ((1 << format.fraction_bits) - 1));
  }
}

TEST_CASE("a number is rounded to the nearest, at every number, every midpoint, and beside them") {
  for (const Format& format : formats) {
    int wrong = 0;
    const int end = ((1 << format.exponent_bits) - 1) << format.fraction_bits;  // infinity
    std::vector<double> singles;
    for (int i = 0; i < end; ++i) {
      const double number = format.value(i);
      const double next = i + 1 < end ? format.value(i + 1) : std::ldexp(1, format.bias() + 1);
      for (double middle : {number, (number + next) / 2}) {
        for (double x : {middle, std::nextafter(middle, -infinity), std::nextafter(middle, infinity)}) {
          wrong += !same(scalar(x, format.dtype), format.nearest(x));
          wrong += !same(scalar(-x, format.dtype), format.nearest(-x));
        }
        const auto single = static_cast<float>(middle);
        for (float x : {single, std::nextafter(single, -INFINITY), std::nextafter(single, INFINITY)}) {
          if (x <= 3.4e38f) singles.push_back(x);
        }
      }
    }
    INFO(name_of(format.dtype));
    CHECK(wrong == 0);
    const auto count = static_cast<Size>(singles.size());
    const std::vector<double> rounded = kernel::cast(Tensor::from(singles, {count}), format.dtype).to_vector();
    for (std::size_t i = 0; i < singles.size(); ++i) wrong += !same(rounded[i], format.nearest(singles[i]));
    CHECK(wrong == 0);
    CHECK(count > 180000);
  }
}

TEST_CASE("ties go to the even neighbour, 65520 is infinite, and small numbers lose their last places one by one") {
  const double last = 0x1p-10;  // float16's last place between 1 and 2
  check_close(Float16(1 + last / 2), 1, 0);
  check_close(Float16(1 + 3 * last / 2), 1 + 2 * last, 0);
  check_close(Float16(1 + last / 2 + 0x1p-40), 1 + last, 0);  // by way of a float it would be a tie, and 1
  check_close(Float16(2049), 2048, 0);
  check_close(Float16(2051), 2052, 0);
  check_close(Float16(65504), 65504, 0);
  check_close(Float16(65519.999), 65504, 0);
  check_close(Float16(65520), infinity, 0);
  check_close(Float16(-1e300), -infinity, 0);
  check_close(Float16(0x1p-24), 0x1p-24, 0);
  check_close(Float16(0x1p-25), 0, 0);
  check_close(Float16(0x1.8p-25), 0x1p-24, 0);
  check_close(Float16(0x1.8p-24), 0x1p-23, 0);
  check_close(Float16(1023.5 * 0x1p-24), 0x1p-14, 0);  // the largest subnormal rounds up to the smallest normal
  CHECK(Float16(-0x1p-30).bits == 0x8000);
  check_close(BFloat16(1 + 0x1p-8), 1, 0);
  check_close(BFloat16(1 + 0x3p-8), 1 + 0x1p-6, 0);
  check_close(BFloat16(65520), 65536, 0);
  check_close(BFloat16(3.39e38), 0x1.fep127, 0);
  check_close(BFloat16(3.4e38), infinity, 0);
  check_close(BFloat16(0x1p-133), 0x1p-133, 0);
  check_close(BFloat16(0x1p-134), 0, 0);
  CHECK(std::isnan(static_cast<float>(Float16(not_a_number))));
  CHECK(std::isnan(static_cast<float>(BFloat16(not_a_number))));
}

TEST_CASE("by the processor's instructions or not, at every address and of every length, the bits are the same") {
  MESSAGE("F16C: ", has_f16c());
  std::vector<float> singles(80);
  Rng rng(3);
  for (std::size_t i = 0; i < singles.size(); ++i) {
    const double special[] = {0, -0.0, infinity, -infinity, not_a_number, 65520, 1e-6, -3e-8};
    singles[i] =
        static_cast<float>(i % 5 == 0 ? special[i / 5 % 8] : rng.normal() * std::pow(10, rng.uniform() * 12 - 8));
  }
  std::vector<Float16> sixteen(80);
  std::vector<BFloat16> brain(80);
  std::vector<float> back(80);
  int wrong = 0;
  for (Size from = 0; from < 9; ++from) {
    for (Size to = 0; to < 9; ++to) {
      for (Size count : {0, 1, 7, 8, 9, 15, 16, 17, 33, 64}) {
        sixteen[static_cast<std::size_t>(to + count)].bits = 0x1234;  // what lies behind the end stays
        convert(singles.data() + from, sixteen.data() + to, count);
        convert(singles.data() + from, brain.data() + to, count);
        wrong += sixteen[static_cast<std::size_t>(to + count)].bits != 0x1234;
        convert(sixteen.data() + to, back.data() + from, count);
        for (Size i = 0; i < count; ++i) {
          const float x = singles[static_cast<std::size_t>(from + i)];
          wrong += sixteen[static_cast<std::size_t>(to + i)].bits != Float16(x).bits;
          wrong += brain[static_cast<std::size_t>(to + i)].bits != BFloat16(x).bits;
          wrong += !same(back[static_cast<std::size_t>(from + i)], Float16(x));
        }
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("the next smaller number is the one that nothing lies between") {
  for (const Format& format : formats) {
    int wrong = 0;
    for (int i = 0; i < 65536; ++i) {
      const double x = format.value(i);
      if (!std::isfinite(x)) continue;
      const Tensor at = of_bits({i}, format.dtype);
      const double below =
          format.dtype == DType::float16 ? next_below(at.data<Float16>()[0]) : next_below(at.data<BFloat16>()[0]);
      const double middle = std::isinf(below) ? -infinity : (below + x) / 2;
      wrong += below >= x || (scalar(middle, format.dtype) != below && scalar(middle, format.dtype) != x);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("casts of every kind of view, to and from every dtype") {
  for (DType dtype : halves) {
    const Tensor x = half({3, 5}, dtype);
    for (const View& view : views_of(x)) {
      INFO(name_of(dtype), " ", view.name);
      CHECK(same_bits(kernel::cast(view.tensor, DType::float32), wide(x)));
      CHECK(same_bits(kernel::cast(view.tensor, DType::float64), kernel::cast(x, DType::float64)));
    }
    for (const View& view : views_of(random({3, 5}))) {
      CHECK(same_bits(kernel::cast(view.tensor, dtype), kernel::cast(random({3, 5}), dtype)));
    }
    check_close(kernel::cast(Tensor::from_ints({-3, 0, 7}, {3}), dtype), {3}, {-3, 0, 7}, 0);
    CHECK(kernel::cast(Tensor::from({0, 2.5, -7}, {3}, dtype), DType::int64).to_ints() ==
          std::vector<std::int64_t>{0, 2, -7});
    check_close(kernel::cast(Tensor::from({0, 2.5, 1e-6}, {3}, dtype), DType::boolean), {3}, {0, 1, 1}, 0);
    CHECK(width(dtype) == 2);
  }
  check_close(kernel::cast(Tensor::from({1 + 0x1p-7 + 0x1p-9}, {1}, DType::float16), DType::bfloat16), {1},
              {1 + 0x1p-7}, 0);
}

TEST_CASE("every kernel gives what it gives for the same numbers in float32, rounded once") {
  const Tensor ids = Tensor::from_ints({2, 0, 2}, {3}), index = Tensor::from_ints({1, 0, 4, 4, 2, 3}, {3, 2});
  const Tensor mask = Tensor::from_bools({true, false, true, true, false}, {5});
  using In = std::vector<Tensor>;
  struct Row {
    std::string name;
    std::function<Tensor(const In&)> f;
    std::vector<Shape> shapes;
  };
  const auto one = [](const std::string& name, Tensor (*f)(const Tensor&)) {
    return Row{name, [f](const In& x) { return f(x[0]); }, {{3, 5}}};
  };
  const auto two = [](const std::string& name, Tensor (*f)(const Tensor&, const Tensor&)) {
    return Row{name, [f](const In& x) { return f(x[0], x[1]); }, {{3, 5}, {5}}};
  };
  const std::vector<Row> rows = {
      two("add", kernel::add),
      two("sub", kernel::sub),
      two("mul", kernel::mul),
      two("div", kernel::div),
      two("pow", kernel::pow),
      two("maximum", kernel::maximum),
      two("minimum", kernel::minimum),
      {"affine", [](const In& x) { return kernel::affine(x[0], 1.7, 0.3); }, {{3, 5}}},
      {"blend", [](const In& x) { return kernel::blend(1.7, x[0], 0.3, x[1]); }, {{3, 5}, {5}}},
      one("exp", kernel::exp),
      one("log", kernel::log),
      one("log1p", kernel::log1p),
      one("expm1", kernel::expm1),
      one("sqrt", kernel::sqrt),
      one("sin", kernel::sin),
      one("cos", kernel::cos),
      one("erf", kernel::erf),
      one("abs", kernel::abs),
      one("tanh", kernel::tanh),
      one("sigmoid", kernel::sigmoid),
      one("softplus", kernel::softplus),
      one("gelu", kernel::gelu),
      two("relu_backward", kernel::relu_backward),
      two("tanh_backward", kernel::tanh_backward),
      two("sigmoid_backward", kernel::sigmoid_backward),
      two("gelu_backward", kernel::gelu_backward),
      one("relu", kernel::relu),
      {"leaky_relu", [](const In& x) { return kernel::leaky_relu(x[0], 0.3); }, {{3, 5}}},
      {"clamp", [](const In& x) { return kernel::clamp(x[0], -0.7, 0.7); }, {{3, 5}}},
      {"sum",
       [](const In& x) {
         return kernel::sum(x[0], {0, 2}, false);
       },
       {{3, 5, 40}}},
      {"max", [](const In& x) { return kernel::max(x[0], {1}, true); }, {{3, 5}}},
      {"min", [](const In& x) { return kernel::min(x[0], {1}, true); }, {{3, 5}}},
      {"cumsum", [](const In& x) { return kernel::cumsum(x[0], 0); }, {{30, 5}}},
      one("softmax", kernel::softmax),
      one("log_softmax", kernel::log_softmax),
      one("logsumexp", kernel::logsumexp),
      {"masked_softmax", [=](const In& x) { return kernel::masked_softmax(x[0], mask); }, {{3, 5}}},
      one("entmax", [](const Tensor& x) { return kernel::entmax(x, 1.5); }),
      two("softmax_backward",
          [](const Tensor& g, const Tensor& x) { return kernel::softmax_backward(g, broadcast_to(x, g.shape())); }),
      {"matmul", [](const In& x) { return kernel::matmul(x[0], x[1]); }, {{2, 3, 50}, {50, 4}}},
      {"matmul, transposed", [](const In& x) { return kernel::matmul(x[0], transpose(x[1])); }, {{3, 50}, {4, 50}}},
      {"linear", [](const In& x) { return kernel::linear(x[0], x[1], x[2]); }, {{3, 50}, {50, 4}, {4}}},
      {"standardize", [](const In& x) { return kernel::standardize(x[0], 0.1); }, {{3, 50}}},
      {"standardize_backward",
       [](const In& x) { return kernel::standardize_backward(x[0], x[1], 0.1); },
       {{3, 50}, {3, 50}}},
      {"qr", [](const In& x) { return kernel::matmul(kernel::qr(x[0]).first, kernel::qr(x[0]).second); }, {{1, 1}}},
      {"inverse", [](const In& x) { return kernel::inverse(x[0]); }, {{3, 3}}},
      {"singular_values", [](const In& x) { return kernel::singular_values(x[0]); }, {{3, 5}}},
      {"index_add", [=](const In& x) { return kernel::index_add(x[0], 0, ids, x[1]); }, {{3, 5}, {3, 5}}},
      {"scatter_add", [=](const In& x) { return kernel::scatter_add(x[0], 1, index, x[1]); }, {{3, 5}, {3, 2}}},
      {"overlap_add", [](const In& x) { return kernel::overlap_add(x[0], 0, 7, 2, 1); }, {{3, 3}}},
      {"take", [=](const In& x) { return kernel::take(x[0], 0, ids); }, {{3, 5}}},
      {"gather", [=](const In& x) { return kernel::gather(x[0], 1, index); }, {{3, 5}}},
      {"where", [=](const In& x) { return kernel::where(mask, x[0], x[1]); }, {{3, 5}, {5}}},
      {"concat",
       [](const In& x) {
         return kernel::concat({x[0], x[1]}, 0);
       },
       {{3, 5}, {2, 5}}},
      {"embed", [](const In& x) { return kernel::embed(x[0], {8}, {1}, {2}, 0.5); }, {{3}}},
      one("contiguous", [](const Tensor& x) { return contiguous(transpose(x)); })};
  for (DType dtype : halves) {
    for (const Row& row : rows) {
      INFO(name_of(dtype), " ", row.name);
      In narrow, in_float32;
      for (std::size_t i = 0; i < row.shapes.size(); ++i) {
        narrow.push_back(half(row.shapes[i], dtype, i + 1));
        in_float32.push_back(wide(narrow.back()));
      }
      const Tensor found = row.f(narrow), expected = kernel::cast(row.f(in_float32), dtype);
      CHECK(same_bits(found, expected));
      for (std::size_t kind = 0; kind < views_of(narrow[0]).size(); ++kind) {
        In views;
        for (const Tensor& x : narrow) views.push_back(views_of(x)[kind].tensor);
        INFO(views_of(narrow[0])[kind].name);
        CHECK(same_bits(row.f(views), expected));
      }
    }
  }
}

TEST_CASE("a sum of 5000 ones is 5000, though float16 would stay at 2048 if it were added up in float16") {
  check_close(kernel::sum(Tensor::ones({5000}, DType::float16), {0}, false), {}, {5000}, 0);
  check_close(kernel::matmul(Tensor::ones({1, 5000}, DType::float16), Tensor::ones({5000, 1}, DType::float16)), {1, 1},
              {5000}, 0);
}

TEST_CASE("comparisons, places and orders are those of the numbers") {
  for (DType dtype : halves) {
    const Tensor x = Tensor::from({3, -1, not_a_number, 0, -0.0, infinity, 3, 2, -5}, {3, 3}, dtype), w = wide(x);
    const Tensor y = Tensor::from({3, 0, 1}, {3}, dtype);
    for (auto compare :
         {kernel::equal, kernel::not_equal, kernel::less, kernel::less_equal, kernel::greater, kernel::greater_equal}) {
      CHECK(same_bits(compare(x, y), compare(w, wide(y))));
    }
    CHECK(same_bits(kernel::is_finite(x), kernel::is_finite(w)));
    CHECK(same_bits(kernel::argmax(x, 1, false), kernel::argmax(w, 1, false)));
    CHECK(same_bits(kernel::argsort(x, 1, true), kernel::argsort(w, 1, true)));
    CHECK_FALSE(kernel::all_finite(x));
    CHECK(kernel::all_finite(y));
    CHECK(same_bits(kernel::one_hot(Tensor::from_ints({1, 0}, {2}), 3, dtype),
                    Tensor::from({0, 1, 0, 1, 0, 0}, {2, 3}, dtype)));
  }
}

TEST_CASE("half and float32 do not meet in a kernel, and int64 is still none to compute with") {
  const Tensor x = Tensor::ones({2, 2}, DType::float16), y = Tensor::ones({2, 2});
  check_throws_with([&] { kernel::add(x, y); }, {"add", "float16 and float32", "[2, 2]"});
  check_throws_with([&] { kernel::matmul(x, y); }, {"matmul", "float16 and float32", "[2, 2]"});
  check_throws_with([&] { kernel::sub(x, kernel::cast(y, DType::bfloat16)); }, {"sub", "float16 and bfloat16"});
  check_throws_with([&] { kernel::matmul(x, Tensor::ones({3, 2}, DType::float16)); }, {"matmul: inner sizes differ"});
  check_throws_with([&] { kernel::exp(Tensor::arange(3)); }, {"exp: needs a floating-point dtype, not int64 [3]"});
}

TEST_CASE("random halves are the random numbers of float64, rounded, and stay below the end of their range") {
  for (DType dtype : halves) {
    Rng one(4), other(4);
    CHECK(same_bits(one.normal({100}, 1, 2, dtype), kernel::cast(other.normal({100}, 1, 2, DType::float64), dtype)));
    const std::vector<double> values = one.uniform({5000}, -1, 1, dtype).to_vector();
    CHECK(*std::min_element(values.begin(), values.end()) >= -1);
    CHECK(*std::max_element(values.begin(), values.end()) < 1);
    CHECK(*std::max_element(values.begin(), values.end()) > 0.99);
  }
}

TEST_CASE("halves are printed with their dtype") {
  CHECK(to_string(Tensor::from({0.1, -2}, {2}, DType::float16)) == "float16 [2]\n[ 0.1, -2.0]");
  CHECK(to_string(Tensor::from({0.1, INFINITY}, {2}, DType::bfloat16)) == "bfloat16 [2]\n[0.1001,    inf]");
}
