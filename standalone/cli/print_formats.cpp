#include "standalone/cli/print_formats.h"

#include <memory>

namespace dashpot {

void add_print_formats(CLI::App& command, void (*plain)(), const std::vector<PrintFormat>& formats,
                       Action& action) {
  auto print = std::make_shared<void (*)()>(plain);
  CLI::Option_group* group = command.add_option_group("Format");
  for (const PrintFormat& format : formats)
    group->add_flag_callback(
        format.flag, [print, chosen = format.print] { *print = chosen; }, format.help);
  group->require_option(0, 1);
  command.callback([print, &action] {
    action = [print] {
      (*print)();
      return kExitDone;
    };
  });
}

}  // namespace dashpot
