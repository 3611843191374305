// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "base/error.hpp"
#include "io/files.hpp"
#include "scratch.hpp"

namespace swell {
namespace {

// Files may not grow beyond `bytes` while this lives: a disk that is full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    rlimit limit = old_limit_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_limit_{};
  void (*old_handler_)(int);
};

// Root may write anywhere; tests of permissions act as nobody.
class Nobody {
 public:
  Nobody() { changed_ = geteuid() == 0 && seteuid(65534) == 0; }
  ~Nobody() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool changed_ = false;
};

TEST(AtomicWrite, ReplacesAFileAndLeavesNothingElse) {
  Scratch scratch;
  atomic_write(scratch / "a.txt", "old");
  atomic_write(scratch / "a.txt", "new");
  EXPECT_EQ(text_of(scratch / "a.txt"), "new");
  EXPECT_EQ(scratch.count(), 1u);
}

TEST(AtomicWrite, KeepsTheOldFileWhenTheWriterThrows) {
  Scratch scratch;
  atomic_write(scratch / "a.txt", "old");
  EXPECT_THROW(atomic_write(scratch / "a.txt",
                            [](OutputFile& file) {
                              file.write("half of the n");
                              throw RunError("The run failed.");
                            }),
               RunError);
  EXPECT_EQ(text_of(scratch / "a.txt"), "old");
  EXPECT_EQ(scratch.count(), 1u);
}

TEST(AtomicWrite, KeepsTheOldFileWhenTheDiskIsFull) {
  Scratch scratch;
  atomic_write(scratch / "a.txt", "old");
  const std::string big(100000, 'x');
  std::string message;
  {
    SmallDisk disk(4096);
    message = message_of<RunError>([&] { atomic_write(scratch / "a.txt", big); });
  }
  EXPECT_NE(message.find("a.txt'"), std::string::npos) << message;
  EXPECT_EQ(message.find(".part"), std::string::npos) << message;
  EXPECT_EQ(text_of(scratch / "a.txt"), "old");
  EXPECT_EQ(scratch.count(), 1u);
}

TEST(AtomicWrite, NamesTheFileWhoseFolderIsMissing) {
  Scratch scratch;
  const std::string message = message_of<RunError>([&] { atomic_write(scratch / "none/a.txt", "text"); });
  EXPECT_NE(message.find("none/a.txt"), std::string::npos) << message;
  EXPECT_NE(message.find("folder does not exist"), std::string::npos) << message;
}

TEST(OutputFile, SaysThatTheDiskIsFull) {
  const std::string message = message_of<RunError>([] {
    OutputFile file("/dev/full");
    file.write("text");
    file.flush();
  });
  EXPECT_NE(message.find("'/dev/full'"), std::string::npos) << message;
  EXPECT_NE(message.find("disk is full"), std::string::npos) << message;
}

TEST(OutputFile, SaysSoAtCloseToo) {
  OutputFile file("/dev/full");
  file.write("text");
  EXPECT_THROW(file.close(), RunError);
}

TEST(OutputFile, PatchesAnEarlierPlaceAndGoesOnAtTheEnd) {
  Scratch scratch;
  OutputFile file(scratch / "a");
  file.write("abcdef");
  file.write_at(2, "XY", 2);
  file.write("g");
  EXPECT_EQ(file.position(), 7u);
  file.close();
  EXPECT_EQ(text_of(scratch / "a"), "abXYefg");
}

TEST(Folder, IsCreatedWithItsParentsAndMayExist) {
  Scratch scratch;
  create_folder(scratch / "a/b/c");
  create_folder(scratch / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(scratch / "a/b/c"));
}

TEST(Folder, NamesTheFileThatIsInTheWay) {
  Scratch scratch;
  atomic_write(scratch / "a", "a file");
  for (const char* folder : {"a", "a/b", "a/b/c"}) {
    const std::string message = message_of<RunError>([&] { create_folder(scratch / folder); });
    EXPECT_NE(message.find("the file '" + (scratch / "a").string() + "' is in the way"), std::string::npos) << message;
  }
}

TEST(Folder, SaysThatThereIsNoPermission) {
  Scratch scratch;
  std::filesystem::permissions(scratch.folder, std::filesystem::perms::owner_read);
  std::string existing, fresh;
  {
    Nobody nobody;
    existing = message_of<RunError>([&] { create_folder(scratch.folder); });
    fresh = message_of<RunError>([&] { create_folder(scratch / "new"); });
  }
  std::filesystem::permissions(scratch.folder, std::filesystem::perms::owner_all);
  EXPECT_NE(existing.find("no permission"), std::string::npos) << existing;
  EXPECT_NE(fresh.find("no permission"), std::string::npos) << fresh;
}

}  // namespace
}  // namespace swell
