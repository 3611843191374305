// SPDX-License-Identifier: Apache-2.0
#include "view/server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/error.hpp"

namespace swell {

namespace {

constexpr int milliseconds_between_ticks = 50, queue_of_connections = 64;
constexpr std::size_t read_at_once = 65536;
constexpr std::chrono::milliseconds farewell(500);  // for the last messages, when the server stops
constexpr std::string_view end_of_head = "\r\n\r\n";

}  // namespace

PageServer::Client::Client(int given, std::size_t longest)
    : socket(given), since(Clock::now()), last_progress(since), second(since), reader(longest) {}

PageServer::PageServer(int port, PageListener& listener, ServerLimits limits) : listener_(listener), limits_(limits) {
  listen_at(port);
  wake_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (wake_ < 0) {
    close(socket_);
    throw RunError("The view cannot be served: {}.", std::strerror(errno));
  }
}

PageServer::~PageServer() {
  for (const auto& [id, client] : clients_) close(client->socket);
  close(socket_);
  close(wake_);
}

void PageServer::listen_at(int port) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // never another machine's
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  const int yes = 1;
  setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  socklen_t size = sizeof place;
  auto* address = reinterpret_cast<sockaddr*>(&place);
  if (socket_ < 0 || bind(socket_, address, size) != 0 || listen(socket_, queue_of_connections) != 0 ||
      getsockname(socket_, address, &size) != 0) {
    const int why = errno;
    if (socket_ >= 0) close(socket_);
    throw InputError("The view cannot be served at port {}: {}; choose another port, or leave it out.", port,
                     std::strerror(why));
  }
  door_ = {ntohs(place.sin_port), random_token()};
}

void PageServer::wake() {
  const std::uint64_t one = 1;
  // A full counter wakes as well.
  [[maybe_unused]] const auto written = write(wake_, &one, sizeof one);
}

void PageServer::stop() {
  stopping_ = true;
  wake();
}

void PageServer::serve() {
  std::vector<pollfd> watched;
  std::vector<ClientId> order;
  std::optional<Clock::time_point> until;
  while (!until || (Clock::now() < *until && any_backlog())) {
    watched = {{socket_, POLLIN, 0}, {wake_, POLLIN, 0}};
    order.clear();
    for (const auto& [id, client] : clients_) {
      const bool waits = !client->out.empty();
      watched.push_back({client->socket, static_cast<short>(POLLIN | (waits ? POLLOUT : 0)), 0});
      order.push_back(id);
    }
    poll(watched.data(), watched.size(), milliseconds_between_ticks);
    if (watched[1].revents != 0) {
      std::uint64_t count = 0;
      [[maybe_unused]] const auto taken = read(wake_, &count, sizeof count);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      Client& client = *clients_.at(order[i]);
      const short events = watched[i + 2].revents;
      if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) receive(order[i], client);
      if (client.socket >= 0 && !client.out.empty()) transmit(client);
    }
    if (watched[0].revents != 0) accept_clients();
    listener_.tick();
    for (const auto& [id, client] : clients_)
      if (client->socket >= 0 && !client->out.empty()) transmit(*client);
    drop_late_clients();
    if (stopping_ && !until) {
      for (const auto& [id, client] : clients_)
        if (client->page) send_away(*client, CloseCode::going_away);
      until = Clock::now() + farewell;
    }
  }
}

void PageServer::accept_clients() {
  for (int accepted = 0; accepted < queue_of_connections; ++accepted) {
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    if (clients_.size() >= limits_.clients && !make_room()) {
      close(socket);
      continue;
    }
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    clients_.emplace(next_++, std::make_unique<Client>(socket, limits_.message_bytes));
  }
}

// The oldest client that has not shown the token yet goes, so that idle connections never keep a page out.
bool PageServer::make_room() {
  for (const auto& [id, client] : clients_)
    if (!client->page) {
      drop(id);
      return true;
    }
  return false;
}

void PageServer::receive(ClientId id, Client& client) {
  std::array<char, read_at_once> bytes;
  const auto count = recv(client.socket, bytes.data(), bytes.size(), 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    close(client.socket);
    client.socket = -1;  // dropped after the round
    return;
  }
  if (client.leaving) return;  // what it still says is thrown away
  client.in.append(bytes.data(), static_cast<std::size_t>(count));
  if (client.page)
    take_messages(id, client);
  else
    answer_head(id, client);
}

void PageServer::answer_head(ClientId id, Client& client) {
  const auto end = client.in.find(end_of_head);
  if (end == std::string::npos && client.in.size() <= limits_.head_bytes) return;
  Answer answer;
  if (end == std::string::npos || end > limits_.head_bytes) {
    answer = failure(431, "The request is longer than any that the page sends.");
  } else {
    const auto request = parse_request(std::string_view(client.in).substr(0, end + end_of_head.size()));
    answer = request ? answer_to(*request, door_) : failure(400, "This is no request of HTTP/1.1.");
  }
  client.out.push_back(std::move(answer.bytes));
  client.last_progress = Clock::now();
  if (!answer.opens_socket) {
    client.leaving = true;
    return;
  }
  client.in.erase(0, end + end_of_head.size());
  client.page = true;
  listener_.opened(id);
  take_messages(id, client);
}

void PageServer::take_messages(ClientId id, Client& client) {
  const auto now = Clock::now();
  if (now - client.second > std::chrono::seconds(1)) client.second = now, client.messages = 0;
  for (const auto& message : client.reader.take(client.in)) {
    if (++client.messages > limits_.messages_a_second) return send_away(client, CloseCode::policy);
    if (message.opcode == Opcode::close) return send_away(client, CloseCode::normal);
    if (message.opcode == Opcode::ping && client.out.size() < 2)
      client.out.push_back(websocket_head(Opcode::pong, message.bytes.size()) + message.bytes);
    if (message.opcode == Opcode::text && !listener_.said(id, message.bytes))
      return send_away(client, CloseCode::wrong_text);
  }
  if (const auto code = client.reader.refusal()) send_away(client, *code);
}

void PageServer::send_away(Client& client, CloseCode code) {
  if (client.leaving) return;
  client.out.push_back(websocket_close(code));
  client.leaving = true;
  client.last_progress = Clock::now();
}

void PageServer::send(ClientId id, Opcode opcode, std::string bytes) {
  const auto found = clients_.find(id);
  if (found == clients_.end() || found->second->leaving) return;
  Client& client = *found->second;
  if (client.out.empty()) client.last_progress = Clock::now();
  client.out.push_back(websocket_head(opcode, bytes.size()));
  client.out.push_back(std::move(bytes));
}

bool PageServer::has_backlog(ClientId id) const {
  const auto found = clients_.find(id);
  return found != clients_.end() && !found->second->out.empty();
}

bool PageServer::any_backlog() const {
  return std::any_of(clients_.begin(), clients_.end(), [](const auto& entry) { return !entry.second->out.empty(); });
}

void PageServer::transmit(Client& client) {
  while (!client.out.empty()) {
    const std::string& bytes = client.out.front();
    const auto count = ::send(client.socket, bytes.data() + client.sent, bytes.size() - client.sent, MSG_NOSIGNAL);
    if (count < 0) {
      if (errno == EAGAIN || errno == EINTR) return;
      close(client.socket);
      client.socket = -1;
      return;
    }
    client.last_progress = Clock::now();
    client.sent += static_cast<std::size_t>(count);
    if (client.sent < bytes.size()) continue;
    client.out.pop_front();
    client.sent = 0;
  }
}

void PageServer::drop_late_clients() {
  const auto now = Clock::now();
  std::vector<ClientId> late;
  for (const auto& [id, client] : clients_) {
    const bool silent = !client->page && !client->leaving && now - client->since > limits_.head;
    const bool stuck = !client->out.empty() && now - client->last_progress > limits_.drain;
    if (client->leaving && client->out.empty() && !client->closing) {
      // A socket that is closed with bytes unread takes the answer with it: the client gets a moment to read and to leave.
      if (client->socket >= 0) shutdown(client->socket, SHUT_WR);
      client->closing = now;
    }
    const bool gone = client->closing && now - *client->closing > farewell;
    if (client->socket < 0 || silent || stuck || gone) late.push_back(id);
  }
  for (const ClientId id : late) drop(id);
}

void PageServer::drop(ClientId id) {
  const auto found = clients_.find(id);
  if (found->second->socket >= 0) {
    shutdown(found->second->socket, SHUT_RDWR);
    close(found->second->socket);
  }
  const bool page = found->second->page;
  clients_.erase(found);
  if (page) listener_.closed(id);
}

}  // namespace swell
