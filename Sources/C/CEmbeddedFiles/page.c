#include "cembeddedfiles.h"

// Swift 6.2 and Xcode 26 bring a compiler that knows `#embed`, and warns that C23 has it first.
#pragma clang diagnostic ignored "-Wc23-extensions"

const char *embedded_page_html(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/First/page.html" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_page_css(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/First/page.css" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_page_js(void) {
  static const unsigned char bytes[] = {
// One script, in this order: what a file uses at its start stands in one before it.
#embed "../../Answers/HistoryPage/First/elements.js" suffix(, )
#embed "../../Answers/HistoryPage/First/state.js" suffix(, )
#embed "../../Answers/HistoryPage/First/marks.js" suffix(, )
#embed "../../Answers/HistoryPage/First/questions.js" suffix(, )
#embed "../../Answers/HistoryPage/First/rows.js" suffix(, )
#embed "../../Answers/HistoryPage/First/list.js" suffix(, )
#embed "../../Answers/HistoryPage/First/folds.js" suffix(, )
#embed "../../Answers/HistoryPage/First/place.js" suffix(, )
#embed "../../Answers/HistoryPage/First/side.js" suffix(, )
#embed "../../Answers/HistoryPage/First/routes.js" suffix(, )
#embed "../../Answers/HistoryPage/First/panel.js" suffix(, )
#embed "../../Answers/HistoryPage/First/found.js" suffix(, )
#embed "../../Answers/HistoryPage/First/live.js" suffix(, )
#embed "../../Answers/HistoryPage/First/page.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_site_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Site/site.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_icon_svg(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/First/icon.svg" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_more_css(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/more.css" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_more_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/more.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_filters_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/filters.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_palette_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/palette.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_search_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/search.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_actions_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/actions.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_threads_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/threads.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_platforms_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/platforms.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_viewer_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/viewer.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_welcome_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/welcome.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_paper_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Later/paper.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_sitequery_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Site/sitequery.js" suffix(, 0)
  };
  return (const char *)bytes;
}

const char *embedded_siteanswers_js(void) {
  static const unsigned char bytes[] = {
#embed "../../Answers/HistoryPage/Site/siteanswers.js" suffix(, 0)
  };
  return (const char *)bytes;
}
