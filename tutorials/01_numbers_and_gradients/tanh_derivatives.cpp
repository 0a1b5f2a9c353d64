#include "tutorials/01_numbers_and_gradients/tanh_derivatives.hpp"

#include "autograd/grad.hpp"
#include "autograd/history.hpp"
#include "autograd/ops.hpp"
#include "tutorials/lesson/format.hpp"

namespace attend::chapter01 {
namespace {

// Exponents as raised digits: 12 -> "¹²".
std::string raised(std::size_t exponent) {
  static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (char digit : std::to_string(exponent)) out += digits[digit - '0'];
  return out;
}

}  // namespace

std::vector<Derivative> by_engine(const Tensor& points, int highest) {
  const Var x = Var::parameter(points);
  const Var ones(Tensor::ones(points.shape(), points.dtype()));
  std::vector<Derivative> derivatives;
  Var y = tanh(x);
  for (int order = 0; order <= highest; ++order) {
    derivatives.push_back({y.value().to_vector(), static_cast<Size>(history(y).size())});
    if (order < highest) y = grad(y, {x}, ones, true)[0];  // true: the gradient has a history of its own
  }
  return derivatives;
}

Polynomial by_hand(int order) {
  Polynomial p = {0, 1};
  for (int n = 0; n < order; ++n) {
    Polynomial next(p.size() + 1);
    for (std::size_t k = 1; k < p.size(); ++k) {
      const double slope = static_cast<double>(k) * p[k];  // of tᵏ⁻¹, which (1 − t²) sends to tᵏ⁻¹ and tᵏ⁺¹
      next[k - 1] += slope;
      next[k + 1] -= slope;
    }
    p = std::move(next);
  }
  return p;
}

double value(const Polynomial& p, double t) {
  double sum = 0;
  for (std::size_t k = p.size(); k-- > 0;) sum = sum * t + p[k];
  return sum;
}

std::string text(const Polynomial& p) {
  std::string out;
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (p[k] == 0) continue;
    const double size = p[k] < 0 ? -p[k] : p[k];
    out += out.empty() ? (p[k] < 0 ? "−" : "") : (p[k] < 0 ? " − " : " + ");
    if (size != 1 || k == 0) out += lesson::significant(size, 6);
    if (k > 0) out += "t" + (k > 1 ? raised(k) : "");
  }
  return out.empty() ? "0" : out;
}

}  // namespace attend::chapter01
