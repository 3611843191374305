// SPDX-License-Identifier: Apache-2.0
// Damaged files: whatever the bytes are, the answer is a mesh or one sentence.
#include <algorithm>

#include "gmsh_text.hpp"
#include "helpers.hpp"

namespace swell::test {
namespace {

// True for a mesh, false for a sentence; anything else fails the test.
bool survives(const std::string& bytes) {
  try {
    const Mesh mesh = read_bytes(bytes);
    check_geometry(mesh);
    EXPECT_EQ(mesh.neighbours.size(), static_cast<std::size_t>(mesh.cell_count() * face_count(mesh.shape())));
    return true;
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.size() > 20 && text.back() == '.' && text.find("test.msh") != std::string::npos) << text;
    EXPECT_EQ(std::count_if(text.begin(), text.end(), [](unsigned char c) { return c < 32; }), 0) << text;
    return false;
  }
}

std::vector<std::string> sample_files() {
  std::vector<std::string> files{square_2, square_4};
  const Mesh disc = make_disc({{0, 0}, 1, 1, 2, Shape::triangle});
  BoxOptions box{{0, 0, 0}, {1, 1, 1}, {2, 1, 1}, Shape::hexahedron, {true, false, false}};
  const Mesh bricks = make_box(box);
  for (const GmshFormat& format : all_formats) {
    files.push_back(gmsh_bytes(disc, format));
    files.push_back(gmsh_bytes(bricks, format));
  }
  return files;
}

TEST(DamagedGmsh, TruncatedAtAnyByteIsAnsweredWithASentence) {
  for (const std::string& file : sample_files()) {
    ASSERT_TRUE(survives(file));
    // Without its last section or its last white space a file may still be whole.
    std::size_t whole = file.find("$EndElements") + std::string("$EndElements").size();
    for (std::size_t length = 0; length < file.size(); ++length)
      EXPECT_TRUE(!survives(file.substr(0, length)) || length >= whole) << "of " << length << " bytes";
  }
}

TEST(DamagedGmsh, WithFlippedBytesNeverCrashes) {
  std::mt19937 random(20);
  const auto files = sample_files();
  int sentences = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string file = files[random() % files.size()];
    for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
      file[random() % file.size()] = static_cast<char>(random());
    sentences += !survives(file);
  }
  EXPECT_GT(sentences, 1000);
}

TEST(DamagedGmsh, WithNumbersReplacedByAbsurdOnesNeverCrashes) {
  std::mt19937 random(21);
  const char* absurd[] = {
      "-1", "0", "1099511627776", "9223372036854775807", "-9223372036854775808", "1e308", "nan", "2147483647", "99"};
  for (const std::string& file : {square_2, square_4})
    for (std::size_t at = 0; at < file.size(); ++at) {
      if (!std::isdigit(static_cast<unsigned char>(file[at])) || std::isdigit(static_cast<unsigned char>(file[at + 1])))
        continue;
      for (const char* number : absurd) survives(file.substr(0, at) + number + file.substr(at + 1));
    }
  const auto files = sample_files();
  const std::string large[] = {std::string(8, '\xff'), std::string("\0\0\0\0\0\1\0\0", 8),
                               std::string("\xff\xff\xff\x7f\0\0\0\0", 8)};
  for (int i = 0; i < 6000; ++i) {
    std::string file = files[random() % files.size()];
    const std::string& number = large[random() % 3];
    file.replace(random() % (file.size() - 8), 8, number);
    survives(file);
  }
}

TEST(DamagedGmsh, BinaryErrorsNameTheByte) {
  const std::string file = gmsh_bytes(make_disc({{0, 0}, 1, 1, 1, Shape::triangle}), {4, true, false, 8});
  EXPECT_SENTENCE(read_bytes(file.substr(0, file.find("$Nodes") + 20)), "test.msh, byte ");
  std::string no_one = file;
  no_one[no_one.find("4.1 1 8\n") + 9] = 7;
  EXPECT_SENTENCE(read_bytes(no_one), "must hold the number one");
}

}  // namespace
}  // namespace swell::test
