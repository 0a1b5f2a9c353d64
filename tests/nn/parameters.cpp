#include "nn/parameters.hpp"

#include <doctest/doctest.h>

#include "nn/linear.hpp"
#include "tests/nn/layers.hpp"

using namespace attend;
using namespace attend::test;

namespace {

// A layer of layers: a child, a list of children, a parameter of its own.
struct Model {
  Linear first;
  std::vector<Linear> rest;
  Var scale = Var::parameter(Tensor::ones({2}));

  explicit Model(Rng& rng) : first(2, 3, rng), rest{Linear(3, 3, rng, false), Linear(3, 2, rng)} {}
  void parameters(const Visit& visit) {
    visit("first", first);
    visit("rest", rest);
    visit("scale", scale);
  }
};

Model model_of(std::uint64_t seed = 1) {
  Rng rng(seed);
  return Model(rng);
}

std::string names_of(const Model& model) {
  std::string names;
  for (const auto& [name, parameter] : named_parameters(model)) names += name + text(parameter.shape()) + " ";
  return names;
}

}  // namespace

TEST_CASE(
    "parameters have the names of the path to them, lists count from 0, and a bias that is not there is passed over") {
  CHECK(names_of(model_of()) ==
        "first.weight[2, 3] first.bias[3] rest.0.weight[3, 3] rest.1.weight[3, 2] rest.1.bias[2] scale[2] ");
}

TEST_CASE("parameters come in the order of the visit, and are counted") {
  const Model model = model_of();
  const Vars leaves = parameters(model);
  CHECK(leaves.size() == 6);
  CHECK(leaves[0].node().get() == model.first.weight.node().get());
  CHECK(leaves[5].node().get() == model.scale.node().get());
  CHECK(parameter_count(model) == 6 + 3 + 9 + 6 + 2 + 2);
}

TEST_CASE("tied parameters are listed under each name, and count once") {
  Model model = model_of();
  model.rest[0].weight = model.rest[1].weight = model.first.weight;
  CHECK(named_parameters(model).size() == 6);
  CHECK(parameters(model).size() == 4);
  CHECK(parameter_count(model) == 6 + 3 + 2 + 2);
}

TEST_CASE("a cast changes the dtype and nothing else, keeps ties, and leaves the original alone") {
  Model model = model_of();
  model.rest[0].weight = model.first.weight;
  const Vars before = parameters(model);
  const Model exact = cast(model, DType::float64);
  CHECK(names_of(exact) == names_of(model));
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(parameters(exact)[i].dtype() == DType::float64);
    check_agree(parameters(exact)[i], before[i], 0);
    CHECK(parameters(model)[i].node().get() == before[i].node().get());
  }
  CHECK(exact.rest[0].weight.node().get() == exact.first.weight.node().get());
  CHECK(same_bits(cast(exact, DType::float32).first.weight, model.first.weight));
}

TEST_CASE("a copy of a model shares its leaves, until one of the two is stepped") {
  const Model model = model_of();
  Model copy = model;
  CHECK(copy.scale.node().get() == model.scale.node().get());
  rebind(copy, [](const Var& parameter, std::size_t) { return Tensor::zeros(parameter.shape()); });
  check_close(copy.scale, {2}, {0, 0}, 0);
  check_close(model.scale, {2}, {1, 1}, 0);
}

TEST_CASE("rebinding gives every parameter its place among the distinct ones") {
  Model model = model_of();
  model.rest[0].weight = model.first.weight;
  std::vector<std::size_t> places;
  rebind(model, [&](const Var& parameter, std::size_t place) {
    places.push_back(place);
    return parameter.value();
  });
  CHECK(places == std::vector<std::size_t>{0, 1, 2, 3, 4});
}

TEST_CASE("when rebinding fails half way, the model is as before") {
  Model model = model_of();
  const Vars before = parameters(model);
  const auto fails_late = [](const Var& parameter, std::size_t place) {
    if (place == 3) throw std::invalid_argument("no");
    return parameter.value();
  };
  CHECK_THROWS_AS(rebind(model, fails_late), std::invalid_argument);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(parameters(model)[i].node().get() == before[i].node().get());
}

TEST_CASE("a parameter that is a constant or the result of an op is refused by its name") {
  Model model = model_of();
  const Linear other = model.rest[1];
  const auto refuse = [&](const std::string& why) {
    check_throws_with([&] { parameters(model); }, {"parameter \"rest.1.weight\" [3, 2] is " + why});
    check_throws_with([&] { cast(model, DType::float64); }, {"parameter \"rest.1.weight\" [3, 2] is " + why});
  };
  model.rest[1].weight = detach(other.weight);
  refuse("a constant");
  model.rest[1].weight = transpose(transpose(other.weight));
  refuse("the result of an op");
}
