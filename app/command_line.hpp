// SPDX-License-Identifier: Apache-2.0
// The command line described plainly: commands, their options and the variables that these fill. Only command_line.cpp knows
// the library that parses words, for its header takes longer to compile than any command.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "app/shell_words.hpp"

namespace swell {

struct Option {
  template <class Number>
  struct Range {
    Number low, high;
  };
  using Target = std::variant<bool*, int*, double*, std::string*, std::optional<double>*, std::vector<int>*, std::vector<double>*,
                              std::vector<std::string>*>;

  std::string name;  // "--order", "-D"; without dashes the option is positional
  Target target;     // bool: a flag
  std::string about;
  std::string value_name;                                          // in the help, in place of TEXT, INT or FLOAT
  std::string value_of_flag;                                       // a string is a flag that takes this value, or another one behind "="
  bool is_required = false;
  bool commas = false;                                             // values are separated by commas
  bool takes_one = false;                                          // more words go to the positionals
  std::variant<std::monostate, Range<int>, Range<double>> limits;  // of the value
  std::vector<std::string> choices;                                // all the values that there are, where they are few
  int fewest = 0, most = 0;                                        // words that it takes; most -1: any number, both 0: as the target has
  std::string needed, excluded;                                    // another option

  Option& required(bool yes = true) { return is_required = yes, *this; }
  Option& value(std::string word) { return value_name = std::move(word), *this; }
  Option& flag(std::string value) { return value_of_flag = std::move(value), *this; }
  Option& list() { return commas = true, *this; }
  Option& single_word() { return takes_one = true, *this; }
  Option& within(int low, int high) { return limits = Range<int>{low, high}, *this; }
  Option& within(double low, double high) { return limits = Range<double>{low, high}, *this; }
  Option& among(std::vector<std::string> all) { return choices = std::move(all), *this; }
  Option& words(int least, int greatest) { return fewest = least, most = greatest, *this; }
  Option& needs(std::string other) { return needed = std::move(other), *this; }
  Option& excludes(std::string other) { return excluded = std::move(other), *this; }
};

// Names of the options that stand on the command line.
using Given = std::set<std::string>;

struct Command {
  std::string name, about;
  std::vector<Option> options = {};
  std::function<int(const Given&)> run = {};  // returns the exit code; keeps alive what the options fill

  template <class T>
  Option& option(std::string option_name, T& target, std::string help) {
    Option& added = options.emplace_back();
    added.name = std::move(option_name), added.target = &target, added.about = std::move(help);
    return added;
  }
};

class CommandLine {
 public:
  CommandLine(std::string about, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  void add(Command command);
  // Parses the words, the program's name being the first, and runs the command; returns the exit code. Words that make no sense
  // are an InputError.
  int run(int count, char** words);

  const std::string& about() const { return about_; }
  // The text of --help; empty where there is no such command.
  std::string help_of(const std::string& command) const;
  std::vector<CommandWords> in_words() const;

 private:
  struct Parser;
  std::string about_;
  std::unique_ptr<Parser> parser_;
  int code_ = 0;
};

}  // namespace swell
