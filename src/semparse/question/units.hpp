// Units of measure, in names of columns and behind numbers: weight_kg, "60 kg", "5 million".
#pragma once

#include <string_view>

#include "semparse/database/domain.hpp"

namespace trustsql::semparse {

// One word for all that mean the same unit: "kg" for "kilogram" and "kilo"; empty for a word that is no unit.
std::string_view unit_of(std::string_view word);

// Whether people leave the word out where it stands behind other words of a name: weight_kg, budget_in_billions.
bool is_unit_of_name(std::string_view word);

// Whether the column may hold amounts in this unit: its name has no unit, or this one.
bool may_be_in(const DomainColumn& column, std::string_view unit);

// 1,000 for "thousand", and so on; 0 for a word that is no such number.
double scale_of(std::string_view word);

// Whether the column's name says that its amounts are in thousands, millions or the like.
bool is_scaled(const DomainColumn& column, double scale);

}  // namespace trustsql::semparse
