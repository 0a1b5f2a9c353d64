#pragma once
#include <functional>

#include "tutorials/10_attention_and_convolution/models.hpp"
#include "tutorials/lesson/images.hpp"

/// Training a model on images, and asking it.

namespace attend::chapter10 {

struct Recipe {
  Size epochs, batch;
  double rate, weight_decay;
};

/// The recipe of a model; chosen on a part of the training images that was held back for it.
Recipe recipe_of(Kind kind, Size images);

/// Told after each step: its number, the number of all, and the loss.
using Watch = std::function<void(Size step, Size steps, double loss)>;

struct Learned {
  Model model;
  double first_loss, last_loss;  // means over the first and the last epoch
  double seconds;                // of processor time, so that other programs do not count
};

/// AdamW; the rate rises over the first 5 % of the steps and then falls along half a cosine to 0. Each epoch goes
/// through all images in an order of its own. The same seed gives the same model, whatever the number of threads.
Learned learn(Model model, const lesson::Images& training, const Recipe& recipe, Rng& rng, const Watch& watch = {});

/// Probabilities of the classes, [N, classes], in evaluation mode.
Tensor probabilities(const Model& model, const Tensor& pixels);

/// The share of the images whose likeliest class is the right one.
double accuracy(const Model& model, const lesson::Images& images);

}  // namespace attend::chapter10
