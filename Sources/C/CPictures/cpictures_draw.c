#ifdef SCROLLBACK_TERMINAL_PICTURES

#include <chafa.h>
#include <stdlib.h>
#include <string.h>

#include "cpictures.h"

struct cpictures_terminal {
  ChafaTermInfo *info;
  ChafaPixelMode pixels;
  ChafaCanvasMode colours;
};

static bool can(const ChafaTermInfo *info, ChafaTermSeq sequence) {
  return chafa_term_info_have_seq(info, sequence);
}

// libchafa takes each xterm for one of all colours; those that are say so themselves.
static bool has_all_colours(char **environment) {
  const char *colours = g_environ_getenv(environment, "COLORTERM");
  return colours && (!strcmp(colours, "truecolor") || !strcmp(colours, "24bit"));
}

static ChafaCanvasMode colours_of(const ChafaTermInfo *info, char **environment) {
  if (can(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT) && has_all_colours(environment))
    return CHAFA_CANVAS_MODE_TRUECOLOR;
  if (can(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256)) return CHAFA_CANVAS_MODE_INDEXED_240;
  if (can(info, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16)) return CHAFA_CANVAS_MODE_INDEXED_16;
  return CHAFA_CANVAS_MODE_FGBG;
}

static ChafaPixelMode detected(const ChafaTermInfo *info) {
  if (can(info, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)) return CHAFA_PIXEL_MODE_KITTY;
  if (can(info, CHAFA_TERM_SEQ_BEGIN_SIXELS)) return CHAFA_PIXEL_MODE_SIXELS;
  if (can(info, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE)) return CHAFA_PIXEL_MODE_ITERM2;
  return CHAFA_PIXEL_MODE_SYMBOLS;
}

// The user's word is final: `xterm -ti vt340` and a terminal behind ssh do not say what they can.
static ChafaPixelMode pixels_of(const ChafaTermInfo *info, char **environment) {
  const char *wanted = g_environ_getenv(environment, "SCROLLBACK_PICTURES");
  if (!g_strcmp0(wanted, "kitty")) return CHAFA_PIXEL_MODE_KITTY;
  if (!g_strcmp0(wanted, "sixels")) return CHAFA_PIXEL_MODE_SIXELS;
  if (!g_strcmp0(wanted, "iterm")) return CHAFA_PIXEL_MODE_ITERM2;
  if (!g_strcmp0(wanted, "blocks")) return CHAFA_PIXEL_MODE_SYMBOLS;
  return detected(info);
}

cpictures_terminal *cpictures_terminal_of(char **environment) {
  cpictures_terminal *terminal = g_new0(cpictures_terminal, 1);
  ChafaTermDb *known = chafa_term_db_new();
  terminal->info = chafa_term_db_detect(known, environment);
  terminal->colours = colours_of(terminal->info, environment);
  terminal->pixels = pixels_of(terminal->info, environment);
  if (terminal->pixels != CHAFA_PIXEL_MODE_SYMBOLS) {
    // A chosen protocol may have sequences that this terminal is not known for.
    ChafaTermInfo *fallback = chafa_term_db_get_fallback_info(known);
    chafa_term_info_supplement(terminal->info, fallback);
    chafa_term_info_unref(fallback);
  }
  chafa_term_db_unref(known);
  return terminal;
}

cpictures_mode cpictures_terminal_mode(const cpictures_terminal *terminal) {
  switch (terminal->pixels) {
    case CHAFA_PIXEL_MODE_KITTY: return CPICTURES_KITTY;
    case CHAFA_PIXEL_MODE_SIXELS: return CPICTURES_SIXELS;
    case CHAFA_PIXEL_MODE_ITERM2: return CPICTURES_ITERM;
    default: return CPICTURES_BLOCKS;
  }
}

void cpictures_terminal_keep_to_blocks(cpictures_terminal *terminal) {
  terminal->pixels = CHAFA_PIXEL_MODE_SYMBOLS;
}

void cpictures_terminal_free(cpictures_terminal *terminal) {
  chafa_term_info_unref(terminal->info);
  g_free(terminal);
}

static GString *draw(
    const cpictures_terminal *terminal, const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t columns,
    uint32_t rows, uint32_t cell_width, uint32_t cell_height) {
  ChafaCanvasConfig *config = chafa_canvas_config_new();
  ChafaSymbolMap *symbols = chafa_symbol_map_new();
  chafa_symbol_map_add_by_tags(symbols, CHAFA_SYMBOL_TAG_VHALF | CHAFA_SYMBOL_TAG_SPACE | CHAFA_SYMBOL_TAG_SOLID);
  chafa_canvas_config_set_symbol_map(config, symbols);
  chafa_canvas_config_set_geometry(config, (gint)columns, (gint)rows);
  chafa_canvas_config_set_cell_geometry(config, (gint)cell_width, (gint)cell_height);
  chafa_canvas_config_set_pixel_mode(config, terminal->pixels);
  // Pixels have a palette of their own.
  bool is_text = terminal->pixels == CHAFA_PIXEL_MODE_SYMBOLS;
  chafa_canvas_config_set_canvas_mode(config, is_text ? terminal->colours : CHAFA_CANVAS_MODE_TRUECOLOR);
  // Each cell says all about itself, so that a row can stand alone.
  chafa_canvas_config_set_optimizations(config, CHAFA_OPTIMIZATION_NONE);
  ChafaCanvas *canvas = chafa_canvas_new(config);
  chafa_canvas_draw_all_pixels(
      canvas, CHAFA_PIXEL_RGBA8_UNASSOCIATED, pixels, (gint)width, (gint)height, (gint)width * 4);
  GString *text = chafa_canvas_print(canvas, terminal->info);
  chafa_canvas_unref(canvas);
  chafa_symbol_map_unref(symbols);
  chafa_canvas_config_unref(config);
  return text;
}

static void draw_blocks(
    const cpictures_terminal *terminal, const cpictures_image *image, uint32_t columns, uint32_t rows,
    GString *strips) {
  // Two pixels a cell, one above the other, are all that half blocks show.
  GString *text = draw(terminal, image->pixels, image->width, image->height, columns, rows, 1, 2);
  gchar **lines = g_strsplit(text->str, "\n", (gint)rows);
  for (uint32_t row = 0, left = g_strv_length(lines); row < rows; row++) {
    g_string_append(strips, row < left ? lines[row] : "");
    g_string_append_c(strips, 0);
  }
  g_strfreev(lines);
  g_string_free(text, TRUE);
}

// A row of cells as pixels of its own height, taken from the picture by the nearest pixel. Below it is padded with
// nothing, since sixels come six at a time.
static void cut_strip(
    const cpictures_image *image, uint32_t row, uint32_t rows, uint32_t width, uint32_t height, uint32_t padded,
    uint8_t *strip) {
  memset(strip, 0, (size_t)width * padded * 4);
  for (uint32_t y = 0; y < height; y++) {
    uint64_t from_y = ((uint64_t)row * height + y) * image->height / ((uint64_t)rows * height);
    const uint8_t *from = image->pixels + from_y * image->width * 4;
    for (uint32_t x = 0; x < width; x++)
      memcpy(strip + ((size_t)y * width + x) * 4, from + (uint64_t)x * image->width / width * 4, 4);
  }
}

static void draw_strips(
    const cpictures_terminal *terminal, const cpictures_image *image, uint32_t columns, uint32_t rows,
    uint32_t cell_width, uint32_t cell_height, GString *strips) {
  uint32_t width = columns * cell_width;
  bool is_sixels = terminal->pixels == CHAFA_PIXEL_MODE_SIXELS;
  uint32_t padded = is_sixels ? (cell_height + 5) / 6 * 6 : cell_height;
  uint8_t *strip = g_malloc((size_t)width * padded * 4);
  for (uint32_t row = 0; row < rows; row++) {
    cut_strip(image, row, rows, width, cell_height, padded, strip);
    GString *text = draw(terminal, strip, width, padded, columns, 1, cell_width, padded);
    g_string_append_len(strips, text->str, (gssize)strlen(text->str));
    g_string_append_c(strips, 0);
    g_string_free(text, TRUE);
  }
  g_free(strip);
}

uint8_t *cpictures_draw(
    const cpictures_terminal *terminal, const cpictures_image *image, uint32_t columns, uint32_t rows,
    uint32_t cell_width, uint32_t cell_height, size_t *count) {
  if (!columns || !rows || !cell_width || !cell_height || !image->width || !image->height) return NULL;
  GString *strips = g_string_new(NULL);
  if (terminal->pixels == CHAFA_PIXEL_MODE_SYMBOLS)
    draw_blocks(terminal, image, columns, rows, strips);
  else
    draw_strips(terminal, image, columns, rows, cell_width, cell_height, strips);
  uint8_t *bytes = malloc(strips->len);
  if (bytes) memcpy(bytes, strips->str, strips->len);
  *count = strips->len;
  g_string_free(strips, TRUE);
  return bytes;
}

#endif
