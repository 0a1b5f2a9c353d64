// The parts of chapter 11's program.
#include <doctest/doctest.h>

#include <cmath>

#include "autograd/grad.hpp"
#include "nn/attention/dot_product.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/tensors.hpp"
#include "tutorials/11_memory/halves.hpp"
#include "tutorials/11_memory/remembered.hpp"
#include "tutorials/11_memory/running.hpp"
#include "tutorials/11_memory/segments.hpp"
#include "tutorials/11_memory/sequences.hpp"

using namespace attend;
using namespace attend::chapter11;
using namespace attend::test;

TEST_CASE("each op keeps the bytes that its rule reads") {
  for (const Rule& rule : rules()) {
    CAPTURE(rule.op);
    CHECK(measured(rule) == rule.expected);
  }
}

TEST_CASE("an attention keeps 4 T² weights, and blockwise none") {
  for (const Size T : {64, 128}) {
    CHECK(kept_bytes(kept_by_attention(T, true), "softmax") == 4 * T * T * 4);
    CHECK(kept_bytes(kept_by_attention(T, false), "softmax") == 0);
    CHECK(kept_bytes(kept_by_attention(T, false), "blockwise_attention") == 4 * T * 64 * 4);
  }
}

TEST_CASE("with activations in a half, softmax and relu keep half of the bytes") {
  const std::vector<Kept> single = kept_by_encoder(64, DType::float32);
  for (const DType dtype : {DType::float16, DType::bfloat16}) {
    const std::vector<Kept> half = kept_by_encoder(64, dtype);
    for (const char* op : {"softmax", "relu"}) CHECK(2 * kept_bytes(half, op) == kept_bytes(single, op));
  }
}

TEST_CASE("the best number of segments is the root of the number of layers") {
  for (const Size root : {3, 4}) {
    const Least least = least_peak(root * root);
    CHECK(least.segments == root);
    CHECK(least.remembered < least.plain_remembered);
  }
}

TEST_CASE("segments change no bit of a gradient, and the peak stays within four tensors of what is remembered") {
  const Chain chain = tanh_chain(9, 512, 16, 3);
  const Step plain = step_in_segments(chain, 1);
  for (const Size segments : {2, 3, 4, 9}) {
    CAPTURE(segments);
    const Step step = step_in_segments(chain, segments);
    for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
      CHECK((step.gradients[i].value().to_vector() == plain.gradients[i].value().to_vector()));
    }
    CHECK(step.remembered == remembered_tensors(9, segments) * chain.x.value().block_bytes());
    CHECK(step.peak < step.remembered + 4 * chain.x.value().block_bytes());
    CHECK(step.multiplications > plain.multiplications);
  }
}

TEST_CASE("a checkpoint replays the stream that it is given, and cannot replay one that a layer holds") {
  const Compared given = compare_with_dropout(3, Stream::given), held = compare_with_dropout(3, Stream::held);
  CHECK(given.same_bits);
  CHECK(given.same_stream);
  CHECK(given.difference == 0);
  CHECK_FALSE(held.same_bits);
  CHECK_FALSE(held.same_stream);
}

TEST_CASE("the formats are found by rounding") {
  const Format half = format_of(DType::float16), brain = format_of(DType::bfloat16), single = format_of(DType::float32);
  CHECK(half.largest == 65504);
  CHECK(half.smallest == std::ldexp(1, -24));
  CHECK(half.smallest_whole == std::ldexp(1, -14));
  CHECK(half.spacing == std::ldexp(1, -10));
  CHECK(brain.largest == std::ldexp(255.0 / 128, 127));
  CHECK(brain.smallest_whole == std::ldexp(1, -126));
  CHECK(brain.spacing == std::ldexp(1, -7));
  CHECK(single.largest == static_cast<double>(std::numeric_limits<float>::max()));
  CHECK(single.spacing == std::ldexp(1, -23));
}

TEST_CASE("a step below half of the last place is lost, and a master weight keeps it") {
  CHECK(after_steps(DType::float16, 1e-4, 1, 100) == 1);
  CHECK(after_steps(DType::bfloat16, 1e-4, 1, 100) == 1);
  check_close(after_steps(DType::float32, 1e-4, 1, 100), 0.99, 0, 1e-5);
  CHECK(rounded(after_steps(DType::float32, 1e-4, 1, 100), DType::float16) < 1);
}

TEST_CASE("a small loss teaches nothing in float16, and with a scale what float32 learns") {
  Precision exact = precisions()[0], half = precisions()[1];
  exact.share = half.share = 1e-6;
  Precision unscaled = half;
  unscaled.scaled = false;
  const Trained of_exact = train_digits(exact, 0.3, 2, 1), of_half = train_digits(half, 0.3, 2, 1),
                without = train_digits(unscaled, 0.3, 2, 1);
  CHECK(std::fabs(of_half.loss - of_exact.loss) < 0.02);
  CHECK(without.loss > 0.98 * without.first_loss);
  CHECK(of_half.loss < 0.95 * of_half.first_loss);
}

TEST_CASE("weights in bfloat16 lose most of the small updates, master weights nearly none") {
  const std::vector<Precision> all = precisions();
  CHECK(train_digits(all[2], 0.03, 1, 1).lost < 0.02);
  const Trained alone = train_digits(all[4], 0.03, 1, 1);
  CHECK(alone.lost > 0.5);
  CHECK(2 * alone.weight_bytes == train_digits(all[0], 0.03, 1, 1).weight_bytes);
}

TEST_CASE("gradients vanish without a scale") {
  const Vanished found = vanished_gradients(5, 1);
  CHECK(found.without > 0);
  CHECK(found.with <= found.without);
}

TEST_CASE("the running softmax is the softmax, whatever the block, and without its factor it is not") {
  Rng rng(3);
  const auto drawn = [&](const Shape& shape) { return Var(rng.normal(shape, 0, 2, DType::float64)); };
  const Var q = drawn({3, 4}), k = drawn({7, 4}), v = drawn({7, 2});
  const Var whole = matmul(softmax(matmul(q, transpose(k)) / 2.0), v);
  for (const Size block : {1, 2, 3, 7, 10}) {
    CAPTURE(block);
    check_agree(running_attention(q, k, v, block), whole, 1e-13);
    check_agree(blockwise_attention(q, k, v, {0.5, {}, false, block}), whole, 1e-13);
  }
  check_agree(running_attention(q, k, v, 7, Rescale::forgotten), whole, 1e-13);  // one block: nothing to rescale
  CHECK(running_attention(q, k, v, 2, Rescale::forgotten).value().to_vector() != whole.value().to_vector());
}

TEST_CASE("the forms over a text: the same gradients to their precision, and less and less memory") {
  const std::vector<AtLength> at = measure_length(128, 1, 1);
  REQUIRE(at.size() == 5);
  CHECK(at[0].difference == 0);
  CHECK(at[1].difference == 0);
  CHECK(at[2].difference > 0);
  CHECK(at[2].difference < 0.02);
  CHECK(at[3].difference < 1e-3);
  for (std::size_t form = 1; form < at.size(); ++form) {
    CAPTURE(name_of(at[form].form));
    CHECK(at[form].remembered < at[0].remembered);
    CHECK(at[form].peak < at[0].peak);
  }
  CHECK(at[4].peak < at[1].peak);
  CHECK(at[4].peak < at[3].peak);
}

TEST_CASE("both charts have a point for each place") {
  const Chain chain = tanh_chain(4, 64, 8, 1);
  const lesson::Chart segments = segments_chart({step_in_segments(chain, 1), step_in_segments(chain, 2)}, 4);
  CHECK(segments.places == std::vector<std::string>{"1", "2"});
  CHECK(segments.series[0].points[0].mean == 1);
  CHECK(segments.series[0].points[1].mean < 1);
  CHECK(segments.series[1].points[1].mean > 1);
  const lesson::Chart lengths = lengths_chart({measure_length(64, 1, 1), measure_length(128, 1, 1)});
  CHECK(lengths.places.size() == 2);
  CHECK(lengths.series.size() == 4);
  for (const lesson::Series& series : lengths.series) CHECK(series.points[1].mean > series.points[0].mean);
}
