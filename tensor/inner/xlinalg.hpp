// xtensor-blas's linear algebra. Included by tensor/kernels/linalg.cpp alone: it takes ten seconds to compile.
#pragma once
#if !HAVE_CBLAS
#error "compile with HAVE_CBLAS=1: otherwise xtensor-blas does not call BLAS at all"
#endif
#include <xtensor-blas/xlinalg.hpp>

#include "tensor/xtensor.hpp"
