#include "CSimdjson.h"

// Defined by the manifest: a build would not notice that the header was installed after it.
#ifdef HAS_SIMDJSON
#include <simdjson.h>

#define TEXT(value) #value
#define VERSION_TEXT(value) TEXT(value)

struct csimdjson_parser {
  simdjson::dom::parser parser;
  std::string copy;
};

// Counts the values below an element, and the bytes of its texts.
static long visit(simdjson::dom::element element, int reads_strings, size_t &bytes) {
  switch (element.type()) {
  case simdjson::dom::element_type::ARRAY: {
    long count = 1;
    for (auto child : simdjson::dom::array(element)) count += visit(child, reads_strings, bytes);
    return count;
  }
  case simdjson::dom::element_type::OBJECT: {
    long count = 1;
    for (auto field : simdjson::dom::object(element)) {
      bytes += field.key.size();
      count += visit(field.value, reads_strings, bytes);
    }
    return count;
  }
  case simdjson::dom::element_type::STRING: bytes += std::string_view(element).size(); return 1;
  default: return 1;
  }
}

extern "C" const char *csimdjson_version(void) { return VERSION_TEXT(SIMDJSON_VERSION); }

extern "C" csimdjson_parser *csimdjson_create(void) { return new csimdjson_parser(); }

extern "C" void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" long csimdjson_parse(csimdjson_parser *parser, const unsigned char *text, size_t count, int reads_strings) {
  simdjson::dom::element document;
  // It copies the text to have room behind its end, as for anybody whose buffer has none.
  if (parser->parser.parse(reinterpret_cast<const uint8_t *>(text), count, true).get(document)) return -1;
  if (!reads_strings) return 1;
  size_t bytes = 0;
  long values = visit(document, reads_strings, bytes);
  return bytes == 0 ? 0 : values;
}

#else

extern "C" const char *csimdjson_version(void) { return nullptr; }
extern "C" csimdjson_parser *csimdjson_create(void) { return nullptr; }
extern "C" void csimdjson_destroy(csimdjson_parser *) {}
extern "C" long csimdjson_parse(csimdjson_parser *, const unsigned char *, size_t, int) { return -1; }

#endif
