#pragma once

#include "GA/GA_Types.h"

constexpr GA_PrimitiveTypeId GEO_PRIMPOLY(1);
constexpr GA_PrimitiveTypeId GEO_PRIMTETRAHEDRON(22);
constexpr GA_PrimitiveTypeId GEO_PRIMVDB(25);
