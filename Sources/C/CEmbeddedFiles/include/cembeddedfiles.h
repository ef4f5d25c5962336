// Files that are in the programs themselves, as they lie beside the Swift that reads them; each ends with a zero byte more.
//
// They are taken in by C, as SwiftPM's `embedInCode` makes an array of numbers of each, at which the compiler of Swift
// looks one by one: a minute of the processor for all of them, where this takes none.
#pragma once

// Tables: lines of text.
const char *_Nonnull embedded_emoji_txt(void);
const char *_Nonnull embedded_date_words_txt(void);
const char *_Nonnull embedded_secret_rules_txt(void);
const char *_Nonnull embedded_archive_sql(void);
const char *_Nonnull embedded_schema_sql(void);

// The page.
const char *_Nonnull embedded_page_html(void);
const char *_Nonnull embedded_page_css(void);
const char *_Nonnull embedded_page_js(void);
const char *_Nonnull embedded_site_js(void);
const char *_Nonnull embedded_icon_svg(void);
const char *_Nonnull embedded_more_css(void);
const char *_Nonnull embedded_more_js(void);
const char *_Nonnull embedded_filters_js(void);
const char *_Nonnull embedded_palette_js(void);
const char *_Nonnull embedded_search_js(void);
const char *_Nonnull embedded_actions_js(void);
const char *_Nonnull embedded_threads_js(void);
const char *_Nonnull embedded_platforms_js(void);
const char *_Nonnull embedded_viewer_js(void);
const char *_Nonnull embedded_welcome_js(void);
const char *_Nonnull embedded_paper_js(void);
const char *_Nonnull embedded_sitequery_js(void);
const char *_Nonnull embedded_siteanswers_js(void);

// The made-up history of the demo.
struct embedded_file {
  const char *_Nullable name;
  const void *_Nullable bytes;
  long count;
};
// Returns its files; one without a name ends them.
const struct embedded_file *_Nonnull embedded_demo_files(void);
