#ifdef SCROLLBACK_TERMINAL_PICTURES

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpictures.h"
#include "cpictures_chafa.h"
#include "cpictures_libraries.h"

// The library brings GLib, of which what it returns is made.
#define FUNCTIONS(USE) \
  USE(chafa_canvas_config_new) USE(chafa_canvas_config_set_canvas_mode) USE(chafa_canvas_config_set_cell_geometry) \
  USE(chafa_canvas_config_set_geometry) USE(chafa_canvas_config_set_optimizations) \
  USE(chafa_canvas_config_set_pixel_mode) USE(chafa_canvas_config_set_symbol_map) USE(chafa_canvas_config_unref) \
  USE(chafa_canvas_draw_all_pixels) USE(chafa_canvas_new) USE(chafa_canvas_print) USE(chafa_canvas_unref) \
  USE(chafa_symbol_map_add_by_tags) USE(chafa_symbol_map_new) USE(chafa_symbol_map_unref) \
  USE(chafa_term_db_detect) USE(chafa_term_db_get_fallback_info) USE(chafa_term_db_new) USE(chafa_term_db_unref) \
  USE(chafa_term_info_have_seq) USE(chafa_term_info_supplement) USE(chafa_term_info_unref) USE(g_string_free)
CPICTURES_LIBRARY(libchafa, "libchafa.so.0", FUNCTIONS)

struct cpictures_terminal {
  ChafaTermInfo *info;
  unsigned pixels;
  unsigned colours;
};

static bool can(const ChafaTermInfo *info, unsigned sequence) {
  return libchafa.chafa_term_info_have_seq(info, sequence);
}

static const char *value(char **environment, const char *name) {
  size_t length = strlen(name);
  for (; *environment; environment++)
    if (!strncmp(*environment, name, length) && (*environment)[length] == '=') return *environment + length + 1;
  return "";
}

// libchafa takes each xterm for one of all colours; those that are say so themselves.
static bool has_all_colours(char **environment) {
  const char *colours = value(environment, "COLORTERM");
  return !strcmp(colours, "truecolor") || !strcmp(colours, "24bit");
}

static unsigned colours_of(const ChafaTermInfo *info, char **environment) {
  if (can(info, CHAFA_COLOURS_DIRECT) && has_all_colours(environment))
    return CHAFA_IN_FULL_COLOUR;
  if (can(info, CHAFA_COLOURS_256)) return CHAFA_IN_240;
  if (can(info, CHAFA_COLOURS_16)) return CHAFA_IN_16;
  return CHAFA_IN_TWO;
}

static unsigned detected(const ChafaTermInfo *info) {
  if (can(info, CHAFA_BEGIN_KITTY)) return CHAFA_BY_KITTY;
  if (can(info, CHAFA_BEGIN_SIXELS)) return CHAFA_BY_SIXELS;
  if (can(info, CHAFA_BEGIN_ITERM)) return CHAFA_BY_ITERM;
  return CHAFA_BY_SYMBOLS;
}

// The user's word is final: `xterm -ti vt340` and a terminal behind ssh do not say what they can.
static unsigned pixels_of(const ChafaTermInfo *info, char **environment) {
  const char *wanted = value(environment, "SCROLLBACK_PICTURES");
  if (!strcmp(wanted, "kitty")) return CHAFA_BY_KITTY;
  if (!strcmp(wanted, "sixels")) return CHAFA_BY_SIXELS;
  if (!strcmp(wanted, "iterm")) return CHAFA_BY_ITERM;
  if (!strcmp(wanted, "blocks")) return CHAFA_BY_SYMBOLS;
  return detected(info);
}

cpictures_terminal *cpictures_terminal_of(char **environment) {
  cpictures_terminal *terminal = libchafa_is_there() ? calloc(1, sizeof *terminal) : NULL;
  if (!terminal) return NULL;
  ChafaTermDb *known = libchafa.chafa_term_db_new();
  terminal->info = libchafa.chafa_term_db_detect(known, environment);
  terminal->colours = colours_of(terminal->info, environment);
  terminal->pixels = pixels_of(terminal->info, environment);
  if (terminal->pixels != CHAFA_BY_SYMBOLS) {
    // A chosen protocol may have sequences that this terminal is not known for.
    ChafaTermInfo *fallback = libchafa.chafa_term_db_get_fallback_info(known);
    libchafa.chafa_term_info_supplement(terminal->info, fallback);
    libchafa.chafa_term_info_unref(fallback);
  }
  libchafa.chafa_term_db_unref(known);
  return terminal;
}

cpictures_mode cpictures_terminal_mode(const cpictures_terminal *terminal) {
  switch (terminal->pixels) {
    case CHAFA_BY_KITTY: return CPICTURES_KITTY;
    case CHAFA_BY_SIXELS: return CPICTURES_SIXELS;
    case CHAFA_BY_ITERM: return CPICTURES_ITERM;
    default: return CPICTURES_BLOCKS;
  }
}

void cpictures_terminal_keep_to_blocks(cpictures_terminal *terminal) {
  terminal->pixels = CHAFA_BY_SYMBOLS;
}

void cpictures_terminal_free(cpictures_terminal *terminal) {
  libchafa.chafa_term_info_unref(terminal->info);
  free(terminal);
}

static const char *characters(const GString *text) { return *(const char *const *)text; }

static GString *draw(
    const cpictures_terminal *terminal, const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t columns,
    uint32_t rows, uint32_t cell_width, uint32_t cell_height) {
  ChafaCanvasConfig *config = libchafa.chafa_canvas_config_new();
  ChafaSymbolMap *symbols = libchafa.chafa_symbol_map_new();
  libchafa.chafa_symbol_map_add_by_tags(
      symbols, CHAFA_SYMBOLS_VHALF | CHAFA_SYMBOLS_SPACE | CHAFA_SYMBOLS_SOLID);
  libchafa.chafa_canvas_config_set_symbol_map(config, symbols);
  libchafa.chafa_canvas_config_set_geometry(config, (int)columns, (int)rows);
  libchafa.chafa_canvas_config_set_cell_geometry(config, (int)cell_width, (int)cell_height);
  libchafa.chafa_canvas_config_set_pixel_mode(config, terminal->pixels);
  // Pixels have a palette of their own.
  bool is_text = terminal->pixels == CHAFA_BY_SYMBOLS;
  libchafa.chafa_canvas_config_set_canvas_mode(config, is_text ? terminal->colours : CHAFA_IN_FULL_COLOUR);
  // Each cell says all about itself, so that a row can stand alone.
  libchafa.chafa_canvas_config_set_optimizations(config, CHAFA_WITHOUT_OPTIMIZATIONS);
  ChafaCanvas *canvas = libchafa.chafa_canvas_new(config);
  libchafa.chafa_canvas_draw_all_pixels(
      canvas, CHAFA_RGBA, pixels, (int)width, (int)height, (int)width * 4);
  GString *text = libchafa.chafa_canvas_print(canvas, terminal->info);
  libchafa.chafa_canvas_unref(canvas);
  libchafa.chafa_symbol_map_unref(symbols);
  libchafa.chafa_canvas_config_unref(config);
  return text;
}

static void draw_blocks(
    const cpictures_terminal *terminal, const cpictures_image *image, uint32_t columns, uint32_t rows,
    FILE *strips) {
  // Two pixels a cell, one above the other, are all that half blocks show.
  GString *text = draw(terminal, image->pixels, image->width, image->height, columns, rows, 1, 2);
  const char *line = characters(text);
  for (uint32_t row = 0; row < rows; row++) {
    size_t length = strcspn(line, "\n");
    fwrite(line, 1, length, strips);
    fputc(0, strips);
    line += length + (line[length] == '\n');
  }
  (libchafa.g_string_free)(text, 1);
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
    uint32_t cell_width, uint32_t cell_height, FILE *strips) {
  uint32_t width = columns * cell_width;
  bool is_sixels = terminal->pixels == CHAFA_BY_SIXELS;
  uint32_t padded = is_sixels ? (cell_height + 5) / 6 * 6 : cell_height;
  uint8_t *strip = malloc((size_t)width * padded * 4);
  if (!strip) return;
  for (uint32_t row = 0; row < rows; row++) {
    cut_strip(image, row, rows, width, cell_height, padded, strip);
    GString *text = draw(terminal, strip, width, padded, columns, 1, cell_width, padded);
    fwrite(characters(text), 1, strlen(characters(text)) + 1, strips);
    (libchafa.g_string_free)(text, 1);
  }
  free(strip);
}

uint8_t *cpictures_draw(
    const cpictures_terminal *terminal, const cpictures_image *image, uint32_t columns, uint32_t rows,
    uint32_t cell_width, uint32_t cell_height, size_t *count) {
  if (!columns || !rows || !cell_width || !cell_height || !image->width || !image->height) return NULL;
  char *bytes = NULL;
  FILE *strips = open_memstream(&bytes, count);
  if (!strips) return NULL;
  if (terminal->pixels == CHAFA_BY_SYMBOLS)
    draw_blocks(terminal, image, columns, rows, strips);
  else
    draw_strips(terminal, image, columns, rows, cell_width, cell_height, strips);
  return fclose(strips) ? NULL : (uint8_t *)bytes;
}

#endif
