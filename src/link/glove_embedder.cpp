#include "link/glove_embedder.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"
#include "db/stores/files.hpp"
#include "link/vector_math.hpp"

namespace trustsql::link {

// A file's bytes, read-only.
class GloveEmbedder::Mapping {
 public:
  static Result<std::unique_ptr<Mapping>> open(const std::string& path) {
    // A database that the host has open must not be opened here (db/stores/files.hpp).
    if (const auto start = read_file_start(path, 16); start.ok() && start->starts_with("SQLite format 3"))
      return io_error("not a readable file of word vectors: " + quote_for_message(path));
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return io_error("word vectors cannot be read: " + quote_for_message(path));
    struct stat status {};
    const bool regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = regular ? static_cast<std::size_t>(status.st_size) : 0;
    void* bytes = size > 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    close(file);
    if (bytes == MAP_FAILED) return io_error("not a readable file of word vectors: " + quote_for_message(path));
    return std::make_unique<Mapping>(static_cast<const char*>(bytes), size);
  }
  Mapping(const char* bytes, std::size_t size) : bytes_(bytes), size_(size) {}
  ~Mapping() { munmap(const_cast<char*>(bytes_), size_); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::string_view text() const { return {bytes_, size_}; }

 private:
  const char* bytes_;
  std::size_t size_;
};

namespace {

bool is_glove_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t count_numbers(std::string_view line) {
  return static_cast<std::size_t>(std::count(line.begin(), line.end(), ' '));
}

}  // namespace

GloveEmbedder::GloveEmbedder(std::string name, std::unique_ptr<Mapping> file)
    : name_(std::move(name)), file_(std::move(file)) {}
GloveEmbedder::~GloveEmbedder() = default;

Result<std::unique_ptr<GloveEmbedder>> GloveEmbedder::open(const std::string& path) {
  TRUSTSQL_ASSIGN_OR_RETURN(auto file, Mapping::open(path));
  const auto text = file->text();
  const auto fingerprint = hash_bytes(text.substr(0, 4096), text.size());
  std::unique_ptr<GloveEmbedder> embedder(new GloveEmbedder("glove-" + std::to_string(fingerprint), std::move(file)));
  auto indexed = embedder->index();
  if (!indexed.ok()) return std::move(indexed).error().with_prefix("word vectors " + quote_for_message(path));
  return embedder;
}

Status GloveEmbedder::index() {
  const auto text = file_->text();
  std::size_t number = 0;
  for (std::size_t next_line = 0; next_line < text.size();) {
    const auto begin = next_line;
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
    next_line = end + 1;
    ++number;
    if (line.empty() || (number == 1 && count_numbers(line) == 1)) continue;
    const auto numbers = count_numbers(line);
    if (dimensions_ == 0) dimensions_ = numbers;
    // Some published files have words that contain blanks; those are skipped.
    const auto blank = line.find(' ');
    if (numbers < dimensions_ || dimensions_ == 0 || blank == 0) {
      return invalid_argument("line " + std::to_string(number) + " is not a word and " + std::to_string(dimensions_) +
                              " numbers");
    }
    if (numbers == dimensions_) places_.emplace(line.substr(0, blank), begin + blank + 1);
  }
  if (places_.empty()) return invalid_argument("it contains no words");
  return ok_status();
}

bool GloveEmbedder::add(std::string_view word, std::span<float> sum) const {
  const auto entry = places_.find(word);
  if (entry == places_.end()) return false;
  const char* position = file_->text().data() + entry->second;
  const char* const end = file_->text().data() + file_->text().size();
  std::vector<float> vector(sum.size());
  for (float& value : vector) {
    const auto parsed = std::from_chars(position, end, value);
    if (parsed.ec != std::errc() || !std::isfinite(value)) return false;
    position = parsed.ptr < end ? parsed.ptr + 1 : parsed.ptr;
  }
  add_scaled(sum, vector, 1);
  return true;
}

Result<std::vector<Vector>> GloveEmbedder::embed(std::span<const std::string> texts,
                                                 const llm::RequestContext& context) {
  std::vector<Vector> vectors;
  vectors.reserve(texts.size());
  for (const auto& text : texts) {
    if (vectors.size() % 64 == 63 && context.stop && context.stop())
      return Error{ErrorCode::interrupted, "interrupted"};
    auto& sum = vectors.emplace_back(dimensions_);
    for (std::size_t position = 0; position < text.size();) {
      if (!is_glove_word_byte(text[position])) {
        ++position;
        continue;
      }
      const auto begin = position;
      while (position < text.size() && is_glove_word_byte(text[position])) ++position;
      add(to_lower_ascii(std::string_view(text).substr(begin, position - begin)), sum);
    }
    normalise(sum);  // the mean's length does not matter for the cosine
  }
  return vectors;
}

}  // namespace trustsql::link
