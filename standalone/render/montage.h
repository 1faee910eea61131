#pragma once

#include <vector>

#include "standalone/render/picture.h"

namespace dashpot {

// Images of equal size row by row, with white gaps between them and, if `border`, around them.
// Throws InputError if the whole would be larger than any picture may be.
Image montage(const std::vector<Image>& cells, int columns, int gap, bool border);

// How many cells a contact sheet has beside each other: about four, and few gaps in the last row.
int sheet_columns(int cells);

}  // namespace dashpot
