// Line breaking.
//
// The printer writes a text with places at which a line may end, and groups around them. A group stays on one line if
// it fits; otherwise a line ends at each of its own places (but not at those of inner groups, which are decided
// separately). This is the consistent breaking of D. Oppen, "Prettyprinting" (1980), in two linear passes: the widths
// of the groups backwards, then the lines forwards.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql::printer {

class Layout {
 public:
  // `width` 0: lines are never broken, and only the text is kept.
  explicit Layout(std::size_t width) : width_(width) {}

  void text(std::string_view text) { text_ += text; }
  void text(char c) { text_ += c; }
  // A place where a line may end. If the line is not broken, line() gives a space and soft_line() nothing.
  void line() { place(' '); }
  void soft_line() { place('\0'); }
  // The text between open() and close() is one group; its lines after the first are indented by `indent` more.
  void open(std::uint32_t indent = 2) { mark(Mark::open, indent); }
  void close() { mark(Mark::close, 0); }

  std::string take() &&;

 private:
  struct Mark {
    enum Kind : std::uint8_t { open, close, line, soft_line } kind;
    std::uint32_t indent;
    std::size_t offset;  // in the text
    std::size_t width =
        0;  // for an open: of the group and the text after it up to the next place to break, on one line
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

// Opens a group, and closes it in the destructor.
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
