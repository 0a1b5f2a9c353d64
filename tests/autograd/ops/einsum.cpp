#include <doctest/doctest.h>

#include <map>

#include "autograd/ops.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/op_table.hpp"
#include "tests/support/tensors.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// The sum as it is written: a loop for every letter. The equation is explicit, without "..." and with an arrow; an axis
// of size 1 may meet a longer one, as the axes of "..." do.
Numbers by_loops(const std::string& equation, const std::vector<Numbers>& inputs) {
  std::vector<std::string> terms(1);
  const std::size_t arrow = equation.find("->");
  for (char c : equation.substr(0, arrow)) {
    if (c == ',') {
      terms.emplace_back();
    } else {
      terms.back() += c;
    }
  }
  const std::string result = equation.substr(arrow + 2);
  std::map<char, Size> sizes;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    for (std::size_t i = 0; i < terms[t].size(); ++i) {
      Size& size = sizes[terms[t][i]];
      const Size here = inputs[t].shape[static_cast<Size>(i)];
      if (size == 0 || size == 1) size = here;
    }
  }
  Shape all, shape;
  std::map<char, Size> place;
  for (const auto& [letter, size] : sizes) {
    place[letter] = all.size();
    all.push_back(size);
  }
  for (char letter : result) shape.push_back(sizes[letter]);

  Numbers out{shape, std::vector<double>(static_cast<std::size_t>(element_count(shape)))};
  build(all, [&](const Sizes& index) {
    double product = 1;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      Sizes own;
      for (std::size_t i = 0; i < terms[t].size(); ++i) {
        own.push_back(inputs[t].shape[static_cast<Size>(i)] == 1 ? 0 : index[place[terms[t][i]]]);
      }
      product *= inputs[t].at(own);
    }
    Size to = 0;
    for (char letter : result) to = to * sizes[letter] + index[place[letter]];
    out.values[static_cast<std::size_t>(to)] += product;
    return 0.0;
  });
  return out;
}

Row row(const std::string& equation, const std::string& spelled_out, const std::vector<Input>& inputs) {
  return {"einsum(string, Vars)", equation, [=](const Vars& x) { return einsum(equation, x); },
          [=](const std::vector<Numbers>& x) { return by_loops(spelled_out, x); }, inputs};
}
Row row(const std::string& equation, const std::vector<Input>& inputs) { return row(equation, equation, inputs); }

const std::vector<Row> rows = {
    // one operand
    row("ij->ji", {{{2, 3}}}),
    row("ij->", {{{2, 3}}}),
    row("ijk->ki", {{{2, 3, 4}}}),
    row("ii->i", {{{3, 3}}}),
    row("ii->", {{{3, 3}}}),
    row("iji->ij", {{{3, 2, 3}}}),
    row("iiii->i", {{{2, 2, 2, 2}}}),
    row("ijij->j", {{{2, 3, 2, 3}}}),
    row("ba", "ba->ab", {{{2, 3}}}),
    row("ii", "ii->", {{{3, 3}}}),
    row("...ij->...ji", "xyij->xyji", {{{2, 3, 4, 2}}}),
    row("...", "ab->ab", {{{2, 3}}}),
    row("i...->...", "iab->ab", {{{2, 3, 4}}}),
    row("i...j->j...i", "iabj->jabi", {{{2, 1, 3, 4}}}),
    row("->", {{{}}}),
    // two operands
    row("ik,kj->ij", {{{2, 3}}, {{3, 4}}}),
    row("ik,jk->ji", {{{2, 3}}, {{4, 3}}}),
    row("bqd,bkd->bqk", {{{2, 3, 5}}, {{2, 4, 5}}}),
    row("bqhd,bkhd->bhqk", {{{2, 3, 2, 4}}, {{2, 5, 2, 4}}}),
    row("bqk,bkd->bqd", {{{2, 3, 4}}, {{2, 4, 5}}}),
    row("i,j->ij", {{{2}}, {{3}}}),
    row("i,i->", {{{4}}, {{4}}}),
    row("i,i->i", {{{4}}, {{4}}}),
    row("ij,->ij", {{{2, 3}}, {{}}}),
    row("ij,j->i", {{{2, 3}}, {{3}}}),
    row("ij,jk", "ij,jk->ik", {{{2, 3}}, {{3, 4}}}),
    row("kj,ik", "kj,ik->ij", {{{2, 3}}, {{4, 2}}}),
    row("ij,kl->", {{{2, 3}}, {{4, 2}}}),
    row("ij,kl->il", {{{2, 3}}, {{4, 2}}}),
    row("iij,jk->ik", {{{2, 2, 3}}, {{3, 4}}}),
    row("ii,jj->ij", {{{2, 2}}, {{3, 3}}}),
    row("...ik,...kj->...ij", "aik,akj->aij", {{{3, 2, 3}}, {{3, 3, 4}}}),
    row("...ik,kj->...ij", "abik,kj->abij", {{{2, 3, 2, 3}}, {{3, 4}}}),
    row("...i,...i", "abi,bi->ab", {{{2, 3, 4}}, {{3, 4}}}),
    row("...i,...i->...", "abi,abi->ab", {{{2, 1, 4}}, {{1, 3, 4}}}),
    row("...i,...i->i", "ai,ai->i", {{{1, 4}}, {{3, 4}}}),
    row("i...,j...->...ij", "ia,jba->baij", {{{2, 3}}, {{4, 2, 3}}}),
    row("AB,Bc->Ac", {{{2, 3}}, {{3, 4}}}),
    row("ik,kj->ij", {{{2, 0}}, {{0, 3}}}),
    row("ik,kj->ij", {{{0, 2}}, {{2, 3}}}),
    row("ik,kj->ij", {{{2, 1}}, {{1, 3}}}),
    // three operands
    row("ij,jk,kl->il", {{{2, 3}}, {{3, 4}}, {{4, 2}}}),
    row("bi,ijo,bj->bo", {{{2, 3}}, {{3, 4, 5}}, {{2, 4}}}),
    row("i,i,i->", {{{4}}, {{4}}, {{4}}}),
    row("i,j,k->kji", {{{2}}, {{3}}, {{4}}}),
    row("i,j,j->i", {{{2}}, {{3}}, {{3}}}),
    row("...i,ij,...j->...", "abi,ij,bj->ab", {{{2, 1, 3}}, {{3, 4}}, {{2, 4}}}),
    row("ij,jk,ki", "ij,jk,ki->", {{{2, 3}}, {{3, 4}}, {{4, 2}}}),
    row("ij, jk, kl -> il", "ij,jk,kl->il", {{{2, 3}}, {{3, 4}}, {{4, 2}}}),
};

Var ones(const Shape& shape) { return Var(Tensor::ones(shape)); }

}  // namespace

TEST_CASE("every row of ops/einsum.cpp has the right value and derivatives") { check_rows(rows); }

TEST_CASE("every op of ops/einsum.cpp has a row") { check_complete("ops/einsum.cpp", rows); }

TEST_CASE("einsum of one operand twice adds both derivatives") {
  check_rows({{"einsum(string, Vars)",
               "x xᵀ",
               [](const Vars& x) {
                 return einsum("ik,jk->ij", {x[0], x[0]});
               },
               [](const std::vector<Numbers>& x) {
                 return by_loops("ik,jk->ij", {x[0], x[0]});
               },
               {{{2, 3}}}}});
}

TEST_CASE("einsum says which equation does not fit which shapes, and why") {
  const auto fails = [](const std::string& equation, const Vars& operands, const std::vector<std::string>& texts) {
    std::vector<std::string> all = {"einsum", equation};
    all.insert(all.end(), texts.begin(), texts.end());
    check_throws_with([&] { einsum(equation, operands); }, all);
  };
  fails("ij,jk->ik", {ones({2, 3}), ones({4, 5})}, {"[2, 3]", "[4, 5]", "'j'", "3", "4"});
  fails("ij,jk->ik", {ones({2, 3})}, {"[2, 3]", "2 terms for 1 operands"});
  fails("...->0", {ones({2, 3})}, {"[2, 3]", "'0' is not a letter"});
  fails("ijk->i", {ones({2, 3})}, {"[2, 3]", "ijk"});
  fails("ij->ik", {ones({2, 3})}, {"'k'"});
  fails("ij->ii", {ones({2, 3})}, {"'i'", "twice"});
  fails("ii->i", {ones({2, 3})}, {"[2, 3]", "'i'"});
  fails("i1->i", {ones({2, 3})}, {"'1'"});
  fails("...ijk->i", {ones({2, 3})}, {"[2, 3]", "...ijk"});
  fails("i,i,i,i->i", {ones({2}), ones({2}), ones({2}), ones({2})}, {"at most 3"});
  fails("...i,...i->i", {ones({2, 4}), ones({3, 4})}, {"[2, 4]", "[3, 4]"});
  // A size of 1 does not stand for another one, except in "...".
  fails("ij,jk->ik", {ones({2, 1}), ones({3, 2})}, {"[2, 1]", "[3, 2]"});
  fails("ii->i", {ones({1, 3})}, {"[1, 3]"});
}
