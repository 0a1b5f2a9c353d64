#pragma once
#include "tutorials/16_conditional_and_learned/part.hpp"

namespace attend::chapter16 {

Part reward_part();

}  // namespace attend::chapter16
