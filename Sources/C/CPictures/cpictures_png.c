#ifdef SCROLLBACK_PICTURES

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

#include "cpictures_libraries.h"
#include "cpictures_shrinker.h"

#define FUNCTIONS(USE) \
  USE(png_create_info_struct) USE(png_create_read_struct) USE(png_destroy_read_struct) USE(png_get_error_ptr) \
  USE(png_get_image_height) USE(png_get_image_width) USE(png_get_interlace_type) USE(png_get_io_ptr) \
  USE(png_get_rowbytes) USE(png_read_info) USE(png_read_row) USE(png_read_update_info) USE(png_set_add_alpha) \
  USE(png_set_chunk_malloc_max) USE(png_set_expand) USE(png_set_gray_to_rgb) USE(png_set_keep_unknown_chunks) \
  USE(png_set_read_fn) USE(png_set_scale_16)
CPICTURES_LIBRARY(libpng, "libpng16.so.16", FUNCTIONS)

// The most of one chunk beside the pixels that is held.
enum { MOST_OF_CHUNK = 1 << 20 };

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  cpictures_read read;
  void *context;
  cpictures_status status;
  shrinker shrinker;
  uint8_t *row;
} decoder;

static void fail(decoder *d, cpictures_status status) {
  d->status = status;
  longjmp(d->escape, 1);
}

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  fail(libpng.png_get_error_ptr(png), CPICTURES_DAMAGED);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void read_bytes(png_structp png, png_bytep into, size_t count) {
  decoder *d = libpng.png_get_io_ptr(png);
  while (count > 0) {
    long got = d->read(d->context, into, count);
    if (got < 0) fail(d, CPICTURES_UNREADABLE);
    if (got == 0) fail(d, CPICTURES_DAMAGED);
    into += got;
    count -= (size_t)got;
  }
}

// Leaves texts, profiles and the like out unread: some unpack to a thousand times their size.
static void ignore_metadata(png_structp png) {
  static const png_byte names[] = "iCCP\0sPLT\0zTXt\0iTXt\0tEXt\0hIST\0eXIf\0tIME\0oFFs\0pCAL\0sCAL\0bKGD";
  libpng.png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, 12);
  libpng.png_set_chunk_malloc_max(png, MOST_OF_CHUNK);
}

static void choose_colours(png_structp png) {
  libpng.png_set_expand(png);
  libpng.png_set_scale_16(png);
  libpng.png_set_gray_to_rgb(png);
  libpng.png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
}

static void read_pass(decoder *d, uint32_t x, uint32_t dx, uint32_t y, uint32_t dy) {
  uint32_t count = d->shrinker.width > x ? (d->shrinker.width - x + dx - 1) / dx : 0;
  if (!count) return;
  for (; y < d->shrinker.height; y += dy) {
    libpng.png_read_row(d->png, d->row, NULL);
    shrinker_add(&d->shrinker, y, x, dx, count, d->row);
  }
}

// Of an interlaced picture each pass is added where it belongs, so that it need not be held either.
static void read_rows(decoder *d, bool is_interlaced) {
  if (!is_interlaced) return read_pass(d, 0, 1, 0, 1);
  for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
    read_pass(
        d, PNG_PASS_START_COL(pass), PNG_PASS_COL_OFFSET(pass), PNG_PASS_START_ROW(pass),
        PNG_PASS_ROW_OFFSET(pass));
}

static void decode(decoder *d, cpictures_limits limits, cpictures_image *image) {
  libpng.png_set_read_fn(d->png, d, read_bytes);
  ignore_metadata(d->png);
  libpng.png_read_info(d->png, d->info);
  uint32_t width = libpng.png_get_image_width(d->png, d->info), height = libpng.png_get_image_height(d->png, d->info);
  bool is_interlaced = libpng.png_get_interlace_type(d->png, d->info) != PNG_INTERLACE_NONE;
  uint32_t small_width, small_height;
  shrunk_size(width, height, limits.side, &small_width, &small_height);
  // A row as it is packed, the one before it, and as it is handed out.
  uint64_t memory = (uint64_t)width * 24 + (uint64_t)small_width * (is_interlaced ? small_height : 2) * 32;
  if (memory > limits.memory) fail(d, CPICTURES_TOO_LARGE);
  choose_colours(d->png);
  libpng.png_read_update_info(d->png, d->info);
  if (libpng.png_get_rowbytes(d->png, d->info) != (size_t)width * 4) fail(d, CPICTURES_DAMAGED);
  d->status = shrinker_begin(&d->shrinker, width, height, small_width, small_height, !is_interlaced);
  if (d->status != CPICTURES_DONE) longjmp(d->escape, 1);
  d->row = malloc((size_t)width * 4);
  if (!d->row) fail(d, CPICTURES_TOO_LARGE);
  read_rows(d, is_interlaced);
  shrinker_finish(&d->shrinker, image);
}

cpictures_status cpictures_decode_png(
    cpictures_read read, void *context, cpictures_limits limits, cpictures_image *image) {
  if (!libpng_is_there()) return CPICTURES_UNKNOWN;
  decoder *d = calloc(1, sizeof *d);
  if (!d) return CPICTURES_TOO_LARGE;
  d->read = read;
  d->context = context;
  if (!setjmp(d->escape)) {
    d->png = libpng.png_create_read_struct(PNG_LIBPNG_VER_STRING, d, on_error, on_warning);
    if (d->png) d->info = libpng.png_create_info_struct(d->png);
    if (!d->info) fail(d, CPICTURES_TOO_LARGE);
    decode(d, limits, image);
  }
  if (d->png) libpng.png_destroy_read_struct(&d->png, &d->info, NULL);
  shrinker_end(&d->shrinker);
  free(d->row);
  cpictures_status status = d->status;
  free(d);
  return status;
}

#endif
