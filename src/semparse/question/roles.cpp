#include "semparse/question/roles.hpp"

#include <algorithm>
#include <string_view>

#include "semparse/question/asked_joins.hpp"
#include "semparse/words/superiors.hpp"
#include "semparse/words/word_list.hpp"

namespace trustsql::semparse {

namespace {

constexpr std::string_view role_articles[] = {"the", "a", "an", "their", "its", "his", "her", "any", "also"};
constexpr std::string_view identifying_words[] = {"id", "ids", "number", "numbers", "code", "codes"};

// How a word names a role.
enum class Naming : std::uint8_t {
  noun,     // "the manager of"
  verb,     // "manages"
  verb_to,  // "reports to"
  inverse,  // "the subordinates of": names the row that refers to the role
};

struct RoleName {
  WordSpan span{};
  Naming naming = Naming::noun;
};

// A table that refers to itself: what the question says of the row that is referred to, and of the one that refers.
class SelfReference {
 public:
  SelfReference(const QuestionView& view, std::size_t edge)
      : view_(view), domain_(view.domain()), words_(view.question().words), edge_(edge) {
    // What names people is an answer by itself.
    if (domain_.is_display(domain_.edges()[edge].parent)) return;
    role_words_ = domain_.role_words(edge_);
    find_names();
  }

  const std::vector<RoleName>& names() const { return names_; }
  TableId own_table() const { return domain_.column(domain_.edges()[edge_].child).table; }

  // Adds the edge and what speaks of its rows, if the question needs the role. `others` are the names of the table's
  // other roles, whose values these are. False if the question leaves open whose a value is.
  bool add_to(AskedRoles& roles, const std::vector<RoleName>& others) {
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
      const auto is_role = speaks_of_role(literal.span);
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

 private:
  // Whether the name of another role stands nearer in front of the words than those of this one.
  bool is_behind_another(WordSpan words, const std::vector<RoleName>& others) const {
    const auto last_before = [&words](const std::vector<RoleName>& names) {
      std::size_t last = 0;
      for (const auto& name : names)
        if (name.span.last <= words.first) last = std::max(last, name.span.last);
      return last;
    };
    return last_before(others) > last_before(names_);
  }

  std::string_view at(std::size_t i) const { return i < words_.size() ? words_[i].lower : std::string_view(); }

  bool is_of_table(const ValueMention& value) const {
    return std::any_of(value.cells.begin(), value.cells.end(), [this](const ValueIndex::Cell& cell) {
      return domain_.column(cell.column).table == own_table();
    });
  }

  std::optional<Naming> naming_at(std::size_t i) const {
    const auto& word = words_[i];
    const bool participle = word.lower.ends_with("ed") || word.lower.ends_with("ing");
    const auto& role = role_words_.front();
    const bool superior = is_superior_role(role);
    if (!participle && (superior ? names_superior(word) : word.lemma() == role)) return Naming::noun;
    if (superior ? names_subordinate(word) : role == "parent" && word.lemma() == "child") return Naming::inverse;
    if (superior && word.lemma() == "report")
      return at(i + 1) == "to" || at(i + 2) == "to" ? std::optional(Naming::verb_to) : std::nullopt;
    if (superior ? says_superior(word) : is_agent_of(word)) return Naming::verb;
    return participle && is_listed(word.lemmas, role) ? std::optional(Naming::verb) : std::nullopt;
  }

  // "Teaches", of a teacher.
  bool is_agent_of(const Word& word) const {
    constexpr std::size_t least_size = 4;
    const auto& noun = role_words_.front();
    if (!noun.ends_with("er") && !noun.ends_with("or")) return false;
    return std::any_of(word.lemmas.begin(), word.lemmas.end(), [&noun](const std::string& lemma) {
      const auto stem = lemma.ends_with('e') ? std::string_view(lemma).substr(0, lemma.size() - 1) : lemma;
      return lemma.size() >= least_size && noun.size() == stem.size() + 2 && noun.starts_with(stem);
    });
  }

  // Where the question names the role, other than by a value, as part of another name, or by what it is called in the
  // table: "manager id".
  void find_names() {
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
      if (is_listed(identifying_words, at(name.span.last)) || is_other_name(name) || is_predicate(name)) {
        names_.clear();
        return;
      }
      names_.push_back(name);
    }
  }

  // "No manager", "sales managers", "manager" where it is a value, or what another table or column is called.
  bool is_other_name(const RoleName& name) const {
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

  // "Employees who are managers": all rows that play the role, and no second row.
  bool is_predicate(const RoleName& name) const {
    constexpr std::string_view copulas[] = {"is", "are", "was", "were", "be", "been", "as", "not"};
    if (name.naming == Naming::verb || name.naming == Naming::verb_to) return false;
    auto before = name.span.first;
    while (before > 0 && is_listed(role_articles, at(before - 1))) --before;
    if (before == 0 || !is_listed(copulas, at(before - 1)) || is_given_as(name)) return false;
    const bool asks = before == 2 && (at(0) == "who" || at(0) == "what" || at(0) == "which");
    return !asks && at(name.span.last) != "of";
  }

  // "Have Ada as their manager".
  bool is_given_as(const RoleName& name) const {
    constexpr std::string_view possessives[] = {"their", "its", "his", "her", "a", "the"};
    const auto first = name.span.first;
    return first > 2 && at(first - 2) == "as" && is_listed(possessives, at(first - 1)) && is_literal(first - 3);
  }

  // Whether a value there belongs to the row that is referred to; nullopt if that is open.
  std::optional<bool> speaks_of_role(WordSpan value) const {
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

  // "The mother and the father of Mia": the value is that of all names before it.
  bool is_of(const RoleName& name, WordSpan value) const {
    auto before = value.first;
    while (before > name.span.last && at(before - 1) != "of" &&
           (is_literal(before - 1) || is_listed(role_articles, at(before - 1))))
      --before;
    return before > name.span.last && at(before - 1) == "of";
  }

  bool is_literal(std::size_t i) const {
    return std::any_of(view_.literals().begin(), view_.literals().end(),
                       [i](const Literal& literal) { return literal.span.first <= i && i < literal.span.last; });
  }

  bool same_clause(const RoleName& name, WordSpan value) const {
    constexpr std::string_view borders[] = {"and", "or", "but", ",", ";"};
    for (auto i = name.span.last; i < value.first; ++i)
      if (is_listed(borders, at(i))) return false;
    return true;
  }

  // Whether the question speaks of rows that refer to others without a value: "each employee and their manager".
  bool speaks_of_both() const {
    constexpr std::string_view relations[] = {"their", "his", "her", "its", "whose", "each", "every", "per"};
    const auto is_name = [this](WordSpan span) {
      return std::any_of(names_.begin(), names_.end(),
                         [span](const RoleName& name) { return name.span.overlaps(span); });
    };
    for (const auto& mention : view_.linking().tables[static_cast<std::size_t>(own_table())])
      if (mention.whole() && !is_name(mention.span)) return true;
    return std::any_of(words_.begin(), words_.end(),
                       [&](const Word& word) { return is_listed(relations, word.lower); });
  }

  // A noun names its rows; a verb those that are asked for, if the question has no other name for them.
  void add_names(AskedRoles& found) const {
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

  const QuestionView& view_;
  const Domain& domain_;
  const std::vector<Word>& words_;
  std::size_t edge_;
  TableId role_ = nothing;
  std::vector<std::string> role_words_{};
  std::vector<RoleName> names_{};
  bool role_is_given_ = false;  // by a value
  bool own_is_given_ = false;
};

// A table that another one refers to by several columns: which of them each value stands for.
class ParallelReferences {
 public:
  ParallelReferences(const QuestionView& view, std::vector<std::size_t> edges)
      : view_(view), domain_(view.domain()), words_(view.question().words), edges_(std::move(edges)) {
    for (const auto edge : edges_) role_words_.push_back(domain_.role_words(edge));
    const auto first = role_words_.front();
    for (const auto& word : first)
      if (std::all_of(role_words_.begin(), role_words_.end(),
                      [&word](const std::vector<std::string>& words) { return is_listed(words, word); }))
        for (auto& words : role_words_) std::erase(words, word);
  }

  void add_to(AskedRoles& roles) const {
    std::vector<std::optional<std::size_t>> value_edges;  // by literal; none: no value of the table
    std::vector<std::size_t> asked;
    for (const auto& literal : view_.literals()) {
      value_edges.emplace_back();
      if (literal.value == nullptr || !is_of_table(*literal.value)) continue;
      const auto edge = edge_of(literal.span);
      if (!edge) return;
      value_edges.back() = edge;
      asked.push_back(*edge);
    }
    for (std::size_t number = 0; number < edges_.size(); ++number)
      if (names_by_number(edges_[number]) && is_named(number)) asked.push_back(edges_[number]);
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    if (asked.size() < 2) return;
    const auto first_role = static_cast<TableId>(domain_.tables().size() + roles.edges.size());
    const auto role_of = [&](std::size_t edge) {
      return first_role + static_cast<TableId>(std::find(asked.begin(), asked.end(), edge) - asked.begin());
    };
    for (std::size_t i = 0; i < value_edges.size(); ++i)
      if (value_edges[i]) roles.literals.push_back({view_.literals()[i].span, role_of(*value_edges[i])});
    roles.edges.insert(roles.edges.end(), asked.begin(), asked.end());
  }

 private:
  TableId parent_table() const { return domain_.column(domain_.edges()[edges_.front()].parent).table; }

  bool is_of_table(const ValueMention& value) const {
    return !value.is_name && std::any_of(value.cells.begin(), value.cells.end(), [this](const ValueIndex::Cell& cell) {
      return domain_.column(cell.column).table == parent_table();
    });
  }

  // Whether the column holds numbers that mean nothing to people, who name the row instead.
  bool names_by_number(std::size_t edge) const {
    const auto& [child, parent, declared] = domain_.edges()[edge];
    return domain_.column(child).kind == DataKind::number && !domain_.is_display(parent);
  }

  // Whether the word is one of the role of edges_[number], and not of all of them.
  bool names_role(const Word& word, std::size_t number) const {
    return !word.quoted && std::any_of(role_words_[number].begin(), role_words_[number].end(), [&](const auto& part) {
      return is_listed(word.lemmas, part) || word.lower == part;
    });
  }

  // The only edge that the word chooses.
  std::optional<std::size_t> edge_at(std::size_t i) const {
    std::optional<std::size_t> chosen;
    for (std::size_t number = 0; number < edges_.size(); ++number) {
      if (!names_role(words_[i], number)) continue;
      if (chosen) return std::nullopt;
      chosen = edges_[number];
    }
    return chosen || says_origin(i) ? chosen : edge_of_direction(view_, edges_, i);
  }

  // "Is from Norway" says where something belongs, not where something begins.
  bool says_origin(std::size_t i) const {
    constexpr std::string_view verbs[] = {"is", "are", "was", "were", "be", "come", "comes", "came", "coming"};
    return i > 0 && words_[i].lower == "from" && is_listed(verbs, words_[i - 1].lower);
  }

  // What the words before a value say, or those behind it.
  std::optional<std::size_t> edge_of(WordSpan value) const {
    constexpr std::size_t reach = 5;
    const auto is_value = [this](std::size_t i) {
      return std::any_of(view_.literals().begin(), view_.literals().end(), [i](const Literal& literal) {
        return literal.value != nullptr && literal.span.first <= i && i < literal.span.last;
      });
    };
    for (auto i = value.first; i > 0 && value.first - i < reach && !is_value(i - 1); --i)
      if (const auto edge = edge_at(i - 1)) return edge;
    for (auto i = value.last; i < words_.size() && i - value.last < reach && !is_value(i); ++i) {
      if (words_[i].lower == "and" || words_[i].lower == ",") break;
      if (const auto edge = edge_at(i)) return edge;
    }
    return std::nullopt;
  }

  // Whether the question names the role by a word of its column that is part of no other name.
  bool is_named(std::size_t number) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (!names_role(words_[i], number) ||
          (i + 1 < words_.size() && is_listed(identifying_words, words_[i + 1].lower)))
        continue;
      bool other = false;
      for (ColumnId id = 0; id < static_cast<ColumnId>(domain_.columns().size()); ++id)
        for (const auto& mention : view_.linking().columns[static_cast<std::size_t>(id)])
          other |= mention.whole() && mention.span.first <= i && i < mention.span.last &&
                   id != domain_.edges()[edges_[number]].child;
      if (!other) return true;
    }
    return false;
  }

  const QuestionView& view_;
  const Domain& domain_;
  const std::vector<Word>& words_;
  std::vector<std::size_t> edges_;
  std::vector<std::vector<std::string>> role_words_{};  // for each of them, without the words that all have
};

// A question with more roles is one about a database whose columns nobody can tell apart by their names.
constexpr std::size_t max_roles = 8;

}  // namespace

std::optional<AskedRoles> asked_roles(const QuestionView& view) {
  const auto& domain = view.domain();
  AskedRoles roles;
  std::vector<SelfReference> selves;
  for (std::size_t edge = 0; edge < domain.edges().size(); ++edge) {
    const auto child = domain.column(domain.edges()[edge].child).table;
    const auto parent = domain.column(domain.edges()[edge].parent).table;
    if (child == parent) {
      selves.emplace_back(view, edge);
      continue;
    }
    const auto parallel = parallel_edges(domain, edge);
    if (parallel.size() > 1 && parallel.size() <= max_roles && parallel.front() == edge)
      ParallelReferences(view, parallel).add_to(roles);
  }
  for (auto& self : selves) {
    std::vector<RoleName> others;
    for (const auto& other : selves)
      if (&other != &self && other.own_table() == self.own_table())
        others.insert(others.end(), other.names().begin(), other.names().end());
    if (!self.add_to(roles, others) || roles.edges.size() > max_roles) return std::nullopt;
  }
  if (roles.edges.empty() || roles.edges.size() > max_roles) return std::nullopt;
  return roles;
}

void place_roles(const AskedRoles& roles, const Domain& domain, Linking& linking) {
  for (const auto& literal : roles.literals) {
    const auto& owner = domain.table(literal.table);
    const auto stored = domain.stored_table(literal.table);
    for (auto& value : linking.values) {
      if (!value.span.overlaps(literal.span)) continue;
      value.owner = literal.table;
      for (auto& cell : value.cells)
        if (domain.column(cell.column).table == stored)
          cell.column = owner.first_column + cell.column - domain.table(stored).first_column;
    }
    for (auto& number : linking.numbers)
      if (number.span.overlaps(literal.span)) number.owner = literal.table;
  }
  // The words that name a role do not name the column that refers to it. Where all that the question says of a table is
  // said of its roles, it does not name the table itself.
  for (const auto edge : roles.edges) {
    const auto child = domain.edges()[edge].child;
    const auto role = domain.column(domain.edges()[edge].parent).table;
    const auto stored = domain.stored_table(role);
    linking.columns[static_cast<std::size_t>(child)].clear();
    if (stored == domain.column(child).table) {
      const auto same = domain.table(role).first_column + child - domain.table(stored).first_column;
      linking.columns[static_cast<std::size_t>(same)].clear();
      continue;
    }
    linking.tables[static_cast<std::size_t>(stored)].clear();
    for (auto id = domain.table(stored).first_column; id < domain.table(stored).last_column; ++id)
      linking.columns[static_cast<std::size_t>(id)].clear();
  }
  for (const auto& name : roles.names) {
    for (auto& mentions : linking.tables)
      std::erase_if(mentions, [&name](const Mention& mention) { return mention.span.overlaps(name.span); });
    auto& mentions = linking.tables[static_cast<std::size_t>(name.table)];
    Mention mention{name.span, 1.0F, static_cast<int>(domain.table(name.table).words.size())};
    mention.complete = true;
    mentions.insert(mentions.begin(), mention);
  }
}

}  // namespace trustsql::semparse
