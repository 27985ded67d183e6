// SharedObjects: one object of each type, created when it is first requested.
//
// With it, upper layers keep objects for the lifetime of a statement or a connection, without the layer that owns the
// SharedObjects knowing their types.
#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace trustsql {

class SharedObjects {
 public:
  // The object of type T; the first call creates it from `arguments`.
  template <class T, class... Arguments>
  T& shared(Arguments&&... arguments) {
    std::shared_ptr<void>& slot = objects_[std::type_index(typeid(T))];
    if (!slot) slot = std::make_shared<T>(std::forward<Arguments>(arguments)...);
    return *static_cast<T*>(slot.get());
  }

 private:
  std::map<std::type_index, std::shared_ptr<void>> objects_;
};

}  // namespace trustsql
