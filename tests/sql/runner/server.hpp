// The endpoint of a .test file: trustsql_scripted_server as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>

namespace test_runner {

class ServerProcess {
 public:
  // Starts the server with the script in the file `script`; the requests are written to the file `log`. Throws
  // std::runtime_error.
  ServerProcess(const std::string& script, const std::string& log);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  const std::string& url() const { return url_; }

 private:
  pid_t process_ = -1;
  int input_ = -1;  // it ends when this is closed
  std::string url_;
};

}  // namespace test_runner
