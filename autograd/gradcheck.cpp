#include "autograd/gradcheck.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "autograd/grad.hpp"
#include "autograd/ops.hpp"
#include "tensor/random.hpp"

namespace attend {
namespace {

using Function = std::function<Var(const Vars&)>;

Vars parameters(const std::vector<Tensor>& values) {
  Vars vars;
  for (const Tensor& value : values) vars.push_back(Var::parameter(value));
  return vars;
}

// f of the inputs with one element of one of them moved. The input is a private copy: the original may be a view in
// which several elements share their memory.
double moved(const Function& f, std::vector<Tensor> inputs, std::size_t input, Size index, double by) {
  std::vector<double> values = inputs[input].to_vector();
  values[static_cast<std::size_t>(index)] += by;
  inputs[input] = Tensor::from(values, inputs[input].shape(), DType::float64);
  return f(parameters(inputs)).item();
}

double numeric_derivative(const Function& f, const std::vector<Tensor>& inputs, std::size_t input, Size index,
                          double h) {
  const auto at = [&](double by) { return moved(f, inputs, input, index, by); };
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

std::vector<std::int64_t> checked_elements(Size count, const GradcheckOptions& options, Rng& rng) {
  auto order = rng.permutation(count);
  if (count > options.most_elements) order.resize(static_cast<std::size_t>(options.most_elements));
  return order;
}

// Checks the gradient of a function whose value is one number.
void check_number(const Function& f, const std::vector<Tensor>& inputs, int order, const GradcheckOptions& options,
                  Rng& rng, GradcheckReport& report) {
  const Vars xs = parameters(inputs);
  const Var y = f(xs);
  const Vars gradients = grad(y, xs);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    GradcheckInput found;
    found.order = order;
    found.input = i;
    found.shape = inputs[i].shape();
    const std::vector<double> analytic = gradients[i].value().to_vector();
    double largest = 0;
    for (double value : analytic) largest = std::max(largest, std::fabs(value));
    found.zero = largest == 0;
    found.too_small = !found.zero && largest < 1e-3;
    found.differences.resize(analytic.size());
    double worst = -1;
    for (Size index : checked_elements(inputs[i].size(), options, rng)) {
      const double numeric = numeric_derivative(f, inputs, i, index, options.step);
      const double difference = std::fabs(analytic[static_cast<std::size_t>(index)] - numeric);
      found.differences[static_cast<std::size_t>(index)] = difference;
      if (std::isnan(worst) || difference <= worst) continue;  // the first NaN is the worst of all
      worst = difference;
      found.index = index;
      found.analytic = analytic[static_cast<std::size_t>(index)];
      found.numeric = numeric;
    }
    found.error = worst < 0 ? 0 : found.zero ? worst : worst / largest;
    report.inputs.push_back(found);
  }
}

Var dot(const Var& a, const Var& b) { return sum(a * b); }

void check_arguments(const std::string& name, const std::vector<Tensor>& inputs, const GradcheckOptions& options) {
  for (const Tensor& input : inputs) {
    if (input.dtype() == DType::float64) continue;
    throw std::invalid_argument("gradcheck: " + name + ": an input is " + text(input.dtype()) + " " +
                                text(input.shape()) + "; differences need float64");
  }
  if (options.order != 1 && options.order != 2) {
    throw std::invalid_argument("gradcheck: " + name + ": order " + std::to_string(options.order) + "; it is 1 or 2");
  }
}

}  // namespace

GradcheckReport gradcheck(const std::string& name, const Function& f, const std::vector<Tensor>& inputs,
                          const GradcheckOptions& options) {
  check_arguments(name, inputs, options);
  const Recording on(true);
  GradcheckReport report{name, {}, options.limit};
  Rng rng(options.seed);
  const Shape shape = f(parameters(inputs)).shape();
  const Tensor cotangent = rng.normal(shape, 0, 1, DType::float64);

  const Function value = [&](const Vars& xs) { return dot(f(xs), Var(cotangent)); };
  check_number(value, inputs, 1, options, rng, report);
  if (options.order == 1) return report;

  std::vector<Tensor> directions, with_cotangent = inputs;
  for (const Tensor& input : inputs) directions.push_back(rng.normal(input.shape(), 0, 1, DType::float64));
  with_cotangent.push_back(cotangent);
  const Function slope = [&](const Vars& xs_and_cotangent) {
    const Vars xs(xs_and_cotangent.begin(), xs_and_cotangent.end() - 1);
    const Vars gradients = grad(f(xs), xs, xs_and_cotangent.back(), true);
    Var total = Var(Tensor::zeros({}, DType::float64));
    for (std::size_t i = 0; i < xs.size(); ++i) total = total + dot(gradients[i], Var(directions[i]));
    return total;
  };
  check_number(slope, with_cotangent, 2, options, rng, report);
  return report;
}

double GradcheckReport::worst() const {
  double largest = 0;
  for (const GradcheckInput& input : inputs) {
    if (std::isnan(input.error)) return input.error;  // nothing is worse
    largest = std::max(largest, input.error);
  }
  return largest;
}

bool GradcheckReport::passed() const {
  bool any = false;
  for (const GradcheckInput& input : inputs) {
    if (!(input.error <= limit) || input.too_small) return false;
    any = any || !input.zero;
  }
  return any;
}

namespace {

// One input's line: where its shape is long, as much of it as 80 columns leave room for.
std::string line(const GradcheckInput& found) {
  const char mark = found.zero ? '0' : found.too_small ? '!' : ' ';
  char text[200];
  for (int width = 14;; --width) {
    const int columns = std::snprintf(text, sizeof text, "%c order %d input %zu %-*.*s at %4td: % .6e | % .6e  %.1e\n",
                                      mark, found.order, found.input, width, width, attend::text(found.shape).c_str(),
                                      found.index, found.analytic, found.numeric, found.error);
    if (columns <= 81 || width == 0) return text;
  }
}

}  // namespace

std::string GradcheckReport::text() const {
  const auto badness = [](const GradcheckInput& input) { return std::isnan(input.error) ? HUGE_VAL : input.error; };
  std::vector<GradcheckInput> sorted = inputs;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const auto& a, const auto& b) { return badness(a) > badness(b); });
  std::string out = name + (passed() ? ": right\n" : ": WRONG\n");
  for (const GradcheckInput& input : sorted) out += line(input);
  return out;
}

}  // namespace attend
