// Prints what only a linked program can know of OpenBLAS: which kernels it chose for this processor.
// ./attend builds and runs it.
#include <cstdio>

// Declared here and not taken from cblas.h, which belongs to tensor/ alone.
extern "C" {
char* openblas_get_config(void);
char* openblas_get_corename(void);
int openblas_get_num_threads(void);
}

int main() {
  std::printf("%s, %d threads (%s)\n", openblas_get_corename(), openblas_get_num_threads(), openblas_get_config());
  return 0;
}
