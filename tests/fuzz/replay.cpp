// A main for fuzz targets without libFuzzer: runs the target on every file of the folders that it is given, and on each
// of their prefixes.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int count, char** folders) {
  int files = 0;
  for (int i = 1; i < count; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folders[i])) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
      const std::size_t step = bytes.size() / 64 + 1;
      for (std::size_t size = bytes.size();; size -= step) {
        const std::vector<std::uint8_t> exact(
            bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));  // so that a sanitizer sees its end
        LLVMFuzzerTestOneInput(exact.data(), exact.size());
        if (size < step) break;
      }
      ++files;
    }
  }
  std::printf("%d files\n", files);
  return files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
