// SharedObjects: one object of each type, made when it is first asked for.
//
// By it the layers above keep something for as long as a statement or a connection lives, of which the layer that owns
// the SharedObjects knows nothing.
#pragma once

#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace trustsql {

class SharedObjects {
 public:
  // The object of type T; made from `arguments` by the first call.
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
