#include "tutorials/lesson/images.hpp"

#include "tensor/kernels.hpp"
#include "tutorials/lesson/data.hpp"

namespace attend::lesson {
namespace {

// An IDX file: two zero bytes, 8 for "unsigned bytes", the number of axes, each size in four bytes, the elements.
struct Idx {
  Shape shape;
  std::vector<double> elements;
};

Size big_endian(const std::string& bytes, std::size_t begin) {
  Size value = 0;
  for (std::size_t i = begin; i < begin + 4; ++i) value = 256 * value + static_cast<unsigned char>(bytes[i]);
  return value;
}

Idx read(const std::string& path, Size axes) {
  const std::string bytes = read_bytes(path);
  const std::size_t header = 4 + 4 * static_cast<std::size_t>(axes);
  const std::string magic = {'\0', '\0', '\x08', static_cast<char>(axes)};
  if (bytes.compare(0, magic.size(), magic) != 0) {
    throw DataError(path, 0, "is no IDX file of bytes with " + std::to_string(axes) + " axes");
  }
  if (bytes.size() < header) throw DataError(path, 0, "is cut short: it ends in the header");
  Idx file;
  double wanted = 1;  // as a double, since a broken header may claim any size
  for (Size axis = 0; axis < axes; ++axis) {
    file.shape.push_back(big_endian(bytes, 4 + 4 * static_cast<std::size_t>(axis)));
    wanted *= static_cast<double>(file.shape.back());
  }
  const std::size_t there = bytes.size() - header;
  if (wanted != static_cast<double>(there)) {
    throw DataError(path, 0,
                    "the header says " + text(file.shape) + ", but " + std::to_string(there) + " bytes follow");
  }
  for (std::size_t i = header; i < bytes.size(); ++i) file.elements.push_back(static_cast<unsigned char>(bytes[i]));
  return file;
}

}  // namespace

Images Images::select(const std::vector<std::int64_t>& ids) const {
  const Tensor rows = Tensor::from_ints(ids, {size_of(ids)});
  return {kernel::take(pixels, 0, rows, "Images::select"), kernel::take(labels, 0, rows, "Images::select")};
}

Images read_idx(const std::string& pixels_path, const std::string& labels_path, int full) {
  Idx pixels = read(pixels_path, 3);
  const Idx labels = read(labels_path, 1);
  if (pixels.shape[0] != labels.shape[0]) {
    throw DataError(labels_path, 0,
                    std::to_string(labels.shape[0]) + " labels for " + std::to_string(pixels.shape[0]) + " images");
  }
  for (double& pixel : pixels.elements) {
    if (pixel > full) throw DataError(pixels_path, 0, "a pixel is above " + std::to_string(full));
    pixel /= full;
  }
  return {Tensor::from(pixels.elements, {pixels.shape[0], 1, pixels.shape[1], pixels.shape[2]}),
          Tensor::from_ints({labels.elements.begin(), labels.elements.end()}, labels.shape)};
}

Images digits8x8() {
  return read_idx(data_path("digits8x8/digits8x8-images.idx3-ubyte"),
                  data_path("digits8x8/digits8x8-labels.idx1-ubyte"), 16);
}

Images fashion14_training() {
  return read_idx(data_path("fashion14/fashion14-train-images.idx3-ubyte"),
                  data_path("fashion14/fashion14-train-labels.idx1-ubyte"));
}

Images fashion14_test() {
  return read_idx(data_path("fashion14/fashion14-t10k-images.idx3-ubyte"),
                  data_path("fashion14/fashion14-t10k-labels.idx1-ubyte"));
}

}  // namespace attend::lesson
