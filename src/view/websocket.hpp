// SPDX-License-Identifier: Apache-2.0
// The WebSocket protocol (RFC 6455) as far as the live view speaks it: the handshake, whole text messages from the page,
// whole text and binary messages to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace swell {

// The value of Sec-WebSocket-Accept for a client's key (section 4.2.2).
std::string websocket_accept(std::string_view key);

enum class Opcode : std::uint8_t { continuation = 0, text = 1, binary = 2, close = 8, ping = 9, pong = 10 };

// Reasons to close (section 7.4.1).
enum class CloseCode : std::uint16_t {
  normal = 1000,
  going_away = 1001,
  protocol_error = 1002,
  not_accepted = 1003,
  wrong_text = 1007,
  policy = 1008,
  too_big = 1009
};

// The head of an unmasked frame, which a server puts before its bytes.
std::string websocket_head(Opcode opcode, std::size_t bytes);
std::string websocket_close(CloseCode code);

// Cuts a stream of bytes from a client into messages. Frames that the page never sends are refused: unmasked frames, reserved
// bits, fragments, binary messages, messages longer than the limit.
class WebSocketReader {
 public:
  explicit WebSocketReader(std::size_t longest) : longest_(longest) {}

  struct Message {
    Opcode opcode = Opcode::text;
    std::string bytes;
  };
  // Takes whole messages out of `stream`, and leaves an unfinished one there. Nothing more is read after a refusal.
  std::vector<Message> take(std::string& stream);
  const std::optional<CloseCode>& refusal() const { return refusal_; }

 private:
  // The length of the frame at the beginning of `stream`, with its head; 0 where more bytes are needed to tell.
  std::size_t measure(std::string_view stream);
  std::size_t refuse(CloseCode code) {
    refusal_ = code;
    return 0;
  }

  std::size_t longest_;
  std::optional<CloseCode> refusal_;
};

}  // namespace swell
