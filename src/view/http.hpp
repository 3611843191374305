// SPDX-License-Identifier: Apache-2.0
// Requests of browsers, and the answers of the live view's server: decided from the text only, without a socket.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace swell {

struct Request {
  std::string method, path;
  std::map<std::string, std::string> headers;  // by their names in small letters

  const std::string& header(const std::string& name) const;  // "" where there is none
};

// A request's head, up to and with its empty line. Nothing where it is not HTTP/1.1, or a header comes twice.
std::optional<Request> parse_request(std::string_view head);

// The address and the token that a request must have.
struct Door {
  int port = 0;
  std::string token;

  std::string address() const;  // http://127.0.0.1:PORT/TOKEN/
};

struct Answer {
  std::string bytes;
  bool opens_socket = false;  // the bytes begin a WebSocket
};

// 403 for a wrong host, origin or token; a file of the page's bundle; the beginning of a WebSocket at /TOKEN/socket.
Answer answer_to(const Request& request, const Door& door);
Answer failure(int status, std::string_view sentence);

// 32 digits from the system's generator.
std::string random_token();

}  // namespace swell
