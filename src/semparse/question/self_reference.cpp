#include "semparse/question/self_reference.hpp"

#include <algorithm>

#include "semparse/words/superiors.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view role_articles[] = {"the", "a", "an", "their", "its", "his", "her", "any", "also"};

}  // namespace

SelfReference::SelfReference(const QuestionView& view, std::size_t edge)
    : view_(view), domain_(view.domain()), words_(view.question().words), edge_(edge) {
  // What names people is an answer by itself.
  if (domain_.is_display(domain_.edges()[edge].parent)) return;
  role_words_ = domain_.role_words(edge_);
  find_names();
}

bool SelfReference::add_to(AskedRoles& roles, const std::vector<RoleName>& others) {
  if (names_.empty()) return true;
  role_ = static_cast<TableId>(domain_.tables().size() + roles.edges.size());
  auto found = roles;
  found.edges.push_back(edge_);
  bool places_value = false;
  for (const auto& literal : view_.literals()) {
    const bool is_value = literal.value != nullptr;
    if (is_value && !is_of_table(*literal.value)) continue;
    places_value |= is_value;
    if (is_behind_another(literal.span, others)) continue;
    // "Has a supervisor" is said of the nurse.
    const bool tests_reference = is_value && literal.value->test != ColumnTest::none &&
                                 literal.value->cells.front().column == domain_.edges()[edge_].child;
    const auto is_role = tests_reference ? std::optional(false) : speaks_of_role(literal.span);
    if (!is_role) return false;
    found.literals.push_back({literal.span, *is_role ? role_ : own_table()});
    role_is_given_ |= is_value && *is_role;
    own_is_given_ |= is_value && !*is_role;
  }
  if (!places_value && !speaks_of_both()) return true;
  add_names(found);
  roles = std::move(found);
  return true;
}

bool SelfReference::is_behind_another(WordSpan words, const std::vector<RoleName>& others) const {
  const auto last_before = [&words](const std::vector<RoleName>& names) {
    std::size_t last = 0;
    for (const auto& name : names)
      if (name.span.last <= words.first) last = std::max(last, name.span.last);
    return last;
  };
  return last_before(others) > last_before(names_);
}

bool SelfReference::is_of_table(const ValueMention& value) const {
  return std::any_of(value.cells.begin(), value.cells.end(),
                     [this](const ValueIndex::Cell& cell) { return domain_.column(cell.column).table == own_table(); });
}

std::optional<Naming> SelfReference::naming_at(std::size_t i) const {
  const auto& word = words_[i];
  const bool participle = word.lower.ends_with("ed") || word.lower.ends_with("ing");
  const auto& role = role_words_.front();
  const bool superior = is_superior_role(role);
  if (!superior && !participle && word.lemma() == role && is_verb(i)) return Naming::verb;
  if (!participle && (superior ? names_superior(word) : word.lemma() == role)) return Naming::noun;
  if (superior ? names_subordinate(word) : says_child(word)) return Naming::inverse;
  if (superior && word.lemma() == "report")
    return at(i + 1) == "to" || at(i + 2) == "to" ? std::optional(Naming::verb_to) : std::nullopt;
  if (superior ? says_superior(word) : is_agent_of(word)) return Naming::verb;
  return participle && is_listed(word.lemmas, role) ? std::optional(Naming::verb) : std::nullopt;
}

// "Mentors Ada Moe", "did Ada Moe mentor", of a noun that is a verb as well.
bool SelfReference::is_verb(std::size_t i) const {
  constexpr std::string_view subjects[] = {"who", "that", "which"};
  constexpr std::string_view auxiliaries[] = {"did", "does", "do"};
  if (i == 0) return false;
  const bool of_rows = view_.kind(i - 1) == Symbol::table || is_listed(subjects, at(i - 1));
  if (of_rows && is_literal(i + 1)) return true;
  auto first = i;
  while (first > 0 && is_literal(first - 1)) --first;
  return first < i && first > 0 && is_listed(auxiliaries, at(first - 1));
}

// "Children" are those of the only parent that the rows have.
bool SelfReference::says_child(const Word& word) const {
  constexpr std::string_view parents[] = {"parent", "mother", "father"};
  constexpr std::string_view children[] = {"child", "offspring"};
  const auto& edges = domain_.edges();
  return is_listed(children, word.lemma()) && is_listed(parents, role_words_.front()) &&
         std::count_if(edges.begin(), edges.end(), [this](const JoinEdge& edge) {
           return domain_.column(edge.child).table == own_table() && domain_.column(edge.parent).table == own_table();
         }) == 1;
}

bool SelfReference::is_agent_of(const Word& word) const {
  constexpr std::size_t least_size = 4;
  const auto& noun = role_words_.front();
  if (!noun.ends_with("er") && !noun.ends_with("or")) return false;
  return std::any_of(word.lemmas.begin(), word.lemmas.end(), [&noun](const std::string& lemma) {
    const auto stem = lemma.ends_with('e') ? std::string_view(lemma).substr(0, lemma.size() - 1) : lemma;
    return lemma.size() >= least_size && noun.size() == stem.size() + 2 && noun.starts_with(stem);
  });
}

void SelfReference::find_names() {
  if (role_words_.empty()) return;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].quoted || i + role_words_.size() > words_.size()) continue;
    RoleName name{{i, i + role_words_.size()}};
    if (role_words_.size() == 1) {
      const auto naming = naming_at(i);
      if (!naming) continue;
      name.naming = *naming;
      if (name.naming == Naming::verb_to && at(i + 1) != "to") ++name.span.last;  // "reports directly to"
    } else {
      bool same = true;
      for (std::size_t j = 0; j < role_words_.size(); ++j) same &= is_listed(words_[i + j].lemmas, role_words_[j]);
      if (!same) continue;
    }
    // "Parent category", "manager employee".
    for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(own_table())])
      if (mention.whole() && mention.span.first == name.span.last && name.naming == Naming::noun)
        name.span.last = mention.span.last;
    if (is_identifier_word(at(name.span.last)) || is_other_name(name) || is_predicate(name)) {
      names_.clear();
      return;
    }
    names_.push_back(name);
  }
}

bool SelfReference::is_other_name(const RoleName& name) const {
  constexpr std::string_view negations[] = {"no", "not", "without", "never"};
  const auto span = name.span;
  for (auto i = span.first; i > 0 && span.first - i < 3; --i)
    if (is_listed(negations, at(i - 1))) return true;
  if (name.naming == Naming::noun && span.first > 1 && !is_literal(span.first - 1) &&
      words_[span.first - 1].capitalised && !is_function_word(words_[span.first - 1]))
    return true;
  for (const auto& literal : view_.literals())
    if (literal.span.overlaps(span)) return true;
  const auto names = [span](const std::vector<Mention>& mentions) {
    return std::any_of(mentions.begin(), mentions.end(),
                       [span](const Mention& mention) { return mention.whole() && mention.span.overlaps(span); });
  };
  const auto child = domain_.edges()[edge_].child;
  for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
    if (id != child && names(view_.linking().columns[static_cast<std::size_t>(id)])) return true;
  for (TableId id = 0; id < static_cast<TableId>(domain_.tables().size()); ++id)
    if (id != own_table() && names(view_.linking().tables[static_cast<std::size_t>(id)])) return true;
  return false;
}

bool SelfReference::is_predicate(const RoleName& name) const {
  constexpr std::string_view copulas[] = {"is", "are", "was", "were", "be", "been", "as", "not"};
  if (name.naming == Naming::verb || name.naming == Naming::verb_to) return false;
  auto before = name.span.first;
  while (before > 0 && is_listed(role_articles, at(before - 1))) --before;
  if (before == 0 || !is_listed(copulas, at(before - 1)) || is_given_as(name)) return false;
  const bool asks = before == 2 && (at(0) == "who" || at(0) == "what" || at(0) == "which");
  return !asks && at(name.span.last) != "of";
}

bool SelfReference::is_given_as(const RoleName& name) const {
  constexpr std::string_view possessives[] = {"their", "its", "his", "her", "a", "the"};
  const auto first = name.span.first;
  return first > 2 && at(first - 2) == "as" && is_listed(possessives, at(first - 1)) && is_literal(first - 3);
}

std::optional<bool> SelfReference::speaks_of_role(WordSpan value) const {
  const auto* name = &names_.front();
  for (const auto& each : names_)
    if (each.span.last <= value.first) name = &each;
  const bool behind = value.first >= name->span.last;
  const auto next = at(name->span.last);
  const bool of = next == "of" || next == "for" || (behind && is_of(*name, value));
  switch (name->naming) {
    case Naming::noun:
      if (!behind) return next == "of" || is_given_as(*name);
      return of ? std::optional(false) : same_clause(*name, value) ? std::optional(true) : std::nullopt;
    case Naming::verb_to: return behind && !same_clause(*name, value) ? std::nullopt : std::optional(behind);
    case Naming::verb:
      if (behind && !same_clause(*name, value)) return std::nullopt;
      return behind == (next == "by");
    case Naming::inverse: return !behind || of;
  }
  return std::nullopt;
}

bool SelfReference::is_of(const RoleName& name, WordSpan value) const {
  auto before = value.first;
  while (before > name.span.last && at(before - 1) != "of" &&
         (is_literal(before - 1) || is_listed(role_articles, at(before - 1))))
    --before;
  return before > name.span.last && at(before - 1) == "of";
}

bool SelfReference::is_literal(std::size_t i) const {
  return std::any_of(view_.literals().begin(), view_.literals().end(),
                     [i](const Literal& literal) { return literal.span.first <= i && i < literal.span.last; });
}

bool SelfReference::same_clause(const RoleName& name, WordSpan value) const {
  constexpr std::string_view borders[] = {"and", "or", "but", ",", ";"};
  for (auto i = name.span.last; i < value.first; ++i)
    if (is_listed(borders, at(i))) return false;
  return true;
}

bool SelfReference::speaks_of_both() const {
  constexpr std::string_view relations[] = {"their", "his", "her", "its", "whose", "each", "every", "per"};
  const auto is_name = [this](WordSpan span) {
    return std::any_of(names_.begin(), names_.end(), [span](const RoleName& name) { return name.span.overlaps(span); });
  };
  for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(own_table())])
    if (mention.whole() && !is_name(mention.span)) return true;
  return std::any_of(words_.begin(), words_.end(), [&](const Word& word) { return is_listed(relations, word.lower); });
}

void SelfReference::add_names(AskedRoles& found) const {
  const auto& mentions = view_.linking().tables[static_cast<std::size_t>(own_table())];
  const bool own_is_named =
      std::any_of(mentions.begin(), mentions.end(), [](const Mention& mention) { return mention.whole(); });
  for (const auto& name : names_) {
    if (name.naming == Naming::noun)
      found.names.push_back({name.span, role_});
    else if (name.naming == Naming::inverse)
      found.names.push_back({name.span, own_table()});
    else if (own_is_given_ && !role_is_given_)
      found.names.push_back({name.span, role_});
    else if (!own_is_named)
      found.names.push_back({name.span, own_table()});
  }
}

}  // namespace trustsql::semparse
