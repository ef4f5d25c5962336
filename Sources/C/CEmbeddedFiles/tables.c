#include "cembeddedfiles.h"

// Swift 6.2 and Xcode 26 bring a compiler that knows `#embed`, and warns that C23 has it first.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *embedded_emoji_txt(void) {
  static const unsigned char bytes[] = {
#embed "../../Text/MessageMarkup/emoji.txt" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_date_words_txt(void) {
  static const unsigned char bytes[] = {
#embed "../../Formats/MessageInterchange/Times/date-words.txt" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_secret_rules_txt(void) {
  static const unsigned char bytes[] = {
#embed "../../Text/Redaction/Secrets/secret-rules.txt" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_archive_sql(void) {
  static const unsigned char bytes[] = {
#embed "../../Transfer/Archive/MessagePostgres/archive.sql" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_schema_sql(void) {
  static const unsigned char bytes[] = {
#embed "../../Store/MessageStorage/Schema/Schema.sql" suffix(, 0)
  };
  return (const char *)bytes;
}
