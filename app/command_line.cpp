// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"

namespace swell {

struct CommandLine::Parser {
  explicit Parser(const std::string& about) : app(about) {}
  CLI::App app;
};

namespace {

// Lets CLI11 fill the option's target.
CLI::Option* added(CLI::App& app, const Option& option) {
  if (!option.value_of_flag.empty())
    return app.add_flag(option.name + "{" + option.value_of_flag + "}", *std::get<std::string*>(option.target), option.about);
  if (bool* const* flag = std::get_if<bool*>(&option.target)) return app.add_flag(option.name, **flag, option.about);
  return std::visit([&](auto* target) { return app.add_option(option.name, *target, option.about); }, option.target);
}

void add(CLI::App& app, const Option& option) {
  CLI::Option& one = *added(app, option);
  one.required(option.is_required);
  if (!option.value_name.empty()) one.type_name(option.value_name);
  if (option.commas) one.delimiter(',');
  if (option.fewest != 0 || option.most != 0) one.expected(option.fewest, option.most);
  if (option.takes_one) one.allow_extra_args(false);
  if (const auto* range = std::get_if<Option::Range<int>>(&option.limits)) one.check(CLI::Range(range->low, range->high));
  if (const auto* range = std::get_if<Option::Range<double>>(&option.limits)) one.check(CLI::Range(range->low, range->high));
  if (!option.choices.empty()) one.check(CLI::IsMember(option.choices));
  if (!option.needed.empty()) one.needs(app.get_option(option.needed));
  if (!option.excluded.empty()) one.excludes(app.get_option(option.excluded));
}

Given given_of(const CLI::App& app) {
  Given given;
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) given.insert(option->get_name());
  return given;
}

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& e, int count, char** words) {
  const auto used = app.get_subcommands();
  if (used.empty() && count > 1 && words[1][0] != '-') {
    std::vector<std::string> known;
    for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
    return fmt::format("There is no command '{}'{}.", shown(words[1]), name_hint(words[1], known));
  }
  return fmt::format("{}; `swell {}--help` shows what can be said.", shown(e.what(), 300),
                     used.empty() ? "" : used[0]->get_name() + " ");
}

// The words behind the program's name, the last one first, as CLI11 takes them. A number behind --view belongs to it, which a
// flag with a value of its own would not see.
std::vector<std::string> last_word_first(int count, char** words) {
  std::vector<std::string> all;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    const bool port = !all.empty() && all.back() == "--view" && !word.empty() && word.find_first_not_of("0123456789") == word.npos;
    if (port)
      all.back() += "=" + word;
    else
      all.push_back(word);
  }
  std::reverse(all.begin(), all.end());
  return all;
}

OptionWords in_words_of(const CLI::Option& option) {
  OptionWords words;
  words.about = option.get_description();
  if (option.get_type_size() != 0) words.value = option.get_type_name();
  if (option.get_positional()) {
    words.names = {option.get_name()};
    return words;
  }
  for (const auto& name : option.get_lnames()) words.names.push_back("--" + name);
  for (const auto& name : option.get_snames()) words.names.push_back("-" + name);
  return words;
}

}  // namespace

CommandLine::CommandLine(std::string about, const std::string& version)
    : about_(std::move(about)), parser_(std::make_unique<Parser>(about_)) {
  parser_->app.require_subcommand(1);
  parser_->app.set_version_flag("--version", version);
}

CommandLine::~CommandLine() = default;

void CommandLine::add(Command command) {
  CLI::App* const app = parser_->app.add_subcommand(command.name, command.about);
  for (const Option& option : command.options) swell::add(*app, option);
  app->callback([this, app, run = std::move(command.run)] { code_ = run(given_of(*app)); });
}

int CommandLine::run(int count, char** words) {
  CLI::App& app = parser_->app;
  try {
    app.parse(last_word_first(count, words));
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    throw InputError("{}", usage_sentence(app, e, count, words));
  }
  return code_;
}

std::string CommandLine::help_of(const std::string& command) const {
  const auto named = parser_->app.get_subcommands([&](const CLI::App* one) { return one->get_name() == command; });
  return named.empty() ? "" : named[0]->help("swell");
}

std::vector<CommandWords> CommandLine::in_words() const {
  std::vector<CommandWords> result;
  for (const CLI::App* command : parser_->app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandWords words{command->get_name(), command->get_description(), {}, {}};
    for (const CLI::Option* option : command->get_options([](const CLI::Option*) { return true; }))
      (option->get_positional() ? words.positionals : words.options).push_back(in_words_of(*option));
    result.push_back(words);
  }
  return result;
}

}  // namespace swell
