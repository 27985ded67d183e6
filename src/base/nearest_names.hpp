// NearestNames: the names with a spelling similar to one that does not exist, for messages.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trustsql {

class NearestNames {
 public:
  // `name`, which must outlive this object, is what was written.
  explicit NearestNames(std::string_view name);

  // `name` is compared, `shown` is returned. Equally similar names stay in the order in which they were added.
  void add(std::string_view name, std::string shown);

  // The most similar names, at most five, the best first. To be called once.
  std::vector<std::string> take();

 private:
  struct Candidate {
    std::size_t distance;
    std::string shown;
  };
  std::string_view name_;
  std::size_t limit_;
  std::vector<Candidate> candidates_;
  std::set<std::string> seen_;
};

}  // namespace trustsql
