#pragma once

// Houdini's header defines what the loader checks; it may be included by one file of a DSO only.
extern "C" int HoudiniDSOVersionStandin();
int HoudiniDSOVersionStandin() {
  return 1;
}
