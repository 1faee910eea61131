#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace dashpot {

// Elements of the page's body that hold its data.
class DataWriter {
 public:
  // Returns the id under which the page finds it.
  std::string add(const std::string& base64) {
    std::string id = "data-" + std::to_string(count_++);
    blobs_ += "<script type=\"text/plain\" id=\"" + id + "\">" + base64 + "</script>\n";
    return id;
  }

  // Text of names must not end the script early.
  std::string finish(const nlohmann::ordered_json& json) {
    std::string text;
    for (const char c :
         json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
      if (c == '<')
        text += "\\u003c";
      else
        text += c;
    }
    return "<script type=\"application/json\" id=\"dashpot-report\">" + text + "</script>\n" +
           std::move(blobs_);
  }

 private:
  int count_ = 0;
  std::string blobs_;
};

}  // namespace dashpot
