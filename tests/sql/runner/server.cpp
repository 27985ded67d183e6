#include "server.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

extern char** environ;

namespace test_runner {

ServerProcess::ServerProcess(const std::string& script, const std::string& log) {
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0) throw std::runtime_error("no pipe can be made");
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    throw std::runtime_error("no pipe can be made");
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  std::string program = TRUSTSQL_SCRIPTED_SERVER;
  std::string arguments[] = {program, script, log};
  char* const argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), nullptr};
  const int code = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(input[0]);
  close(output[1]);
  input_ = input[1];
  if (code == 0) {
    char c = 0;
    while (read(output[0], &c, 1) == 1 && c != '\n') url_ += c;
  }
  close(output[0]);
  if (!url_.empty()) return;
  close(input_);
  if (code == 0) waitpid(process_, nullptr, 0);
  throw std::runtime_error("the scripted server does not start (" + program + ")");
}

ServerProcess::~ServerProcess() {
  close(input_);
  waitpid(process_, nullptr, 0);
}

}  // namespace test_runner
