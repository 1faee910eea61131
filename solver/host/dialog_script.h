#pragma once

#include <string>

#include "solver/host/node_parameters.h"

namespace dashpot {

// The dialog of a node in Houdini's dialog script language (.ds): folders, types, defaults, ranges,
// menus, help and rules that switch off what has no effect. Made from the declarations, so that
// names, defaults and help cannot differ from those of scene files.
std::string dialog_script(NodeKind kind);

// The parameters of a node as a Markdown page, for docs/.
std::string node_parameters_page();

// One node's help in the form of Houdini's help files (help/nodes/sop/…).
std::string node_help(NodeKind kind);

}  // namespace dashpot
