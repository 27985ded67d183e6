// The network that this library carries: the bytes of weights/network.safetensors, which the assembler puts into the
// read-only data. docs/results.md says how it was trained, and with which command.

#include <string_view>

#include "gmn/graph_comparer.hpp"
#include "gmn/weights_file.hpp"

asm(".section .rodata\n"
    ".balign 8\n"
    ".hidden trustsql_gmn_network\n"
    ".hidden trustsql_gmn_network_end\n"
    ".globl trustsql_gmn_network\n"
    ".globl trustsql_gmn_network_end\n"
    "trustsql_gmn_network:\n"
    ".incbin \"" TRUSTSQL_GMN_NETWORK
    "\"\n"
    "trustsql_gmn_network_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" {
extern const char trustsql_gmn_network[] __attribute__((visibility("hidden")));
extern const char trustsql_gmn_network_end[] __attribute__((visibility("hidden")));
}

namespace trustsql::gmn {

std::shared_ptr<const TrainedNetwork> shipped_network() {
  static const std::shared_ptr<const TrainedNetwork> network = [] {
    const auto size = static_cast<std::size_t>(trustsql_gmn_network_end - trustsql_gmn_network);
    auto read = read_weights({trustsql_gmn_network, size});
    return read.ok() ? std::make_shared<const TrainedNetwork>(std::move(read).value()) : nullptr;
  }();
  return network;
}

}  // namespace trustsql::gmn
