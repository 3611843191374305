// SPDX-License-Identifier: Apache-2.0
#include "app/commands.hpp"

namespace swell {

void add_commands(CLI::App& app, int& code) {
  add_run(app, code);
  add_plan(app, code);
  add_verify(app, code);
  add_bench(app, code);
  add_tune(app, code);
  add_info(app, code);
  add_mesh(app, code);
  add_view(app, code);
  add_help(app, code);
  add_completion(app, code);
  add_manual(app, code);
}

}  // namespace swell
