// SPDX-License-Identifier: Apache-2.0
#include "view/websocket.hpp"

#include "view/sha1.hpp"

namespace swell {

namespace {

constexpr std::size_t short_head = 2, mask_bytes = 4;
constexpr std::uint8_t last_fragment = 0x80, reserved = 0x70, masked = 0x80, opcode_bits = 0x0f, length_bits = 0x7f;
constexpr std::size_t two_byte_length = 126, eight_byte_length = 127, longest_control = 125;

std::uint8_t byte(std::string_view text, std::size_t i) { return static_cast<std::uint8_t>(text[i]); }

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? byte(bytes, i + k) : 0);
    for (std::size_t k = 0; k < 4; ++k) result += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return result;
}

// The length of a frame's own head and of its payload, as far as `stream` tells.
struct Lengths {
  std::size_t head = 0;  // 0: not enough bytes yet
  std::uint64_t payload = 0;
};

Lengths lengths_of(std::string_view stream) {
  if (stream.size() < short_head) return {};
  const std::size_t first = byte(stream, 1) & length_bits;
  const std::size_t more = first == eight_byte_length ? 8 : first == two_byte_length ? 2 : 0;
  if (stream.size() < short_head + more + mask_bytes) return {};
  std::uint64_t payload = more == 0 ? first : 0;
  for (std::size_t i = 0; i < more; ++i) payload = payload << 8 | byte(stream, short_head + i);
  return {short_head + more + mask_bytes, payload};
}

}  // namespace

std::string websocket_accept(std::string_view key) {
  return base64(sha1(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"));
}

std::string websocket_head(Opcode opcode, std::size_t bytes) {
  std::string head(1, static_cast<char>(last_fragment | static_cast<std::uint8_t>(opcode)));
  const std::size_t more = bytes < two_byte_length ? 0 : bytes <= 0xffff ? 2 : 8;
  head += static_cast<char>(more == 0 ? bytes : more == 2 ? two_byte_length : eight_byte_length);
  for (std::size_t i = more; i-- > 0;) head += static_cast<char>(bytes >> 8 * i & 0xff);
  return head;
}

std::string websocket_close(CloseCode code) {
  const auto number = static_cast<std::uint16_t>(code);
  return websocket_head(Opcode::close, 2) + static_cast<char>(number >> 8) + static_cast<char>(number & 0xff);
}

std::size_t WebSocketReader::measure(std::string_view stream) {
  if (stream.empty()) return 0;
  const std::uint8_t first = byte(stream, 0);
  const auto opcode = static_cast<Opcode>(first & opcode_bits);
  const bool control = opcode == Opcode::close || opcode == Opcode::ping || opcode == Opcode::pong;
  if ((first & reserved) != 0) return refuse(CloseCode::protocol_error);
  if ((first & last_fragment) == 0 || opcode == Opcode::continuation || opcode == Opcode::binary)
    return refuse(CloseCode::not_accepted);
  if (!control && opcode != Opcode::text) return refuse(CloseCode::protocol_error);
  if (stream.size() < short_head) return 0;
  if ((byte(stream, 1) & masked) == 0) return refuse(CloseCode::protocol_error);
  if (control && (byte(stream, 1) & length_bits) > longest_control) return refuse(CloseCode::protocol_error);
  const auto [head, payload] = lengths_of(stream);
  if (head == 0) return 0;
  if (payload > longest_) return refuse(CloseCode::too_big);
  return stream.size() < head + payload ? 0 : head + static_cast<std::size_t>(payload);
}

std::vector<WebSocketReader::Message> WebSocketReader::take(std::string& stream) {
  std::vector<Message> messages;
  std::size_t done = 0;
  while (!refusal_) {
    const std::string_view rest = std::string_view(stream).substr(done);
    const std::size_t length = measure(rest);
    if (length == 0) break;
    const std::size_t head = lengths_of(rest).head;
    const std::string_view mask = rest.substr(head - mask_bytes, mask_bytes);
    Message message{static_cast<Opcode>(byte(rest, 0) & opcode_bits), std::string(rest.substr(head, length - head))};
    for (std::size_t i = 0; i < message.bytes.size(); ++i) message.bytes[i] ^= mask[i % mask_bytes];
    messages.push_back(std::move(message));
    done += length;
  }
  stream.erase(0, done);
  return messages;
}

}  // namespace swell
