// What is used of libchafa's interface, the same since 1.8. `.ci/pictures` compares it with the library's headers: they are found
// by pkg-config alone, and with it the program would be linked with the library, and with GLib.
#pragma once

#include <stdint.h>

typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;
// A text of GLib; begins with a pointer to its characters.
typedef struct _GString GString;

enum { CHAFA_IN_FULL_COLOUR, CHAFA_IN_240 = 2, CHAFA_IN_16 = 3, CHAFA_IN_TWO = 5 };
enum { CHAFA_BY_SYMBOLS, CHAFA_BY_SIXELS, CHAFA_BY_KITTY, CHAFA_BY_ITERM };
enum { CHAFA_SYMBOLS_SPACE = 1, CHAFA_SYMBOLS_SOLID = 2, CHAFA_SYMBOLS_VHALF = 512 };
enum { CHAFA_WITHOUT_OPTIMIZATIONS = 0, CHAFA_RGBA = 4 };
enum {
  CHAFA_COLOURS_DIRECT = 33,
  CHAFA_COLOURS_256 = 36,
  CHAFA_COLOURS_16 = 39,
  CHAFA_BEGIN_SIXELS = 40,
  CHAFA_BEGIN_KITTY = 43,
  CHAFA_BEGIN_ITERM = 47
};

ChafaCanvas *chafa_canvas_new(const ChafaCanvasConfig *);
void chafa_canvas_unref(ChafaCanvas *);
void chafa_canvas_draw_all_pixels(
    ChafaCanvas *, unsigned form, const uint8_t *pixels, int width, int height, int row_byte_count);
GString *chafa_canvas_print(ChafaCanvas *, ChafaTermInfo *);
ChafaCanvasConfig *chafa_canvas_config_new(void);
void chafa_canvas_config_unref(ChafaCanvasConfig *);
void chafa_canvas_config_set_canvas_mode(ChafaCanvasConfig *, unsigned);
void chafa_canvas_config_set_cell_geometry(ChafaCanvasConfig *, int width, int height);
void chafa_canvas_config_set_geometry(ChafaCanvasConfig *, int columns, int rows);
void chafa_canvas_config_set_optimizations(ChafaCanvasConfig *, unsigned);
void chafa_canvas_config_set_pixel_mode(ChafaCanvasConfig *, unsigned);
void chafa_canvas_config_set_symbol_map(ChafaCanvasConfig *, const ChafaSymbolMap *);
ChafaSymbolMap *chafa_symbol_map_new(void);
void chafa_symbol_map_unref(ChafaSymbolMap *);
void chafa_symbol_map_add_by_tags(ChafaSymbolMap *, int tags);
ChafaTermDb *chafa_term_db_new(void);
void chafa_term_db_unref(ChafaTermDb *);
ChafaTermInfo *chafa_term_db_detect(ChafaTermDb *, char **environment);
ChafaTermInfo *chafa_term_db_get_fallback_info(ChafaTermDb *);
void chafa_term_info_unref(ChafaTermInfo *);
int chafa_term_info_have_seq(const ChafaTermInfo *, unsigned sequence);
void chafa_term_info_supplement(ChafaTermInfo *, ChafaTermInfo *from);
char *(g_string_free)(GString *, int frees_characters);

#ifdef __CHAFA_H__
#define SAME(ours, theirs) _Static_assert((int)ours == (int)theirs, #theirs " is another number");
SAME(CHAFA_IN_FULL_COLOUR, CHAFA_CANVAS_MODE_TRUECOLOR)
SAME(CHAFA_IN_240, CHAFA_CANVAS_MODE_INDEXED_240)
SAME(CHAFA_IN_16, CHAFA_CANVAS_MODE_INDEXED_16)
SAME(CHAFA_IN_TWO, CHAFA_CANVAS_MODE_FGBG)
SAME(CHAFA_BY_SYMBOLS, CHAFA_PIXEL_MODE_SYMBOLS)
SAME(CHAFA_BY_SIXELS, CHAFA_PIXEL_MODE_SIXELS)
SAME(CHAFA_BY_KITTY, CHAFA_PIXEL_MODE_KITTY)
SAME(CHAFA_BY_ITERM, CHAFA_PIXEL_MODE_ITERM2)
SAME(CHAFA_SYMBOLS_SPACE, CHAFA_SYMBOL_TAG_SPACE)
SAME(CHAFA_SYMBOLS_SOLID, CHAFA_SYMBOL_TAG_SOLID)
SAME(CHAFA_SYMBOLS_VHALF, CHAFA_SYMBOL_TAG_VHALF)
SAME(CHAFA_WITHOUT_OPTIMIZATIONS, CHAFA_OPTIMIZATION_NONE)
SAME(CHAFA_RGBA, CHAFA_PIXEL_RGBA8_UNASSOCIATED)
SAME(CHAFA_COLOURS_DIRECT, CHAFA_TERM_SEQ_SET_COLOR_FGBG_DIRECT)
SAME(CHAFA_COLOURS_256, CHAFA_TERM_SEQ_SET_COLOR_FGBG_256)
SAME(CHAFA_COLOURS_16, CHAFA_TERM_SEQ_SET_COLOR_FGBG_16)
SAME(CHAFA_BEGIN_SIXELS, CHAFA_TERM_SEQ_BEGIN_SIXELS)
SAME(CHAFA_BEGIN_KITTY, CHAFA_TERM_SEQ_BEGIN_KITTY_IMMEDIATE_IMAGE_V1)
SAME(CHAFA_BEGIN_ITERM, CHAFA_TERM_SEQ_BEGIN_ITERM2_IMAGE)
#endif
