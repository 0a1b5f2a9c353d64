// Checkpointing: memory for time. A part of a program forgets what its backward pass would need and is run once more
// when that pass comes.
#pragma once
#include <functional>

#include "autograd/var.hpp"
#include "tensor/random.hpp"

namespace attend {

/// f(inputs, rng), of which backward remembers the inputs and the state of `rng` alone. Chen et al. 2016
/// (arXiv:1604.06174). The backward pass runs f again from there, with the same random numbers and without moving
/// `rng` a second time, and then goes through what that run has recorded. Values and gradients are bit for bit those of
/// the plain f; only where a Var enters two checkpoints may its gradient be added up in another order.
///
/// f may use other Vars than its inputs, the parameters of a layer above all, and they get their gradients; so may it
/// hold further checkpoints. It is kept until then, so what it names must live as long. It must compute the same each
/// time: f that changes something outside of itself changes it twice, except for the running statistics of a norm,
/// which look at `recomputing`. Gradients of gradients work too, but remember all, and are added up in another order.
///
/// `grad` throws std::invalid_argument when f, run again, uses other Vars than before: a parameter was put in the place
/// of another between forward and backward, and the gradient would belong to neither. So it does when f gives another
/// number of results, or results of other shapes or dtypes. An empty f, an undefined input and an undefined result are
/// refused at once.
Var checkpoint(const std::function<Var(const Vars& inputs)>& f, const Vars& inputs);
Var checkpoint(const std::function<Var(const Vars& inputs, Rng* rng)>& f, const Vars& inputs, Rng* rng);
/// The same for an f with several results.
Vars checkpoint_outputs(const std::function<Vars(const Vars& inputs, Rng* rng)>& f, const Vars& inputs, Rng* rng);

/// layers.back()(… layers[1](layers[0](x))), in `segments` parts as even as can be, of which each but the last is a
/// checkpoint: the backward pass begins with the last, so that forgetting it would save nothing. Where each of n layers
/// remembers c tensors of the size of x, s segments remember s − 1 + c n / s of them: least at s = √(c n), or at s = n
/// where that is more. Throws std::invalid_argument unless 1 <= segments <= layers.
using ChainLayer = std::function<Var(const Var& x, Rng* rng)>;
Var checkpoint_sequential(const std::vector<ChainLayer>& layers, const Var& x, Size segments, Rng* rng = nullptr);

/// Whether a checkpoint is being run for the second time. Per thread.
bool recomputing();

}  // namespace attend
