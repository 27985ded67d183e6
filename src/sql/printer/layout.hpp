// Where lines break.
//
// The printer writes a text with places at which a line may end, and groups around them. A group stays on one line if
// it fits; else a line ends at each of its own places (not at those of the groups inside, which decide for themselves).
// This is the consistent breaking of D. Oppen, "Prettyprinting" (1980), in two linear passes: the widths of the groups
// backwards, then the lines forwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::printer {

class Layout {
 public:
  // `width` 0: never breaks a line; then nothing is kept but the text.
  explicit Layout(std::size_t width) : width_(width) {}

  void text(std::string_view text) { text_ += text; }
  void text(char c) { text_ += c; }
  // A place where a line may end: in an unbroken line a space, or nothing.
  void line() { place(' '); }
  void soft_line() { place('\0'); }
  // What stands in between is one group; its lines after the first are indented by `indent` more.
  void open(std::uint32_t indent = 2) { mark(Mark::open, indent); }
  void close() { mark(Mark::close, 0); }

  std::string take() &&;

 private:
  struct Mark {
    enum Kind : std::uint8_t { open, close, line, soft_line } kind;
    std::uint32_t indent;
    std::size_t offset;     // of the text behind it
    std::size_t width = 0;  // of an open: of the group and what follows it up to the next place to break, on one line
  };

  void mark(Mark::Kind kind, std::uint32_t indent) {
    if (width_ != 0) marks_.push_back({kind, indent, text_.size()});
  }
  void place(char space) {
    if (width_ == 0) {
      if (space != '\0') text_ += space;
    } else {
      mark(space == ' ' ? Mark::line : Mark::soft_line, 0);
    }
  }
  void measure();
  std::string break_lines() const;

  std::size_t width_;
  std::string text_;
  std::vector<Mark> marks_;
};

// A group for as long as this object lives.
class Group {
 public:
  explicit Group(Layout& layout, std::uint32_t indent = 2) : layout_(layout) { layout_.open(indent); }
  ~Group() { layout_.close(); }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

 private:
  Layout& layout_;
};

}  // namespace trustsql::printer
