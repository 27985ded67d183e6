#include "sql/printer/layout.hpp"

namespace trustsql::printer {

std::string Layout::take() && {
  if (marks_.empty()) return std::move(text_);
  measure();
  return break_lines();
}

// Going backwards, `flat` is the width of everything that follows if written on one line, and `since_place` the width
// up to the next place where a line may end: the text up to there stays on the group's last line.
void Layout::measure() {
  struct Open {
    std::size_t end_flat;  // the value of `flat` after the group
    std::size_t trailing;  // the width of the text between the group and the next place to break
  };
  std::vector<Open> open;
  std::size_t flat = 0, since_place = 0, end = text_.size();
  for (auto m = marks_.rbegin(); m != marks_.rend(); ++m) {
    const std::size_t between = end - m->offset;
    flat += between;
    since_place += between;
    end = m->offset;
    switch (m->kind) {
      case Mark::close: open.push_back({flat, since_place}); break;
      case Mark::open:
        m->width = flat - open.back().end_flat + open.back().trailing;
        open.pop_back();
        break;
      case Mark::line:
        ++flat;
        since_place = 0;
        break;
      case Mark::soft_line: since_place = 0; break;
    }
  }
}

std::string Layout::break_lines() const {
  struct Level {
    bool broken;
    std::size_t indent;
  };
  std::vector<Level> levels = {{false, 0}};
  std::string out;
  std::size_t column = 0, begin = 0;
  const auto copy_up_to = [&](std::size_t end) {
    out.append(text_, begin, end - begin);
    column += end - begin;
    begin = end;
  };
  for (const Mark& m : marks_) {
    copy_up_to(m.offset);
    const Level& level = levels.back();
    switch (m.kind) {
      case Mark::open: {
        const bool broken = column + m.width > width_;
        // A group on one line does not indent its contents.
        levels.push_back({broken, broken ? level.indent + m.indent : level.indent});
        break;
      }
      case Mark::close: levels.pop_back(); break;
      case Mark::line:
      case Mark::soft_line:
        if (level.broken) {
          out += '\n';
          out.append(level.indent, ' ');
          column = level.indent;
        } else if (m.kind == Mark::line) {
          out += ' ';
          ++column;
        }
        break;
    }
  }
  copy_up_to(text_.size());
  return out;
}

}  // namespace trustsql::printer
