// Hunts for wrong proofs: families of random queries that look the same, all pairs given to the prover, every proof
// tried on hundreds of small databases.
//
//   trustsql_hunt FOLDER [--seconds N] [--batches N] [--seed N] [--workers N] [--variants N] [--databases N]
//                 [--stop-at-first]
//   trustsql_hunt FOLDER --family N
//
// The second form makes the one family of that number, as findings name it, in this process.
// It ends after that many seconds or batches of twenty families. The exit status is 1 if there are findings. Each
// distinct one becomes a file in FOLDER: schema, INSERTs, both queries, both results, the steps of the proof. Batches
// run in processes of their own, so that a crash or an endless loop costs one batch and becomes a finding.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <new>
#include <optional>

#include "base/value.hpp"
#include "unit/equiv/families/family.hpp"

namespace trustsql::families {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t families_of_batch = 20;
constexpr int longest_pair = 60;  // seconds of processor time, for making a family as well

// What a worker leaves behind, in memory shared with the main process.
struct Slot {
  FamilyCounts counts;
  std::uint64_t family = 0;
  char pair[16'384] = "";
};

struct Arguments {
  std::filesystem::path folder;
  int seconds = 60;
  std::uint64_t batches = 1'000'000'000;
  std::uint64_t seed = 1;
  int workers = 1;
  FamilyOptions family;
  bool stop_at_first = false;
  std::optional<std::uint64_t> only;  // this family alone
};

// Writes a finding unless there is one with its signature.
void write_finding(const std::filesystem::path& folder, const std::string& signature, const std::string& text) {
  const auto seen = folder / "seen";
  std::filesystem::create_directories(seen);
  const auto mark = seen / std::to_string(hash_bytes(signature, 1));
  const int marked = open(mark.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0644);
  if (marked < 0) return;
  close(marked);
  for (int number = 1; number < 100'000; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "%03d.txt", number);
    const int file = open((folder / name).c_str(), O_CREAT | O_EXCL | O_WRONLY, 0644);
    if (file < 0) continue;
    close(file);
    std::ofstream(folder / name) << text;
    return;
  }
}

// Ends this process by SIGVTALRM unless it is called again in time.
void expect_progress() {
  const itimerval time{{0, 0}, {longest_pair, 0}};
  setitimer(ITIMER_VIRTUAL, &time, nullptr);
}

void work_on_family(const Arguments& arguments, std::uint64_t family, Slot& slot) {
  slot.family = family;
  std::snprintf(slot.pair, sizeof slot.pair, "-- while the family was made\n");
  expect_progress();
  const auto before_pair = [&](const std::string& schema, const Setting& setting, const std::string& a,
                               const std::string& b) {
    expect_progress();
    std::snprintf(slot.pair, sizeof slot.pair, "-- %s\n%s%s;\n%s;\n", setting.text().c_str(), schema.c_str(), a.c_str(),
                  b.c_str());
  };
  FamilyCounts counts;
  const auto findings = check_family(family, arguments.family, counts, before_pair);
  slot.counts += counts;
  for (const auto& finding : findings) write_finding(arguments.folder, finding.signature, finding.text);
}

void work(const Arguments& arguments, std::uint64_t batch, Slot& slot) {
  for (std::uint64_t i = 0; i < families_of_batch; ++i) {
    work_on_family(arguments, mix64(arguments.seed) + batch * families_of_batch + i, slot);
  }
}

int work_on_one(const Arguments& arguments) {
  std::filesystem::create_directories(arguments.folder);
  Slot slot;
  work_on_family(arguments, *arguments.only, slot);
  std::puts(slot.counts.text().c_str());
  return slot.counts.findings + slot.counts.wrong_verdicts == 0 ? 0 : 1;
}

class Hunt {
 public:
  explicit Hunt(Arguments arguments) : arguments_(std::move(arguments)) {
    const auto size = sizeof(Slot) * static_cast<std::size_t>(arguments_.workers);
    slots_ = static_cast<Slot*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (slots_ == MAP_FAILED) throw std::bad_alloc();
    std::filesystem::create_directories(arguments_.folder);
  }

  int run() {
    const auto start = Clock::now();
    auto shown = start;
    for (int i = 0; i < arguments_.workers; ++i) begin(i);
    while (!workers_.empty()) {
      int status = 0;
      const auto finished = waitpid(-1, &status, WNOHANG);
      if (finished > 0) {
        const int slot = workers_.at(finished);
        workers_.erase(finished);
        if (WIFSIGNALED(status))
          report_crash(slots_[slot],
                       WTERMSIG(status) == SIGVTALRM ? "no end" : "signal " + std::to_string(WTERMSIG(status)));
        const bool over = Clock::now() - start > std::chrono::seconds(arguments_.seconds) ||
                          batches_ >= arguments_.batches || (arguments_.stop_at_first && found() > 0);
        if (!over) begin(slot);
        continue;
      }
      usleep(20'000);
      if (Clock::now() - shown > std::chrono::seconds(30)) {
        shown = Clock::now();
        show(start);
      }
    }
    show(start);
    return found() == 0 && crashes_ == 0 ? 0 : 1;
  }

 private:
  void begin(int slot) {
    const auto batch = batches_++;
    std::fflush(stdout);
    const auto child = fork();
    if (child < 0) throw std::bad_alloc();
    if (child == 0) {
      work(arguments_, batch, slots_[slot]);
      _exit(0);
    }
    workers_[child] = slot;
  }

  void report_crash(const Slot& slot, const std::string& how) {
    ++crashes_;
    write_finding(arguments_.folder, how + std::to_string(slot.family),
                  "-- crash: " + how + " (family " + std::to_string(slot.family) + ")\n" + slot.pair);
  }

  std::uint64_t found() const {
    std::uint64_t all = 0;
    for (int i = 0; i < arguments_.workers; ++i) {
      all += slots_[i].counts.findings + slots_[i].counts.wrong_verdicts;
    }
    return all;
  }

  void show(Clock::time_point start) const {
    FamilyCounts all;
    for (int i = 0; i < arguments_.workers; ++i) all += slots_[i].counts;
    const auto seconds = std::chrono::duration<double>(Clock::now() - start).count();
    std::printf("%.0f s: %s, %d crashes; %.0f pairs a second\n", seconds, all.text().c_str(), crashes_,
                static_cast<double>(all.pairs) / seconds);
    std::fflush(stdout);
  }

  Arguments arguments_;
  Slot* slots_ = nullptr;
  std::map<pid_t, int> workers_;  // their slots
  std::uint64_t batches_ = 0;
  int crashes_ = 0;
};

}  // namespace
}  // namespace trustsql::families

int main(int argc, char** argv) {
  using namespace trustsql::families;
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const auto number = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0ULL; };
    if (name == "--seconds") {
      arguments.seconds = static_cast<int>(number());
    } else if (name == "--batches") {
      arguments.batches = number();
    } else if (name == "--seed") {
      arguments.seed = number();
    } else if (name == "--workers") {
      arguments.workers = static_cast<int>(number());
    } else if (name == "--variants") {
      arguments.family.variants = static_cast<int>(number());
    } else if (name == "--databases") {
      arguments.family.databases = static_cast<int>(number());
    } else if (name == "--family") {
      arguments.only = number();
    } else if (name == "--stop-at-first") {
      arguments.stop_at_first = true;
    } else {
      arguments.folder = name;
    }
  }
  if (arguments.folder.empty() || arguments.workers < 1) {
    std::fprintf(stderr,
                 "usage: trustsql_hunt FOLDER [--seconds N] [--batches N] [--seed N] [--workers N] [--variants N] "
                 "[--databases N] [--stop-at-first]\n       trustsql_hunt FOLDER --family N\n");
    return 2;
  }
  if (arguments.only) return work_on_one(arguments);
  return Hunt(std::move(arguments)).run();
}
