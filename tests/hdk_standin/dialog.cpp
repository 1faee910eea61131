#include <cctype>
#include <limits>
#include <stdexcept>

#include "PRM/PRM_TemplateBuilder.h"

namespace {

struct Word {
  std::string text;
  bool quoted = false;
};

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("dialog script: " + what);
}

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (c == '{' || c == '}') {
      words.push_back({std::string(1, c)});
      ++i;
    } else if (c == '"') {
      Word word{"", true};
      for (++i; text.at(i) != '"'; ++i) {
        if (text[i] == '\n') refuse("a text does not end on its line");
        if (text[i] == '\\') ++i;
        word.text += text.at(i);
      }
      ++i;
      words.push_back(word);
    } else {
      Word word;
      while (i < text.size() && !std::isspace(static_cast<unsigned char>(text[i])) &&
             text[i] != '{' && text[i] != '}' && text[i] != '"')
        word.text += text[i++];
      words.push_back(word);
    }
  }
  return words;
}

class DialogParser {
 public:
  explicit DialogParser(const std::string& text) : words_(words_of(text)) {}

  std::vector<PRM_Template> parse() {
    open();
    key("name");
    next();
    while (peek() != "}") {
      const std::string word = next();
      if (word != "group") refuse("there is no '" + word + "' at the top");
      group();
    }
    close();
    if (at_ != words_.size()) refuse("there is something after the end");
    templates_.emplace_back();
    return std::move(templates_);
  }

 private:
  const std::string& peek() const {
    if (at_ >= words_.size()) refuse("it ends too early");
    return words_[at_].text;
  }
  std::string next() {
    const std::string word = peek();
    ++at_;
    return word;
  }
  void open() {
    if (next() != "{") refuse("a brace is missing");
  }
  void close() {
    if (next() != "}") refuse("a brace is not closed");
  }
  void key(const char* expected) {
    if (next() != expected) refuse(std::string("expected ") + expected);
  }
  std::vector<std::string> list() {
    std::vector<std::string> items;
    for (open(); peek() != "}";) items.push_back(next());
    close();
    return items;
  }

  void group() {
    open();
    key("name");
    next();
    key("label");
    const std::string label = next();
    while (peek() != "}") {
      key("parm");
      parm(label);
    }
    close();
  }

  void parm(const std::string& folder) {
    PRM_Template t;
    t.folder = folder;
    open();
    while (peek() != "}") {
      const std::string word = next();
      if (word == "name") {
        t.name = next();
      } else if (word == "label") {
        t.label = next();
      } else if (word == "type") {
        t.type = next();
        check_type(t.type);
        if (t.type == "vector") t.size = 3;
      } else if (word == "size") {
        t.size = std::stoi(next());
      } else if (word == "default") {
        t.defaults = list();
      } else if (word == "range") {
        const std::vector<std::string> range = list();
        if (range.size() != 2) refuse("a range has two ends");
        t.range = range[0] + " " + range[1];
      } else if (word == "menu") {
        const std::vector<std::string> items = list();
        if (items.empty() || items.size() % 2 != 0) refuse("a menu has pairs");
        for (std::size_t i = 0; i < items.size(); i += 2)
          t.menu.emplace_back(items[i], items[i + 1]);
      } else if (word == "disablewhen") {
        t.disable_when = next();
      } else if (word == "help") {
        t.help = next();
      } else if (word == "parmtag") {
        const std::vector<std::string> tag = list();
        if (tag.size() != 2) refuse("a tag is a pair");
        t.tags[tag[0]] = tag[1];
      } else {
        refuse("there is no '" + word + "' in a parm");
      }
    }
    close();
    if (static_cast<int>(t.defaults.size()) != t.size && t.type != "button")
      refuse(t.name + " has not one default per component");
    templates_.push_back(t);
  }

  static void check_type(const std::string& type) {
    for (const char* known : {"toggle", "float", "integer", "string", "ordinal", "button", "vector",
                              "oppath", "ramp_flt", "log"})
      if (type == known) return;
    refuse("there is no type '" + type + "'");
  }

  std::vector<Word> words_;
  std::size_t at_ = 0;
  std::vector<PRM_Template> templates_;
};

}  // namespace

PRM_TemplateBuilder::PRM_TemplateBuilder(const UT_StringHolder&, const char* dstext)
    : templates_(DialogParser(dstext).parse()) {}

double PRM_Template::hard_min() const {
  const bool is_hard = range.find("! ") != std::string::npos;
  return is_hard ? std::stod(range) : -std::numeric_limits<double>::infinity();
}
double PRM_Template::hard_max() const {
  const bool is_hard = !range.empty() && range.back() == '!';
  return is_hard ? std::stod(range.substr(range.find(' ')))
                 : std::numeric_limits<double>::infinity();
}

void PRM_TemplateBuilder::setCallback(const UT_StringRef& name, PRM_Callback callback) {
  for (PRM_Template& t : templates_)
    if (t.name == name.toStdString()) t.callback = callback;
}

bool PRM_TemplateBuilder::justBuilt() {
  const bool built = just_built_;
  just_built_ = false;
  return built;
}
