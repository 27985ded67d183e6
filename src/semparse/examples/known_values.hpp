// KnownValues: what the columns of a database hold, for slots of templates.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "semparse/parser.hpp"

namespace trustsql::semparse {

class KnownValues {
 public:
  virtual ~KnownValues() = default;
  // The value of `column` ("table.column", or "column" of any table, in lower case) that has the words of `text`; of
  // several the one that is spelled like it.
  virtual std::optional<std::string> find(std::string_view column, std::string_view text) const = 0;
  // Whether any column holds it.
  virtual bool holds(std::string_view text) const = 0;
  // Whether all texts of `column` are known, and there are any: what is not found is not there.
  virtual bool is_complete(std::string_view column) const = 0;
};

// The values of a database that the parser knows.
class DatabaseValues final : public KnownValues {
 public:
  // `knowledge` must outlive this object.
  explicit DatabaseValues(const Knowledge& knowledge) : knowledge_(knowledge) {}
  std::optional<std::string> find(std::string_view column, std::string_view text) const override;
  bool holds(std::string_view text) const override { return !knowledge_.values.find(text).empty(); }
  bool is_complete(std::string_view column) const override;

 private:
  bool is(ColumnId id, std::string_view column) const;

  const Knowledge& knowledge_;
};

}  // namespace trustsql::semparse
