#pragma once

#include "standalone/render/picture.h"

namespace dashpot {

// A path-traced still: bodies with a glossy coat on a ground that melts into the horizon, or in
// front of a plain backdrop when the picture has no plane. The same bytes for any number of
// threads. Throws InputError for settings, cameras or surfaces that cannot be rendered.
Image render(const Picture& picture, const RenderSettings& settings);

}  // namespace dashpot
