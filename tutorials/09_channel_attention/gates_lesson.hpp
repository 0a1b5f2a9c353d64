#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tutorials/09_channel_attention/looking.hpp"
#include "tutorials/lesson/claims.hpp"

/// The sections about what the gates do. Both add their figures, under the names they have in results.tsv.

namespace attend::chapter09 {

using Figures = std::vector<std::pair<std::string, double>>;

/// The mean gates under either cue; those of the first block also go to the file `picture`, unless that is empty.
void gates_section(const CuedTask& task, const Network& network, const std::string& picture, Figures& figures,
                   lesson::Claims& claims);

/// What the network answers when an image is weighed with other gates than its own.
void exchange_section(const CuedTask& task, const Network& network, Figures& figures, lesson::Claims& claims);

}  // namespace attend::chapter09
