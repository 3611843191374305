// SPDX-License-Identifier: Apache-2.0
// A small server on the loopback address for the page of the live view: one thread, no request that waits, and a bound on
// everything that a client can make it keep.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "view/http.hpp"
#include "view/websocket.hpp"

namespace swell {

using ClientId = std::int64_t;

// Receives the messages of browser clients, and a tick in which to answer: all on the server's thread.
class PageListener {
 public:
  virtual ~PageListener() = default;
  virtual void opened(ClientId client) = 0;
  // False where the text is not understood; the client is then disconnected.
  virtual bool said(ClientId client, std::string_view text) = 0;
  virtual void closed(ClientId client) = 0;
  // Called at intervals, and after wake().
  virtual void tick() = 0;
};

struct ServerLimits {
  std::size_t clients = 32;
  std::size_t head_bytes = 8192, message_bytes = 16384;
  int messages_a_second = 300;
  std::chrono::milliseconds head{5000};    // for a whole request to come
  std::chrono::milliseconds drain{20000};  // for a client to take at least something of what waits for it
};

class PageServer {
 public:
  // Port 0: any that is free. Throws InputError where the port is taken.
  PageServer(int port, PageListener& listener, ServerLimits limits = {});
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const { return door_.address(); }

  // Serves until stop(); the server's thread.
  void serve();
  // From any thread: serve() returns, once what waits for clients is on its way or a moment has passed.
  void stop();
  // From any thread: tick() soon.
  void wake();

  // On the server's thread: a message for a client, behind those that wait.
  void send(ClientId client, Opcode opcode, std::string bytes);
  bool has_backlog(ClientId client) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    int socket = -1;
    bool page = false;                         // it has opened a WebSocket
    bool leaving = false;                      // it is closed once what waits is sent
    std::optional<Clock::time_point> closing;  // since then, its end is up to the client
    std::string in;
    std::deque<std::string> out;
    std::size_t sent = 0;  // of the first of `out`
    Clock::time_point since, last_progress, second;
    int messages = 0;  // in this second
    WebSocketReader reader;
    explicit Client(int socket, std::size_t longest);
  };

  void listen_at(int port);
  void accept_clients();
  bool make_room();
  void receive(ClientId id, Client& client);
  void answer_head(ClientId id, Client& client);
  void take_messages(ClientId id, Client& client);
  void transmit(Client& client);
  void send_away(Client& client, CloseCode code);
  void drop_late_clients();
  void drop(ClientId id);
  bool any_backlog() const;

  PageListener& listener_;
  ServerLimits limits_;
  Door door_;
  int socket_ = -1, wake_ = -1;
  std::map<ClientId, std::unique_ptr<Client>> clients_;
  ClientId next_ = 1;
  std::atomic<bool> stopping_{false};
};

}  // namespace swell
