// Deviations: the ways in which a database may depart from what its schema suggests, and in which two results may
// differ, without it being clear that the queries have different meanings.
//
// A counterexample has the deviations of its database and of its results. A pair of queries is graded by the
// counterexample with the fewest: without deviations the queries differ outright, with {null} only where a value is
// NULL, and so on. The same names say which deviations do not count for a question (CompareOptions::ignored): a
// database or result with one of them is then not a counterexample.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace trustsql::equiv {

enum class Deviation : std::uint8_t {
  // deviations of the two results
  duplicates,  // the same rows, but different numbers of duplicates
  // No rows in one and a single row of NULLs and zeros in the other; for a database, a table without rows.
  empty,
  column_order,  // the same except for the order of columns
  row_order,     // the same except for the order of rows, although the queries ask for one
  // deviations of the database
  null,         // a value is NULL
  foreign_key,  // a row has no parent although none of its key columns is NULL
  type,         // a value is not of the type that its column declares
  letter_case,  // two texts, in the database or a query, differ in letter case only
  // A value is of the type that its column declares, but not what a query takes the column for. A query takes a column
  // for numbers if it casts it, calculates with it, or compares it with a column of numbers: then '05', ' 5' and 'n/a'
  // deviate, and '5' does not (plan/number_text.hpp). It takes a column for dates if it passes it to a date function or
  // compares it with a date: then '2021-06-31' and 20210615 deviate, and '2021-06-15' does not (plan/date_text.hpp).
  // `type` is about what the schema says of a column, this is about what the queries take for granted.
  affinity,
};
inline constexpr int deviation_count = 9;

// "duplicates", "empty", "column_order", "row_order", "null", "foreign_key", "type", "case",
// "affinity".
constexpr std::string_view name(Deviation deviation) {
  switch (deviation) {
    case Deviation::duplicates: return "duplicates";
    case Deviation::empty: return "empty";
    case Deviation::column_order: return "column_order";
    case Deviation::row_order: return "row_order";
    case Deviation::null: return "null";
    case Deviation::foreign_key: return "foreign_key";
    case Deviation::type: return "type";
    case Deviation::letter_case: return "case";
    case Deviation::affinity: return "affinity";
  }
  return "";
}
// Whether it is a deviation of databases; `empty` is one of both.
constexpr bool is_of_database(Deviation deviation) {
  return deviation >= Deviation::null || deviation == Deviation::empty;
}

class Deviations {
 public:
  constexpr Deviations() = default;
  constexpr Deviations(std::initializer_list<Deviation> all) : Deviations(std::span(all.begin(), all.size())) {}
  explicit constexpr Deviations(std::span<const Deviation> all) {
    for (const Deviation deviation : all) add(deviation);
  }
  static constexpr Deviations all() { return Deviations((1U << deviation_count) - 1); }

  constexpr bool has(Deviation deviation) const { return (bits_ & bit(deviation)) != 0; }
  constexpr void add(Deviation deviation) { bits_ |= bit(deviation); }
  constexpr void remove(Deviation deviation) { bits_ &= ~bit(deviation); }
  constexpr bool none() const { return bits_ == 0; }
  constexpr bool within(Deviations other) const { return (bits_ & ~other.bits_) == 0; }
  constexpr Deviations operator|(Deviations other) const { return Deviations(bits_ | other.bits_); }
  constexpr Deviations operator-(Deviations other) const { return Deviations(bits_ & ~other.bits_); }
  constexpr std::uint32_t bits() const { return bits_; }
  friend constexpr bool operator==(Deviations, Deviations) = default;

  // "outright" if there are none, else the names joined by "+", in the order of the enumeration.
  std::string text() const;

 private:
  explicit constexpr Deviations(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(Deviation deviation) { return 1U << static_cast<unsigned>(deviation); }

  std::uint32_t bits_ = 0;
};

// How much the deviations weaken a difference, for comparing counterexamples: 0 for none, more with each of them. The
// counterexample of the lowest cost determines the grade.
int cost(Deviations deviations);

}  // namespace trustsql::equiv
