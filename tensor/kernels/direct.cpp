// Convolution in place: to compute many outputs at one place at once, an output in each lane of a vector, only the
// weight has to be arranged, [K, outputs], and it is small. An element of a window is read from the padded image at the
// place's address plus an offset, and nothing is laid out. The result comes as [place, output] and is transposed.
#include "tensor/inner/direct.hpp"

#include <vector>

#include "tensor/inner/avx512.hpp"

namespace attend::kernel::direct {
namespace {

// Outputs that are computed together: in two vectors, or in one where no more than its lanes are left.
struct Panel {
  Size first, count;
  Size vectors() const { return count > avx512::lanes ? 2 : 1; }
  Size width() const { return vectors() * avx512::lanes; }
};

constexpr Size widest = avx512::most_vectors * avx512::lanes;

Size panels(Size outputs) { return (outputs + widest - 1) / widest; }
Panel panel(Size i, Size outputs) { return {i * widest, std::min(widest, outputs - i * widest)}; }
Size lanes_of(Size outputs) { return (outputs + avx512::lanes - 1) / avx512::lanes * avx512::lanes; }

// At least three quarters of the lanes compute what is wanted, and a row has places enough to hide the time of a
// multiplication.
bool fills_lanes(Size outputs, Size places) { return 4 * outputs >= 3 * lanes_of(outputs) && places >= 4; }

// A panel of the weight stays in the cache, and is used often enough to be worth arranging.
bool pays(const Walk& walk) {
  constexpr Size most_elements = Size{1} << 16, fewest_places = 256;
  return walk.K() * widest <= most_elements && walk.B * walk.N() >= fewest_places;
}

bool usable(DType dtype) { return dtype == DType::float32 && avx512::available(); }

// The weights of all groups, panel after panel, each [K, width]: element(group, output, input, tap), and 0 in the lanes
// of no output.
template <class Element>
std::vector<float> in_lanes(Size groups, Size outputs, Size inputs, Size taps, Element element) {
  std::vector<float> all(static_cast<std::size_t>(groups * inputs * taps * lanes_of(outputs)), 0.f);
  float* to = all.data();
  for (Size i = 0; i < groups * panels(outputs); ++i) {
    const Size group = i / panels(outputs);
    const Panel some = panel(i % panels(outputs), outputs);
    for (Size input = 0; input < inputs; ++input) {
      for (Size tap = 0; tap < taps; ++tap, to += some.width()) {
        for (Size o = 0; o < some.count; ++o) to[o] = element(group, some.first + o, input, tap);
      }
    }
  }
  return all;
}

// The padded rows of an image that some rows of the result read. Where windows are `stride` columns apart, the columns
// 0, stride, 2 · stride, ... stand first, then 1, 1 + stride, ...: so the same element of neighbouring windows is next
// to each other.
class Slab {
 public:
  explicit Slab(const Walk& walk)
      : walk_(walk),
        phase_(walk.columns + (walk.v - 1) * walk.dilation / walk.stride),
        row_(walk.stride * phase_),
        plane_(walk.padded_rows(walk.rows_at_once()) * row_),
        memory_(walk.C * plane_) {
    for (Size c = 0; c < walk.C; ++c) {
      for (Size u = 0; u < walk.u; ++u) {
        for (Size v = 0; v < walk.v; ++v) offsets_.push_back(c * plane_ + u * walk.dilation * row_ + column(v));
      }
    }
  }

  avx512::Windows of(const Tensor& x, const Rows& part) {
    Image<const float> from = image_of<float>(x, part.image, part.group * walk_.C);
    const Size above = part.first * walk_.stride - walk_.above;  // the row of x that is row 0 here
    const Size first = std::clamp<Size>(above, 0, walk_.H);
    const Size last = std::clamp<Size>(above + walk_.padded_rows(part.count), 0, walk_.H);
    std::fill_n(memory_.data(), walk_.C * plane_, 0.f);
    from.first += first * from.row;
    for (Size i = 0; i < walk_.stride; ++i) copy_phase(i, from, (first - above) * row_, last - first);
    return {memory_.data(), part.count, walk_.columns, walk_.stride * row_, offsets_.data(), walk_.K()};
  }

 private:
  // Where element v of a row of the first window stands.
  Size column(Size v) const {
    const Size at = v * walk_.dilation;
    return at % walk_.stride * phase_ + at / walk_.stride;
  }

  // The columns i, i + stride, ... of the padded rows, as far as they lie inside the image.
  void copy_phase(Size i, Image<const float> from, Size to_first, Size rows) {
    const Size stride = walk_.stride, begin = std::max<Size>(0, (walk_.left - i + stride - 1) / stride);
    const Size end = std::min(phase_, (walk_.W + walk_.left - i + stride - 1) / stride);
    if (begin >= end) return;
    from.first += (i + begin * stride - walk_.left) * from.step;
    from.step *= stride;
    float* to = memory_.data() + to_first + i * phase_ + begin;
    if (from.step != 1) {
      copy(from, Image<float>{to, plane_, row_, 1}, walk_.C, rows, end - begin);
      return;
    }
    for (Size c = 0; c < walk_.C; ++c) {
      avx512::copy(from.first + c * from.channel, from.row, rows, end - begin, to + c * plane_, row_);
    }
  }

  const Walk& walk_;
  Size phase_, row_, plane_;
  Scratch<float> memory_;
  std::vector<Size> offsets_;
};

// y [B, G · O, rows, columns] = the windows of x times the weight of each group, whose panels adjoin.
void convolve(const Walk& walk, const Tensor& x, const std::vector<float>& weight, float* y) {
  const Size parts = walk.B * walk.G * walk.parts_of_image(), N = walk.N(), group_size = walk.K() * lanes_of(walk.O);
  parallel(parts, grain(walk, parts), [&](Size first, Size last) {
    Slab slab(walk);
    Scratch<float> sums(walk.rows_at_once() * walk.columns * widest);  // [place, output]
    for (Size i = first; i < last; ++i) {
      const Rows part = walk.part(i);
      const avx512::Windows windows = slab.of(x, part);
      float* to = y + (part.image * walk.G + part.group) * walk.O * N + part.first * walk.columns;
      for (Size p = 0; p < panels(walk.O); ++p) {
        const Panel some = panel(p, walk.O);
        const float* w = weight.data() + part.group * group_size + some.first * walk.K();
        avx512::convolve(windows, w, some.vectors(), sums.data());
        avx512::transpose(sums.data(), some.width(), part.count * walk.columns, some.count, to + some.first * N, N);
      }
    }
  });
}

// The gradient of the image is a convolution too, of g with the windows turned round: input and output change places.
// Only where the windows are neighbours, and where the image's padding is no wider than a window. Columns have no zeros
// around g: a weight that is not finite spoils the border of the gradient here, where it meets them, and not there.
Walk turned(const Walk& walk) {
  Walk back = walk;
  std::swap(back.C, back.O);
  back.H = walk.rows, back.W = walk.columns, back.rows = walk.H, back.columns = walk.W;
  back.above = walk.dilation * (walk.u - 1) - walk.above;
  back.left = walk.dilation * (walk.v - 1) - walk.left;
  return back;
}

}  // namespace

bool suits_conv(const Walk& walk, DType dtype) {
  return usable(dtype) && !walk.pointwise() && fills_lanes(walk.O, walk.columns) && pays(walk);
}

bool suits_conv_to_input(const Walk& walk, DType dtype) {
  const Walk back = turned(walk);
  return suits_conv(back, dtype) && walk.stride == 1 && back.above >= 0 && back.left >= 0;
}

bool suits_conv_to_weight(const Walk& walk, DType dtype) {
  return usable(dtype) && !walk.pointwise() && fills_lanes(walk.O, walk.K());
}

void conv(const Walk& walk, const Tensor& x, const float* weight, float* y) {
  const Size taps = walk.u * walk.v;
  const auto element = [&](Size group, Size output, Size input, Size tap) {
    return weight[((group * walk.O + output) * walk.C + input) * taps + tap];
  };
  convolve(walk, x, in_lanes(walk.G, walk.O, walk.C, taps, element), y);
}

void conv_to_input(const Walk& walk, const Tensor& g, const float* weight, float* dx) {
  const Size taps = walk.u * walk.v;
  const auto element = [&](Size group, Size output, Size input, Size tap) {
    return weight[((group * walk.O + input) * walk.C + output) * taps + taps - 1 - tap];
  };
  convolve(turned(walk), g, in_lanes(walk.G, walk.C, walk.O, taps, element), dx);
}

void conv_to_weight(const Walk& walk, const Tensor& g, const Tensor& x, float* dw) {
  const Size K = walk.K(), O = walk.O;
  const Pieces pieces(walk, g.size() + x.size());
  std::vector<float> sums(static_cast<std::size_t>(walk.G * pieces.count * K * lanes_of(O)), 0.f);
  parallel(walk.G * pieces.count, grain(walk, walk.G * pieces.count), [&](Size first, Size last) {
    Slab slab(walk);
    const Size most = walk.rows_at_once() * walk.columns;
    Scratch<float> rows(O * most), places(most * widest);  // of g: [output, place] and [place, output]
    std::fill_n(places.data(), most * widest, 0.f);        // in the lanes of no output too
    for (Size piece = first; piece < last; ++piece) {
      for (Size i = pieces.begin(piece); i < pieces.end(piece); ++i) {
        const Rows part = walk.part(i);
        const Size n = part.count * walk.columns;
        const avx512::Windows windows = slab.of(x, part);
        copy(part_of<float>(walk, g, part), Image<float>{rows.data(), n, walk.columns, 1}, O, part.count, walk.columns);
        for (Size p = 0; p < panels(O); ++p) {
          const Panel some = panel(p, O);
          avx512::transpose(rows.data() + some.first * n, n, some.count, n, places.data(), some.width());
          float* sum = sums.data() + piece * K * lanes_of(O) + some.first * K;
          avx512::add_to_weight(windows, places.data(), some.vectors(), sum);
        }
      }
    }
  });
  for (Size group = 0; group < walk.G; ++group) {
    float* sum = sums.data() + group * pieces.count * K * lanes_of(O);
    for (Size piece = 1; piece < pieces.count; ++piece) {
      for (Size i = 0; i < K * lanes_of(O); ++i) sum[i] += sum[piece * K * lanes_of(O) + i];
    }
    for (Size p = 0; p < panels(O); ++p) {
      const Panel some = panel(p, O);
      avx512::transpose(sum + some.first * K, some.width(), K, some.count, dw + (group * O + some.first) * K, K);
    }
  }
}

}  // namespace attend::kernel::direct
