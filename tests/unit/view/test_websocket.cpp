// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "view/sha1.hpp"
#include "view/websocket.hpp"

namespace swell {
namespace {

std::string digits(const std::string& bytes) {
  std::string result;
  for (const char c : bytes) {
    constexpr const char* hex = "0123456789abcdef";
    result += hex[static_cast<unsigned char>(c) >> 4];
    result += hex[c & 15];
  }
  return result;
}

// Examples of FIPS 180-1, appendices A to C.
TEST(Sha1, GivesTheStandardsOwnExamples) {
  EXPECT_EQ(digits(sha1("abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(digits(sha1("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(digits(sha1(std::string(1000000, 'a'))), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST(WebSocket, AcceptsTheKeyOfTheStandardsExample) {  // RFC 6455, section 1.3
  EXPECT_EQ(websocket_accept("dGhlIHNhbXBsZSBub25jZQ=="), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

TEST(WebSocket, HeadsSayTheLengthInOneThreeOrNineBytes) {
  EXPECT_EQ(digits(websocket_head(Opcode::text, 125)), "817d");
  EXPECT_EQ(digits(websocket_head(Opcode::binary, 126)), "827e007e");
  EXPECT_EQ(digits(websocket_head(Opcode::binary, 65536)), "827f0000000000010000");
}

// "Hello" masked, as in RFC 6455, section 5.7.
const std::string hello = "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58";

TEST(WebSocketReader, TakesMessagesHoweverTheStreamIsCut) {
  for (std::size_t part = 1; part <= hello.size(); ++part) {
    WebSocketReader reader(100);
    std::string stream;
    std::vector<std::string> taken;
    const std::string two = hello + hello;
    for (std::size_t at = 0; at < two.size(); at += part) {
      stream += two.substr(at, part);
      for (const auto& message : reader.take(stream)) taken.push_back(message.bytes);
    }
    EXPECT_EQ(taken, (std::vector<std::string>{"Hello", "Hello"})) << part;
    EXPECT_FALSE(reader.refusal());
    EXPECT_TRUE(stream.empty());
  }
}

TEST(WebSocketReader, RefusesTooLongAMessageBeforeItsBytesCome) {
  WebSocketReader reader(4);
  std::string stream = hello.substr(0, 6);
  EXPECT_TRUE(reader.take(stream).empty());
  EXPECT_EQ(reader.refusal(), CloseCode::too_big);
}

}  // namespace
}  // namespace swell
