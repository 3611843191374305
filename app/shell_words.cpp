// SPDX-License-Identifier: Apache-2.0
#include "app/shell_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "case/schema.hpp"

namespace swell {

namespace {

std::vector<std::string> values_of(const std::string& name) {
  if (name == "--device") return {"auto", "cpu", "opencl", "cuda"};
  if (name == "--precision") return {"double", "single"};
  if (name == "--restart") return {"latest"};
  if (name == "--format") return {"svg", "png", "both"};
  return {};
}

std::string replaced(std::string text, const std::vector<std::pair<char, std::string>>& changes) {
  std::string result;
  for (const char c : text) {
    std::string next(1, c);
    for (const auto& [from, to] : changes)
      if (c == from) next = to;
    result += next;
  }
  return result;
}

// Keys as `swell help` takes them; one that stands for any name cannot be completed.
std::vector<std::string> keys_of_cases() {
  std::vector<std::string> result;
  for (const SchemaKey& key : schema())
    if (key.path.find('*') == std::string_view::npos)
      result.push_back(replaced(std::string(key.path), {{'[', ""}, {']', ""}}));
  return result;
}

// Fills in the values of options and positionals that have few.
void offer_values(std::vector<CommandWords>& commands) {
  for (CommandWords& command : commands) {
    for (OptionWords& option : command.options) option.values = values_of(option.names[0]);
    for (OptionWords& positional : command.positionals) {
      if (command.name == "completion") positional.values = {"bash", "zsh", "fish"};
      if (command.name == "help") positional.values = keys_of_cases();
    }
  }
}

// Text as it stands inside single quotes of a shell.
std::string quoted(const std::string& text) { return replaced(text, {{'\'', "'\\''"}}); }

std::string all_names(const CommandWords& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  for (const auto& c : commands) names.push_back(c.name);
  std::string text = "# Completion of swell for bash, made by `swell completion bash`.\n_swell() {\n"
                     "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n  COMPREPLY=()\n"
                     "  if [ \"$COMP_CWORD\" = 1 ]; then\n";
  text += fmt::format("    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n    return\n  fi\n", fmt::join(names, " "));
  text += "  case $command:${COMP_WORDS[COMP_CWORD-1]} in\n";
  for (const auto& c : commands)
    for (const auto& option : c.options)
      if (!option.values.empty())
        text += fmt::format("    {}:{}) COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n      {}return ;;\n", c.name, option.names[0],
                            fmt::join(option.values, " "),
                            option.names[0] == "--restart" ? "COMPREPLY+=($(compgen -f -- \"$word\"))\n      " : "");
  text += "  esac\n  case $command:$word in\n";
  for (const auto& c : commands)
    text += fmt::format("    {}:-*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", c.name, all_names(c));
  for (const auto& c : commands)
    for (const auto& p : c.positionals)
      if (!p.values.empty()) text += fmt::format("    {}:*) COMPREPLY=($(compgen -W '{}' -- \"$word\")) ;;\n", c.name, fmt::join(p.values, " "));
  return text + "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F _swell swell\n";
}

std::string zsh(const std::vector<CommandWords>& commands) {
  // A colon ends a name, brackets end an explanation.
  const auto safe = [](const std::string& text) { return quoted(replaced(text, {{'[', "\\["}, {']', "\\]"}, {':', "\\:"}})); };
  std::string text = "#compdef swell\n# Completion of swell for zsh, made by `swell completion zsh`.\nlocal -a commands\ncommands=(\n";
  for (const auto& c : commands) text += fmt::format("  '{}:{}'\n", c.name, safe(c.about));
  text += ")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\ncase $words[2] in\n";
  for (const auto& c : commands) {
    text += fmt::format("  {})\n    _arguments \\\n", c.name);
    for (const auto& option : c.options)
      for (const auto& name : option.names) {
        std::string value;
        if (!option.value.empty())
          value = fmt::format(":{}:{}", safe(option.value), option.values.empty() ? "_files" : fmt::format("({})", fmt::join(option.values, " ")));
        text += fmt::format("      '{}{}[{}]{}' \\\n", name == "-D" ? "*" : "", name, safe(option.about), value);
      }
    const bool words = !c.positionals.empty() && !c.positionals[0].values.empty();
    text += words ? fmt::format("      '*:word:({})' ;;\n", fmt::join(c.positionals[0].values, " ")) : "      '*:file:_files' ;;\n";
  }
  return text + "esac\n";
}

std::string fish(const std::vector<CommandWords>& commands) {
  std::string text = "# Completion of swell for fish, made by `swell completion fish`.\n";
  for (const auto& c : commands)
    text += fmt::format("complete -c swell -f -n __fish_use_subcommand -a {} -d '{}'\n", c.name, quoted(c.about));
  for (const auto& c : commands) {
    const std::string when = fmt::format("complete -c swell -n '__fish_seen_subcommand_from {}'", c.name);
    for (const auto& option : c.options) {
      for (const auto& name : option.names) {
        const bool is_long = name.starts_with("--");
        text += fmt::format("{} -{} {}{} -d '{}'\n", when, is_long ? 'l' : 's', name.substr(is_long ? 2 : 1),
                            option.value.empty()    ? ""
                            : option.values.empty() ? " -r"
                                                    : fmt::format(" -x -a '{}'", fmt::join(option.values, " ")),
                            quoted(option.about));
      }
    }
    for (const auto& p : c.positionals)
      if (!p.values.empty()) text += fmt::format("{} -f -a '{}'\n", when, fmt::join(p.values, " "));
  }
  return text;
}

// A hyphen of a command is a minus to roff, and a dot or an apostrophe at the beginning of a line is a request.
std::string roff(const std::string& text) {
  std::string result = replaced(text, {{'\\', "\\e"}, {'-', "\\-"}});
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

}  // namespace

std::string completion(std::vector<CommandWords> commands, const std::string& shell) {
  offer_values(commands);
  if (shell == "bash") return bash(commands);
  if (shell == "zsh") return zsh(commands);
  if (shell == "fish") return fish(commands);
  throw InputError("There is no completion for '{}'; there is one for bash, zsh and fish.", shell);
}

std::string manual(const std::vector<CommandWords>& commands, const std::string& about) {
  std::string text = fmt::format(".TH SWELL 1 \"\" \"Swell {}\" \"User Commands\"\n.SH NAME\nswell \\- high-order finite elements on any processor\n", SWELL_VERSION);
  text += ".SH SYNOPSIS\n.B swell\n.I COMMAND\n[\n.I OPTIONS\n]\n.SH DESCRIPTION\n" + roff(about) + "\n.SH COMMANDS\n";
  for (const auto& c : commands) {
    text += fmt::format(".SS swell {}", c.name);
    for (const auto& p : c.positionals) text += fmt::format(" {}", roff(p.names[0]));
    text += fmt::format("\n{}.\n", roff(c.about));
    for (const auto& p : c.positionals) text += fmt::format(".TP\n.I {}\n{}.\n", roff(p.names[0]), roff(p.about));
    for (const auto& option : c.options)
      text += fmt::format(".TP\n.B {}{}\n{}.\n", roff(fmt::format("{}", fmt::join(option.names, ", "))),
                          option.value.empty() ? "" : " " + roff(option.value), roff(option.about));
  }
  text += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : {std::pair("0", "done"), std::pair("2", "the input is wrong"),
                                      std::pair("3", "the run failed: blow-up, device lost, disk full"),
                                      std::pair("130", "interrupted, after writing a checkpoint where one was asked for")})
    text += fmt::format(".TP\n.B {}\n{}.\n", code, meaning);
  text += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] :
       {std::pair("SWELL_CACHE", "folder for compiled kernels; by default ~/.cache/swell"),
        std::pair("SWELL_TUNING", "file with the kernel variants that swell tune found"),
        std::pair("SWELL_CXX", "the compiler of the processor's kernels; by default g++, c++ or clang++ of the PATH"),
        std::pair("SWELL_OPENCL", "the OpenCL loader"), std::pair("SWELL_CUDA", "the CUDA driver library")})
    text += fmt::format(".TP\n.B {}\n{}.\n", name, roff(meaning));
  return text;
}

}  // namespace swell
