#pragma once

#include "PRM/PRM_TemplateBuilder.h"
