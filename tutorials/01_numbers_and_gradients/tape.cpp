#include "tutorials/01_numbers_and_gradients/tape.hpp"

namespace attend::chapter01 {
namespace {

Number& at(Tape& tape, Size place) { return tape.numbers[static_cast<std::size_t>(place)]; }

Size push(Tape& tape, Number number) {
  tape.numbers.push_back(std::move(number));
  return static_cast<Size>(tape.numbers.size()) - 1;
}

void walk_naively(Tape& tape, Size place, Size& visits) {
  ++visits;
  for (const Use& use : at(tape, place).uses) {
    at(tape, use.input).gradient += use.slope * at(tape, place).gradient;  // wrong: all of it, every time
    walk_naively(tape, use.input, visits);
  }
}

void walk_paths(Tape& tape, Size place, double brought, Size& visits) {
  ++visits;
  at(tape, place).gradient += brought;
  for (const Use& use : at(tape, place).uses) walk_paths(tape, use.input, use.slope * brought, visits);
}

}  // namespace

Size Tape::leaf(double value) { return push(*this, {value, {}}); }

Size Tape::add(Size a, Size b) { return push(*this, {at(*this, a).value + at(*this, b).value, {{a, 1}, {b, 1}}}); }

Size Tape::mul(Size a, Size b) {
  const double value_a = at(*this, a).value, value_b = at(*this, b).value;
  return push(*this, {value_a * value_b, {{a, value_b}, {b, value_a}}});
}

Walk naive_walk(Tape tape, Size y, Size x) {
  Size visits = 0;
  at(tape, y).gradient = 1;
  walk_naively(tape, y, visits);
  return {at(tape, x).gradient, visits};
}

Walk path_walk(Tape tape, Size y, Size x) {
  Size visits = 0;
  walk_paths(tape, y, 1, visits);
  return {at(tape, x).gradient, visits};
}

Walk ordered_walk(Tape tape, Size y, Size x) {
  Size visits = 0;
  at(tape, y).gradient = 1;
  for (Size place = y; place >= 0; --place) {
    ++visits;
    for (const Use& use : at(tape, place).uses) {
      at(tape, use.input).gradient += use.slope * at(tape, place).gradient;
    }
  }
  return {at(tape, x).gradient, visits};
}

Size diamond(Tape& tape, Size a) {
  const Size b = tape.mul(a, a);
  const Size c = tape.add(b, tape.leaf(3));
  return tape.mul(b, c);
}

Size tower(Tape& tape, Size a, Size height) {
  const Size half = tape.leaf(0.5);
  for (Size i = 0; i < height; ++i) {
    const Size left = tape.mul(a, half);
    const Size right = tape.mul(a, half);
    a = tape.add(left, right);
  }
  return a;
}

}  // namespace attend::chapter01
