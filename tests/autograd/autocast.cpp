#include "autograd/autocast.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <thread>

#include "autograd/checkpoint.hpp"
#include "autograd/grad.hpp"
#include "autograd/gradcheck.hpp"
#include "autograd/ops.hpp"
#include "tensor/kernels.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

enum class Kind { down, meet, up, as_is };

struct Case {
  std::string op;  // its signature, as in the op table
  Kind kind;
  std::vector<Shape> shapes;
  std::function<Var(const Vars&)> f;
};

const Tensor ids = Tensor::from_ints({2, 0}, {2}), places = Tensor::from_ints({1, 0, 2, 2, 1, 0}, {3, 2});
const Tensor mask = Tensor::from_bools({true, false, true, true}, {4});

std::vector<Case> rows() {
  const auto two = [](const std::string& op, Kind kind, Var (*f)(const Var&, const Var&)) {
    return Case{op, kind, {{3, 4}, {4}}, [f](const Vars& x) { return f(x[0], x[1]); }};
  };
  const auto one = [](Kind kind) {
    return [kind](const std::string& op, const std::function<Var(const Var&)>& f) {
      return Case{op, kind, {{3, 4}}, [f](const Vars& x) { return f(x[0]); }};
    };
  };
  const auto up = one(Kind::up), as_is = one(Kind::as_is);
  return {{"matmul(Var, Var)", Kind::down, {{2, 3, 4}, {4, 5}}, [](const Vars& x) { return matmul(x[0], x[1]); }},
          {"conv(Var, Var, Convolution)",
           Kind::down,
           {{2, 3, 4, 5}, {4, 3, 2, 2}},
           [](const Vars& x) {
             return conv(x[0], x[1], {1, 1, 1, 1});
           }},
          {"linear(Var, Var, Var)",
           Kind::down,
           {{2, 3, 4}, {4, 5}, {5}},
           [](const Vars& x) { return linear(x[0], x[1], x[2]); }},
          {"blockwise_attention(Var, Var, Var, Blockwise)",
           Kind::down,
           {{2, 4}, {3, 4}, {3, 5}},
           [](const Vars& x) { return blockwise_attention(x[0], x[1], x[2]); }},
          {"einsum(string, Vars)", Kind::down, {{3, 4}, {5, 4}}, [](const Vars& x) { return einsum("ij,kj->ik", x); }},

          two("operator+(Var, Var)", Kind::meet, operator+),
          two("operator-(Var, Var)", Kind::meet, operator-),
          two("operator*(Var, Var)", Kind::meet, operator*),
          two("operator/(Var, Var)", Kind::meet, operator/),
          two("pow(Var, Var)", Kind::meet, pow),
          two("maximum(Var, Var)", Kind::meet, maximum),
          two("minimum(Var, Var)", Kind::meet, minimum),
          {"where(Tensor, Var, Var)", Kind::meet, {{3, 4}, {4}}, [](const Vars& x) { return where(mask, x[0], x[1]); }},
          {"inverse(Var)", Kind::up, {{2, 2}}, [](const Vars& x) { return inverse(x[0]); }},
          {"concat(Vars, Size)", Kind::meet, {{3, 4}, {2, 4}}, [](const Vars& x) { return concat(x, 0); }},
          {"stack(Vars, Size)", Kind::meet, {{3, 4}, {3, 4}}, [](const Vars& x) { return stack(x, 0); }},
          {"index_add(Var, Size, Tensor, Var)",
           Kind::meet,
           {{3, 4}, {2, 4}},
           [](const Vars& x) { return index_add(x[0], 0, ids, x[1]); }},
          {"scatter_add(Var, Size, Tensor, Var)",
           Kind::meet,
           {{3, 4}, {3, 2}},
           [](const Vars& x) { return scatter_add(x[0], 1, places, x[1]); }},

          up("sum(Var)", [](const Var& x) { return sum(x); }),
          up("sum(Var, Axes, bool)", [](const Var& x) { return sum(x, {1}); }),
          up("mean(Var)", [](const Var& x) { return mean(x); }),
          up("mean(Var, Axes, bool)", [](const Var& x) { return mean(x, {1}); }),
          up("variance(Var, Axes, bool, Size)", [](const Var& x) { return variance(x, {1}); }),
          up("norm(Var, Axes, bool)", [](const Var& x) { return norm(x, {1}); }),
          up("prod(Var, Axes, bool)", [](const Var& x) { return prod(x, {1}); }),
          up("logsumexp(Var, Axes, bool)", [](const Var& x) { return logsumexp(x, {1}); }),
          up("cumsum(Var, Size)", [](const Var& x) { return cumsum(x, 1); }),
          up("log_softmax(Var, Size)", [](const Var& x) { return log_softmax(x, 0); }),
          up("standardize(Var, double)", [](const Var& x) { return standardize(x, 0.1); }),

          as_is("softmax(Var, Size)", [](const Var& x) { return softmax(x, 0); }),
          as_is("masked_softmax(Var, Tensor)", [](const Var& x) { return masked_softmax(x, mask); }),
          as_is("sparsemax(Var)", sparsemax),
          as_is("masked_sparsemax(Var, Tensor)", [](const Var& x) { return masked_sparsemax(x, mask); }),
          as_is("entmax(Var, double)", [](const Var& x) { return entmax(x, 1.5); }),
          as_is("masked_entmax(Var, Tensor, double)", [](const Var& x) { return masked_entmax(x, mask, 1.5); }),
          as_is("max(Var, Axes, bool)", [](const Var& x) { return max(x, {1}); }),
          as_is("min(Var, Axes, bool)", [](const Var& x) { return min(x, {1}); }),
          as_is("operator+(Var, double)", [](const Var& x) { return x + 0.3; }),
          as_is("operator+(double, Var)", [](const Var& x) { return 0.3 + x; }),
          as_is("operator-(Var, double)", [](const Var& x) { return x - 0.3; }),
          as_is("operator-(double, Var)", [](const Var& x) { return 0.3 - x; }),
          as_is("operator*(Var, double)", [](const Var& x) { return x * 0.3; }),
          as_is("operator*(double, Var)", [](const Var& x) { return 0.3 * x; }),
          as_is("operator/(Var, double)", [](const Var& x) { return x / 0.3; }),
          as_is("operator/(double, Var)", [](const Var& x) { return 0.3 / x; }),
          as_is("operator-(Var)", [](const Var& x) { return -x; }),
          as_is("pow(Var, double)", [](const Var& x) { return pow(x, 3); }),
          as_is("exp(Var)", [](const Var& x) { return exp(x); }),
          as_is("log(Var)", [](const Var& x) { return log(x); }),
          as_is("log1p(Var)", [](const Var& x) { return log1p(x); }),
          as_is("expm1(Var)", [](const Var& x) { return expm1(x); }),
          as_is("sqrt(Var)", [](const Var& x) { return sqrt(x); }),
          as_is("abs(Var)", [](const Var& x) { return abs(x); }),
          as_is("sin(Var)", [](const Var& x) { return sin(x); }),
          as_is("cos(Var)", [](const Var& x) { return cos(x); }),
          as_is("erf(Var)", [](const Var& x) { return erf(x); }),
          as_is("tanh(Var)", [](const Var& x) { return tanh(x); }),
          as_is("sigmoid(Var)", [](const Var& x) { return sigmoid(x); }),
          as_is("relu(Var)", [](const Var& x) { return relu(x); }),
          as_is("leaky_relu(Var, double)", [](const Var& x) { return leaky_relu(x); }),
          as_is("elu(Var, double)", [](const Var& x) { return elu(x); }),
          as_is("gelu(Var)", [](const Var& x) { return gelu(x); }),
          as_is("gelu_tanh(Var)", [](const Var& x) { return gelu_tanh(x); }),
          as_is("softplus(Var)", [](const Var& x) { return softplus(x); }),
          as_is("clamp(Var, double, double)", [](const Var& x) { return clamp(x, 0.7, 1.3); }),
          as_is("reshape(Var, Shape)",
                [](const Var& x) {
                  return reshape(x, {2, 6});
                }),
          as_is("permute(Var, Axes)",
                [](const Var& x) {
                  return permute(x, {1, 0});
                }),
          as_is("transpose(Var)", [](const Var& x) { return transpose(x); }),
          as_is("squeeze(Var, Axes)", [](const Var& x) { return squeeze(unsqueeze(x, 0), {0}); }),
          as_is("unsqueeze(Var, Size)", [](const Var& x) { return unsqueeze(x, 0); }),
          as_is("broadcast_to(Var, Shape)",
                [](const Var& x) {
                  return broadcast_to(x, {2, 3, 4});
                }),
          as_is("slice(Var, Size, Size, Size, Size)", [](const Var& x) { return slice(x, 1, 1, 2); }),
          as_is("select(Var, Size, Size)", [](const Var& x) { return select(x, 1, 1); }),
          as_is("flip(Var, Axes)", [](const Var& x) { return flip(x, {0}); }),
          as_is("roll(Var, Size, Size)", [](const Var& x) { return roll(x, 1, 0); }),
          as_is("diagonal(Var, Size, Size)", [](const Var& x) { return diagonal(slice(x, 1, 0, 3), 0, 1); }),
          as_is("windows(Var, Size, Size, Size, Size)", [](const Var& x) { return windows(x, 1, 2); }),
          as_is("overlap_add(Var, Size, Size, Size, Size)", [](const Var& x) { return overlap_add(x, 0, 6); }),
          as_is("split(Var, vector<Size>, Size)",
                [](const Var& x) {
                  return split(x, {1, 3}, 1)[1];
                }),
          as_is("unstack(Var, Size)", [](const Var& x) { return unstack(x, 1)[1]; }),
          as_is("pad(Var, Size, Size, Size, double)", [](const Var& x) { return pad(x, 1, 1, 2, 0.5); }),
          as_is("take(Var, Size, Tensor)", [](const Var& x) { return take(x, 0, ids); }),
          as_is("embedding(Var, Tensor)", [](const Var& x) { return embedding(x, ids); }),
          as_is("gather(Var, Size, Tensor)", [](const Var& x) { return gather(x, 1, places); }),
          as_is("topk(Var, Size, Size)", [](const Var& x) { return topk(x, 2).first; })};
}

// What the table of autograd/autocast.hpp says. Down takes everything; where halves and float32 meet, a half decides.
DType expected_dtype(Kind kind, DType half, bool any_half) {
  if (kind == Kind::up) return DType::float32;
  return kind == Kind::down || any_half ? half : DType::float32;
}

// A third operand has the dtype of the second.
Vars leaves(const Case& row, const std::vector<DType>& dtypes) {
  Vars xs;
  for (std::size_t i = 0; i < row.shapes.size(); ++i) {
    Rng rng(i + 5);
    const Tensor x = rng.uniform(row.shapes[i], 0.5, 1.5, DType::bfloat16);  // numbers that all dtypes hold
    xs.push_back(Var::parameter(kernel::cast(x, dtypes[std::min<std::size_t>(i, 1)])));
  }
  return xs;
}

Var leaf(const Shape& shape, DType dtype = DType::float32, std::uint64_t seed = 1) {
  return Var::parameter(random(shape, dtype, seed));
}

}  // namespace

TEST_CASE("each op's result has the dtype of the table, whatever it is given, and each gradient that of its input") {
  std::printf("  %-42s %-12s %-12s %s\n", "under Autocast(float16), the result", "of halves", "of float32", "of both");
  for (DType half : {DType::float16, DType::bfloat16}) {
    const std::vector<std::vector<DType>> combinations = {
        {half, half}, {DType::float32, DType::float32}, {half, DType::float32}, {DType::float32, half}};
    for (const Case& row : rows()) {
      std::string found[4];
      for (std::size_t i = 0; i < (row.shapes.size() == 1 ? 2 : 4); ++i) {
        INFO(row.op, " of ", name_of(combinations[i][0]), " and ", name_of(combinations[i][1]));
        const Vars xs = leaves(row, combinations[i]);
        Var y;
        {
          const Autocast scope(half);
          y = row.f(xs);
        }
        found[i] = name_of(y.dtype());
        CHECK(found[i] == name_of(expected_dtype(row.kind, half, i != 1)));
        const Vars gradients = grad(y, xs, Var(Tensor::ones(y.shape(), y.dtype())));
        for (std::size_t k = 0; k < xs.size(); ++k) CHECK(name_of(gradients[k].dtype()) == name_of(xs[k].dtype()));
      }
      if (half != DType::float16) continue;
      std::printf("  %-42s %-12s %-12s %s\n", row.op.c_str(), found[0].c_str(), found[1].c_str(), found[2].c_str());
    }
  }
}

TEST_CASE("the table has a row for every op that has a derivative") {
  const std::vector<std::string> others = {
      "cast(Var, DType)",         "operator<(Var, Var)",         "operator<=(Var, Var)",
      "operator>(Var, Var)",      "operator>=(Var, Var)",        "operator<(Var, double)",
      "operator<=(Var, double)",  "operator>(Var, double)",      "operator>=(Var, double)",
      "equal(Var, Var)",          "not_equal(Var, Var)",         "argmax(Var, Size, bool)",
      "argsort(Var, Size, bool)", "one_hot(Tensor, Size, DType)"};
  std::set<std::string> known(others.begin(), others.end());
  for (const Case& row : rows()) known.insert(row.op);
  std::size_t count = 0;
  for (const std::string& section : sections_of_ops()) {
    for (const std::string& op : ops_of_section(section)) {
      CHECK_MESSAGE(known.count(op) == 1, op, " has no row");
      ++count;
    }
  }
  CHECK(count == known.size());
}

TEST_CASE("values and gradients of halves are near those of float32, in a scope and outside") {
  for (DType half : {DType::float16, DType::bfloat16}) {
    const double tolerance = half == DType::float16 ? 0.01 : 0.08;
    double worst = 0;
    for (const Case& row : rows()) {
      const Vars xs = leaves(row, {DType::float32, DType::float32}), halves = leaves(row, {half, half});
      const Var plain = row.f(xs), gy(random(plain.shape(), DType::float32, 9));
      const Vars expected = grad(plain, xs, gy);
      for (DType scope : {half, DType::float32}) {
        INFO(row.op, " of ", name_of(half), scope == half ? " in a scope" : " outside");
        const Autocast on_or_off(scope);
        const Var y = row.f(halves);
        check_agree(y, plain, tolerance, tolerance);
        const Vars found = grad(y, halves, cast(gy, y.dtype()));
        for (std::size_t i = 0; i < xs.size(); ++i) {
          check_agree(found[i], expected[i], tolerance, tolerance);
          for (double error : (cast(found[i], DType::float32) - expected[i]).value().to_vector()) {
            worst = std::max(worst, std::fabs(error));
          }
        }
      }
    }
    std::printf("  largest error of a gradient, %s: %.1e\n", name_of(half).c_str(), worst);
  }
}

TEST_CASE("outside of a scope dtypes do not meet, and a sum of halves is half") {
  const Var a = leaf({2, 2}, DType::float16), b = leaf({2, 2});
  check_throws_with([&] { a + b; }, {"add", "float16 and float32"});
  check_throws_with([&] { matmul(a, b); }, {"matmul", "float16 and float32"});
  check_throws_with([&] { concat({a, b}, 0); }, {"concat", "float16 and float32"});
  check_throws_with([&] { static_cast<void>(a < b); }, {"less", "float16 and float32"});
  CHECK(sum(a).dtype() == DType::float16);
  CHECK(log_softmax(a).dtype() == DType::float16);
  CHECK(matmul(b, b).dtype() == DType::float32);
  CHECK(grad(sum(a * a), {a})[0].dtype() == DType::float16);
}

TEST_CASE("float64 and the other half keep out, and comparisons meet in half") {
  const Autocast scope(DType::float16);
  const Var a = leaf({2, 2}, DType::float64), b = leaf({2, 2}), c = leaf({2, 2}, DType::bfloat16);
  CHECK(matmul(a, a).dtype() == DType::float64);
  CHECK(sum(a).dtype() == DType::float64);
  check_throws_with([&] { matmul(a, b); }, {"matmul", "float64 and float32"});
  check_throws_with([&] { a + b; }, {"add", "float64 and float32"});
  check_throws_with([&] { b + c; }, {"add", "float32 and bfloat16"});
  check_throws_with([&] { matmul(b, c); }, {"matmul", "float32 and bfloat16"});
  const GradcheckReport report = gradcheck("matmul", [](const Vars& x) { return sum(tanh(matmul(x[0], x[1]))); },
                                           {random({2, 3}), random({3, 2})});
  CHECK_MESSAGE(report.passed(), report.text());

  const Var one(Tensor::from({1}, {1}, DType::float16)), more(Tensor::from({1 + 0x1p-14}, {1}));
  check_close(equal(one, more), {1}, {1}, 0);
  check_close(one < more, {1}, {0}, 0);
  check_close(more >= one, {1}, {1}, 0);
}

TEST_CASE("a variance is taken in float32: its squares would be beyond float16") {
  const Var x(Tensor::from({-300, 300}, {2}, DType::float16));
  const Autocast scope(DType::float16);
  check_close(variance(x, {0}), {}, {90000}, 0);
  check_close(norm(x, {0}), {}, {std::sqrt(180000)}, 1e-4);
  check_close(prod(x, {0}), {}, {-90000}, 0);
}

TEST_CASE("scopes nest, each restores what it found, by an exception too, and they belong to a thread") {
  CHECK_FALSE(Autocast::on());
  try {
    const Autocast outer(DType::float16);
    {
      const Autocast inner(DType::bfloat16);
      CHECK(Autocast::dtype() == DType::bfloat16);
      const Autocast off(DType::float32);
      CHECK_FALSE(Autocast::on());
      CHECK(matmul(leaf({2, 2}), leaf({2, 2})).dtype() == DType::float32);
    }
    CHECK(Autocast::dtype() == DType::float16);
    bool elsewhere = true;
    std::thread([&] { elsewhere = Autocast::on(); }).join();
    CHECK_FALSE(elsewhere);
    throw std::runtime_error("left early");
  } catch (const std::runtime_error&) {
  }
  CHECK_FALSE(Autocast::on());
  check_throws_with([] { Autocast wrong(DType::float64); }, {"autocast", "float64", "float16 or bfloat16"});
  check_throws_with([] { Autocast wrong(DType::int64); }, {"autocast", "int64"});
  CHECK_FALSE(Autocast::on());
}

TEST_CASE("the backward pass gives the same bits inside the scope and outside, of gradients of gradients too") {
  const Var x = leaf({4, 3}), w = leaf({3, 5}, DType::float32, 2), b = leaf({5}, DType::float32, 3);
  const auto loss = [&] {
    const Autocast scope(DType::float16);
    const Var y = tanh(matmul(x, w) + b);
    CHECK(y.dtype() == DType::float16);
    return sum(softmax(y) * y);
  };
  const auto gradients = [&](const Var& y) {
    Vars all = grad(y, {x, w, b}, {}, true);
    for (const Var& g : grad(sum(all[1] * all[1]), {x, w, b})) all.push_back(g);
    return all;
  };
  const Vars outside = gradients(loss());
  const Autocast scope(DType::float16);
  const Vars inside = grad(loss(), {x, w, b});
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(outside[i].dtype() == DType::float32);
    CHECK(outside[3 + i].dtype() == DType::float32);
    CHECK(same_bits(inside[i], outside[i]));
  }
}

TEST_CASE("the cast of a product's operand keeps nothing but the half copy, which all products of it share") {
  const Var w = leaf({64, 64}), x = leaf({64, 64}, DType::float32, 2);
  matmul(x, w);  // what OpenBLAS and the pool want for themselves
  const auto before = live().bytes;
  {
    const Autocast scope(DType::float16);
    Vars products;
    for (int t = 0; t < 5; ++t) products.push_back(matmul(x, w));
    const auto bytes = live().bytes - before;
    CHECK(bytes <= 7 * 64 * 64 * 2 * 12 / 10);  // five results and two copies; a block may be a fifth larger
    CHECK(bytes >= 7 * 64 * 64 * 2);
    // Each use has its own cast, so that the gradients of all are added up in float32.
    const Vars one = grad(sum(products[0]), {w});
    const Vars five = grad(sum(products[0] + products[1] + products[2] + products[3] + products[4]), {w});
    check_agree(five[0], 5.0 * one[0], 0, 1e-6);
  }
  {
    const Autocast scope(DType::bfloat16);
    CHECK(matmul(x, w).dtype() == DType::bfloat16);  // not the copy of the other scope
  }
}

TEST_CASE("a weight's copy goes with it, and a product without a history makes none that stays") {
  const Counts before;
  {
    const Var w = leaf({3, 3});
    const Autocast scope(DType::float16);
    grad(sum(matmul(w, w)), {w});
    Var next = Var::parameter((w - 0.5).value());
    CHECK_FALSE(same_bits(matmul(next, next).value(), matmul(w, w).value()));
  }
  check_nothing_left(before);
  const Tensor constant = random({3, 3}, DType::float32);
  const Counts of_constant;
  {
    const Autocast scope(DType::float16);
    matmul(constant, constant);
  }
  check_nothing_left(of_constant);
}

TEST_CASE("outputs of one op have copies of their own") {
  const Autocast scope(DType::float16);
  const Vars parts = unstack(leaf({3, 2, 2}), 0);
  for (const Var& part : parts) {
    CHECK(same_bits(matmul(part, part).value(), kernel::matmul(kernel::cast(part.value(), DType::float16),
                                                               kernel::cast(part.value(), DType::float16))));
  }
}

TEST_CASE("several threads may use one parameter in scopes of their own") {
  const Var w = leaf({40, 40});
  std::vector<Tensor> found(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      const Autocast scope(i % 2 == 0 ? DType::float16 : DType::bfloat16);
      for (int k = 0; k < 50; ++k) found[i] = matmul(w, w).value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(same_bits(found[0], found[2]));
  CHECK(same_bits(found[1], found[3]));
  CHECK(found[1].dtype() == DType::bfloat16);
}

TEST_CASE("a checkpoint runs again in the scope it ran in, wherever the backward pass is") {
  const Var x = leaf({4, 3}), w = leaf({3, 3}, DType::float32, 2);
  const auto f = [&](const Vars& xs) { return tanh(matmul(xs[0], w)) * xs[0]; };
  Vars plain, again;
  {
    const Autocast scope(DType::float16);
    plain = {f({x})};
    again = {checkpoint(f, {x})};
  }
  CHECK(same_bits(plain[0].value(), again[0].value()));
  CHECK(again[0].dtype() == DType::float16);
  const Var gy(random({4, 3}, DType::float16, 7));
  const Vars expected = grad(plain[0], {x, w}, gy), found = grad(again[0], {x, w}, gy);
  for (std::size_t i = 0; i < 2; ++i) CHECK(same_bits(found[i], expected[i]));

  const Var outside = checkpoint(f, {x});
  const Vars float32_gradients = grad(f({x}), {x, w}, cast(gy, DType::float32));
  const Autocast scope(DType::float16);
  const Vars of_outside = grad(outside, {x, w}, cast(gy, DType::float32));
  for (std::size_t i = 0; i < 2; ++i) CHECK(same_bits(of_outside[i], float32_gradients[i]));
}
