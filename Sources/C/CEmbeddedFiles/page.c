#include "cembeddedfiles.h"

// Swift 6.2 and Xcode 26 bring a compiler that knows `#embed`, and warns that C23 has it first.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *embedded_page_html(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/page.html" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_page_css(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/page.css" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_page_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/page.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_site_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/site.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_icon_svg(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/icon.svg" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_more_css(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/more.css" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_more_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/more.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_filters_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/filters.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_palette_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/palette.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_search_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/search.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_threads_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/threads.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_viewer_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/viewer.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_paper_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/paper.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_sitequery_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/sitequery.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_siteanswers_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/siteanswers.js" suffix(, 0)
  };
  return (const char *)bytes;
}
