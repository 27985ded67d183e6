// Whether two expressions have the same value, by evaluating both over representative values of their attributes.
//
// The values are NULL, numbers equal to and near the constants that occur, several kinds of text, blobs, and huge
// integers, as far as an attribute can hold them. If there are few combinations, all of them are tried; otherwise a
// fixed sample is, in which attributes that are compared with each other are often equal. A wrong law is therefore
// detected if one of these values shows it; a law that passes holds for all values of these classes, but is not
// proved.
#pragma once

#include "equiv/checker/knowledge.hpp"

namespace trustsql::equiv::checker {

// Whether `a` and `b` have identical values (1 and 1.0 differ) wherever the attributes in `non_null` are not NULL; with
// `truth_only`, whether they are true of the same rows.
bool agree(const plan::Expr& a, const plan::Expr& b, bool truth_only, const plan::AttributeSet& non_null,
           const Given& given);

// Whether all of `a` are true of exactly the rows of which all of `b` are true.
bool agree(const std::vector<plan::Expr>& a, const std::vector<plan::Expr>& b, const plan::AttributeSet& non_null,
           const Given& given);

}  // namespace trustsql::equiv::checker
