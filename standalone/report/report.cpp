#include "standalone/report/report.h"

#include <zlib.h>

#include <stdexcept>

#include "solver/base/error.h"
#include "standalone/report/page_template.h"

namespace dashpot {
namespace {

std::string unpacked_page() {
  const PageTemplate page = page_template();
  if (page.size == 0)
    throw InputError(
        "this dashpot was built without its report page; install nodejs and npm, and build it "
        "again with a network connection.");
  std::string html(page.unpacked_size, '\0');
  uLongf size = html.size();
  if (uncompress(reinterpret_cast<Bytef*>(html.data()), &size, page.bytes, page.size) != Z_OK ||
      size != html.size())
    throw std::runtime_error("the report page inside dashpot is damaged.");
  return html;
}

void replace_mark(std::string& html, const std::string& mark, const std::string& text) {
  const std::size_t place = html.find(mark);
  if (place == std::string::npos)
    throw std::runtime_error("the report page inside dashpot has no " + mark + ".");
  html.replace(place, mark.size(), text);
}

std::string escaped(const std::string& text) {
  std::string html;
  for (const char c : text) html += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return html;
}

}  // namespace

Report make_report(const ReportOptions& options) {
  Report report;
  report.html = unpacked_page();
  replace_mark(report.html, kTitleMark, escaped(options.title));
  replace_mark(report.html, kDataMark, report_data(options, report.problems));
  return report;
}

}  // namespace dashpot
