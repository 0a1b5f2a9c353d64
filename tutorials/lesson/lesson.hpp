#pragma once

/// Everything a chapter's program needs to speak to a learner.

#include "tutorials/lesson/chart.hpp"
#include "tutorials/lesson/claims.hpp"
#include "tutorials/lesson/data.hpp"
#include "tutorials/lesson/difference.hpp"
#include "tutorials/lesson/errors.hpp"
#include "tutorials/lesson/format.hpp"
#include "tutorials/lesson/gradients.hpp"
#include "tutorials/lesson/heatmap.hpp"
#include "tutorials/lesson/images.hpp"
#include "tutorials/lesson/matrix.hpp"
#include "tutorials/lesson/narration.hpp"
#include "tutorials/lesson/options.hpp"
#include "tutorials/lesson/picture.hpp"
#include "tutorials/lesson/progress.hpp"
#include "tutorials/lesson/results.hpp"
#include "tutorials/lesson/run.hpp"
#include "tutorials/lesson/stopwatch.hpp"
#include "tutorials/lesson/table.hpp"
#include "tutorials/lesson/terminal.hpp"
#include "tutorials/lesson/text.hpp"
