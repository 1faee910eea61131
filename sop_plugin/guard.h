#pragma once

#include <exception>
#include <functional>
#include <new>
#include <string>

namespace dashpot {

// Runs `body` and hands what it throws to `report` as one sentence: no exception leaves the plugin.
// True if nothing was thrown.
inline bool guarded(const std::function<void()>& body,
                    const std::function<void(const std::string&)>& report) noexcept {
  try {
    try {
      body();
      return true;
    } catch (const std::bad_alloc&) {
      report("Dashpot ran out of memory; lower the cache memory or the number of tets.");
    } catch (const std::exception& error) {
      report(error.what());
    } catch (...) {
      report("Dashpot failed for an unknown reason; reset the simulation.");
    }
  } catch (...) {  // not even the report could be made
  }
  return false;
}

}  // namespace dashpot
