#pragma once

#include "SIM/SIM_Standin.h"
