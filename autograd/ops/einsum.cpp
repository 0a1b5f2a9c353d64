// Einstein's sum, by permutations and one batched product per pair of operands.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "autograd/ops.hpp"

namespace attend {
namespace {

// An operand or a result, with a letter per axis. The axes that "..." stands for have the letters '0', '1', ...,
// counted from the last, so that they broadcast as in NumPy.
struct Lettered {
  Var x;
  std::string letters;
};

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

class Equation {
 public:
  Equation(const std::string& equation, const Vars& operands) : equation_(equation), operands_(operands) { parse(); }

  Var evaluate() const {
    Lettered result = taken_diagonals(inputs_[0]);
    for (std::size_t i = 1; i < inputs_.size(); ++i) {
      result = contracted(result, taken_diagonals(inputs_[i]), letters_needed_after(i));
    }
    return ordered(summed(result, output_), output_);
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    std::string shapes;
    for (const Var& operand : operands_) shapes += (shapes.empty() ? "" : ", ") + text(operand.shape());
    throw std::invalid_argument("einsum: \"" + equation_ + "\" with " + shapes + ": " + why);
  }

  void parse() {
    std::string formula;  // without spaces
    for (char c : equation_) {
      if (c != ' ') formula += c;
    }
    const std::size_t arrow = formula.find("->");
    std::vector<std::string> terms(1);
    for (char c : formula.substr(0, arrow)) {
      if (c == ',') {
        terms.emplace_back();
      } else {
        terms.back() += c;
      }
    }
    if (terms.size() != operands_.size()) {
      fail(std::to_string(terms.size()) + " terms for " + std::to_string(operands_.size()) + " operands");
    }
    if (terms.size() > 3) fail("at most 3 operands");
    for (std::size_t i = 0; i < terms.size(); ++i) inputs_.push_back(lettered(terms[i], operands_[i]));
    check_sizes();
    output_ = arrow == std::string::npos ? implicit_output() : output_letters(formula.substr(arrow + 2));
  }

  // The letters of one operand, with the ellipsis spelled out.
  Lettered lettered(const std::string& term, const Var& x) {
    const std::size_t dots = term.find("...");
    std::string letters = term;
    if (dots != std::string::npos) {
      const Size rest = x.rank() - static_cast<Size>(term.size() - 3);
      if (rest < 0) fail("operand " + text(x.shape()) + " has too few axes for \"" + term + "\"");
      letters = term.substr(0, dots);
      for (Size i = rest; i-- > 0;) letters += static_cast<char>('0' + i);
      letters += term.substr(dots + 3);
      ellipsis_ = std::max(ellipsis_, rest);
    }
    check_letters(dots == std::string::npos ? term : term.substr(0, dots) + term.substr(dots + 3));
    if (static_cast<Size>(letters.size()) != x.rank()) {
      fail("\"" + term + "\" names " + std::to_string(letters.size()) + " axes of " + text(x.shape()));
    }
    return {x, letters};
  }

  void check_letters(const std::string& letters) const {
    for (char c : letters) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter) fail(std::string("'") + c + "' is not a letter");
    }
  }

  void check_sizes() {
    for (const Lettered& input : inputs_) {
      for (std::size_t i = 0; i < input.letters.size(); ++i) {
        const char letter = input.letters[i];
        const Size size = input.x.shape()[static_cast<Size>(i)];
        Size& known = sizes_.emplace(letter, size).first->second;
        const bool broadcasts = letter <= '9' && (known == 1 || size == 1);
        if (known != size && !broadcasts) {
          fail(std::string("axis '") + letter + "' has sizes " + std::to_string(known) + " and " +
               std::to_string(size));
        }
        known = known == 1 ? size : known;
      }
    }
  }

  std::string ellipsis_letters() const {
    std::string letters;
    for (Size i = ellipsis_; i-- > 0;) letters += static_cast<char>('0' + i);
    return letters;
  }

  std::string implicit_output() const {
    std::map<char, int> count;
    for (const Lettered& input : inputs_) {
      for (char letter : input.letters) ++count[letter];
    }
    std::string letters = ellipsis_letters();
    for (const auto& [letter, times] : count) {
      if (times == 1 && letter > '9') letters += letter;
    }
    return letters;
  }

  std::string output_letters(const std::string& term) const {
    const std::size_t dots = term.find("...");
    const std::string named = dots == std::string::npos ? term : term.substr(0, dots) + term.substr(dots + 3);
    check_letters(named);
    const std::string letters =
        dots == std::string::npos ? term : term.substr(0, dots) + ellipsis_letters() + term.substr(dots + 3);
    for (char letter : letters) {
      if (!sizes_.count(letter)) fail(std::string("'") + letter + "' of the result is in no operand");
      if (std::count(letters.begin(), letters.end(), letter) > 1) {
        fail(std::string("'") + letter + "' is twice in the result");
      }
    }
    return letters;
  }

  std::string letters_needed_after(std::size_t operand) const {
    std::string letters = output_;
    for (std::size_t i = operand + 1; i < inputs_.size(); ++i) letters += inputs_[i].letters;
    return letters;
  }

  // A letter that one operand has twice becomes one axis, along its diagonal.
  Lettered taken_diagonals(Lettered input) const {
    for (std::size_t i = 0; i < input.letters.size(); ++i) {
      const char letter = input.letters[i];
      const std::size_t again = input.letters.find(letter, i + 1);
      if (again == std::string::npos) continue;
      input.x = diagonal(input.x, static_cast<Size>(i), static_cast<Size>(again));
      input.letters.erase(again, 1).erase(i, 1);
      input.letters += letter;
      i = static_cast<std::size_t>(-1);
    }
    return input;
  }

  // The sum over all letters that nothing needs any more.
  static Lettered summed(Lettered input, const std::string& needed) {
    Axes gone;
    std::string kept;
    for (std::size_t i = 0; i < input.letters.size(); ++i) {
      if (has(needed, input.letters[i])) {
        kept += input.letters[i];
      } else {
        gone.push_back(static_cast<Size>(i));
      }
    }
    return gone.empty() ? input : Lettered{sum(input.x, gone), kept};
  }

  // The axes in the order of `letters`; letters that the operand lacks become axes of size 1.
  static Var ordered(const Lettered& input, const std::string& letters) {
    Axes order;
    Shape shape;
    for (char letter : letters) {
      const std::size_t at = input.letters.find(letter);
      if (at != std::string::npos) order.push_back(static_cast<Size>(at));
      shape.push_back(at == std::string::npos ? 1 : input.x.shape()[static_cast<Size>(at)]);
    }
    return reshape(permute(input.x, order), shape);
  }

  // Two operands become one. Letters of both that nothing needs any more are summed over by a product of matrices
  // [batch, a's own letters, summed] · [batch, summed, b's own letters].
  Lettered contracted(Lettered a, Lettered b, const std::string& needed) const {
    a = summed(a, needed + b.letters);
    b = summed(b, needed + a.letters);
    std::string batch, own_a, own_b, common;
    for (char letter : a.letters) {
      if (!has(b.letters, letter)) {
        own_a += letter;
      } else if (has(needed, letter) || letter <= '9') {
        batch += letter;
      } else {
        common += letter;
      }
    }
    for (char letter : b.letters) {
      if (!has(a.letters, letter)) own_b += letter;
    }
    const Size summed_count = count(a, common);
    const Var left = joined(ordered(a, batch + own_a + common), batch, {count(a, own_a), summed_count});
    const Var right = joined(ordered(b, batch + common + own_b), batch, {summed_count, count(b, own_b)});
    const Var product = matmul(left, right);  // [batch..., own_a, own_b]
    Shape shape;
    for (std::size_t i = 0; i < batch.size(); ++i) shape.push_back(product.shape()[static_cast<Size>(i)]);
    for (char letter : own_a) shape.push_back(size_in(a, letter));
    for (char letter : own_b) shape.push_back(size_in(b, letter));
    return summed({reshape(product, shape), batch + own_a + own_b}, needed);
  }

  static Size size_in(const Lettered& input, char letter) {
    return input.x.shape()[static_cast<Size>(input.letters.find(letter))];
  }

  static Size count(const Lettered& input, const std::string& letters) {
    Size product = 1;
    for (char letter : letters) product *= size_in(input, letter);
    return product;
  }

  // [batch..., x...] -> [batch..., rows, columns]
  static Var joined(const Var& x, const std::string& batch, const Shape& matrix) {
    Shape shape;
    for (std::size_t i = 0; i < batch.size(); ++i) shape.push_back(x.shape()[static_cast<Size>(i)]);
    for (Size size : matrix) shape.push_back(size);
    return reshape(x, shape);
  }

  std::string equation_;
  Vars operands_;
  std::vector<Lettered> inputs_;
  std::map<char, Size> sizes_;
  std::string output_;
  Size ellipsis_ = 0;
};

}  // namespace

Var einsum(const std::string& equation, const Vars& operands) { return Equation(equation, operands).evaluate(); }

}  // namespace attend
