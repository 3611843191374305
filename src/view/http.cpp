// SPDX-License-Identifier: Apache-2.0
#include "view/http.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "base/error.hpp"
#include "view/bundle.hpp"
#include "view/websocket.hpp"

namespace swell {

namespace {

std::string small(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view reason(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 431: return "Request Header Fields Too Large";
    default: return "Service Unavailable";
  }
}

std::string_view type_of(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "text/plain; charset=utf-8";
}

// The page may load its own files and speak to its own server, and nothing else; no other page may frame it.
std::string response(int status, std::string_view type, std::string_view body, bool with_body = true) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n"
      "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: "
      "same-origin\r\n\r\n{}",
      status, reason(status), type, body.size(), with_body ? body : "");
}

// Compares in a time that does not reveal how much of the text is right.
bool same(std::string_view given, std::string_view right) {
  if (given.size() != right.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < right.size(); ++i) difference |= static_cast<unsigned char>(given[i] ^ right[i]);
  return difference == 0;
}

std::array<std::string, 2> hosts(const Door& door) {
  return {fmt::format("127.0.0.1:{}", door.port), fmt::format("localhost:{}", door.port)};
}

// Another site's page reaches a loopback address too, by a name of its own that points here or from a script: its Host or
// Origin gives it away.
bool from_here(const Request& request, const Door& door) {
  const std::string& host = request.header("host");
  const std::string& origin = request.header("origin");
  for (const std::string& known : hosts(door))
    if (small(host) == known) return origin.empty() || small(origin) == "http://" + known;
  return false;
}

Answer open_socket(const Request& request) {
  const std::string& key = request.header("sec-websocket-key");
  if (request.header("origin").empty()) return failure(403, "A WebSocket must say which page opens it.");
  if (small(request.header("upgrade")) != "websocket" || request.header("sec-websocket-version") != "13" ||
      small(request.header("connection")).find("upgrade") == std::string::npos || key.size() != 24)
    return failure(400, "This address is for WebSockets of version 13.");
  return {fmt::format("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                      "Sec-WebSocket-Accept: {}\r\n\r\n",
                      websocket_accept(key)),
          true};
}

}  // namespace

const std::string& Request::header(const std::string& name) const {
  static const std::string none;
  const auto found = headers.find(name);
  return found == headers.end() ? none : found->second;
}

std::optional<Request> parse_request(std::string_view head) {
  const auto line = [&head]() -> std::optional<std::string_view> {
    const auto end = head.find("\r\n");
    if (end == std::string_view::npos) return std::nullopt;
    const auto text = head.substr(0, end);
    head.remove_prefix(end + 2);
    return text;
  };
  const auto first = line();
  if (!first) return std::nullopt;
  const auto one = first->find(' '), two = first->rfind(' ');
  if (one == std::string_view::npos || two == one || first->substr(two + 1) != "HTTP/1.1") return std::nullopt;
  Request request{std::string(first->substr(0, one)), std::string(first->substr(one + 1, two - one - 1)), {}};
  const auto plain = [](char c) { return c > ' ' && c < 127; };
  if (request.path.empty() || request.path[0] != '/' || !std::all_of(request.path.begin(), request.path.end(), plain))
    return std::nullopt;
  for (auto next = line(); next && !next->empty(); next = line()) {
    const auto colon = next->find(':');
    if (colon == std::string_view::npos || colon == 0 || !std::all_of(next->begin(), next->begin() + colon, plain))
      return std::nullopt;
    if (!request.headers.emplace(small(next->substr(0, colon)), trimmed(next->substr(colon + 1))).second)
      return std::nullopt;
  }
  return request;
}

std::string Door::address() const { return fmt::format("http://{}/{}/", hosts(*this)[0], token); }

Answer failure(int status, std::string_view sentence) {
  return {response(status, "text/plain; charset=utf-8", fmt::format("{}\n", sentence)), false};
}

Answer answer_to(const Request& request, const Door& door) {
  if (!from_here(request, door)) return failure(403, "This address answers its own page alone.");
  const auto slash = request.path.find('/', 1);
  if (!same(std::string_view(request.path).substr(1, slash == std::string::npos ? slash : slash - 1), door.token))
    return failure(403, "The address has a wrong token; use the one that swell printed.");
  if (request.method != "GET" && request.method != "HEAD") return failure(405, "Only GET is answered here.");
  // Without its last slash the page could not find its files beside itself.
  if (slash == std::string::npos) return failure(404, "The address ends with a slash.");
  std::string name = request.path.substr(slash + 1);
  if (name == "socket") return open_socket(request);
  if (name.empty()) name = "index.html";
  const std::string_view file = view_bundle(name);
  if (file.empty()) return failure(404, "The page has no such file.");
  return {response(200, type_of(name), file, request.method == "GET"), false};
}

std::string random_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw RunError("The system gives no random numbers for the view's token.");
  std::string token;
  for (const auto byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace swell
