#ifdef SCROLLBACK_PICTURES

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

#include "cpictures_libraries.h"
#include "cpictures_shrinker.h"

#define FUNCTIONS(USE) \
  USE(jpeg_CreateDecompress) USE(jpeg_destroy_decompress) USE(jpeg_read_header) USE(jpeg_read_scanlines) \
  USE(jpeg_resync_to_restart) USE(jpeg_start_decompress) USE(jpeg_std_error)
CPICTURES_LIBRARY(libjpeg, CPICTURES_JPEG_FILE, FUNCTIONS)

enum { BUFFER_SIZE = 65536, MOST_SCANS = 100 };

typedef struct {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  cpictures_read read;
  void *context;
  cpictures_status status;
  shrinker shrinker;
  uint8_t *row, *pixels;
  uint8_t buffer[BUFFER_SIZE];
} decoder;

static void fail(decoder *d, cpictures_status status) {
  d->status = status;
  longjmp(d->escape, 1);
}

static void on_error(j_common_ptr info) {
  decoder *d = info->client_data;
  switch (info->err->msg_code) {
    case JERR_NO_BACKING_STORE:
    case JERR_OUT_OF_MEMORY:
    case JERR_IMAGE_TOO_BIG: fail(d, CPICTURES_TOO_LARGE);
    case JERR_SOF_UNSUPPORTED:
    case JERR_ARITH_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL: fail(d, CPICTURES_UNKNOWN);
    default: fail(d, CPICTURES_DAMAGED);
  }
}

// Negative levels are warnings. Cameras leave bytes between markers; anything else means that pixels are wrong.
static void on_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  switch (info->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR: return;
    default: fail(info->client_data, CPICTURES_DAMAGED);
  }
}

// A small file can hold thousands of scans over a large picture.
static void on_progress(j_common_ptr info) {
  if (((j_decompress_ptr)info)->input_scan_number > MOST_SCANS) fail(info->client_data, CPICTURES_TOO_LARGE);
}

static boolean fill(j_decompress_ptr info) {
  decoder *d = info->client_data;
  long count = d->read(d->context, d->buffer, BUFFER_SIZE);
  if (count < 0) fail(d, CPICTURES_UNREADABLE);
  if (count == 0) fail(d, CPICTURES_DAMAGED);
  d->source.next_input_byte = d->buffer;
  d->source.bytes_in_buffer = (size_t)count;
  return TRUE;
}

static void skip(j_decompress_ptr info, long count) {
  decoder *d = info->client_data;
  while (count > (long)d->source.bytes_in_buffer) {
    count -= (long)d->source.bytes_in_buffer;
    fill(info);
  }
  if (count <= 0) return;
  d->source.next_input_byte += count;
  d->source.bytes_in_buffer -= (size_t)count;
}

static void nothing(j_decompress_ptr info) { (void)info; }

static void connect(decoder *d) {
  d->source.init_source = nothing;
  d->source.fill_input_buffer = fill;
  d->source.skip_input_data = skip;
  d->source.resync_to_restart = libjpeg.jpeg_resync_to_restart;
  d->source.term_source = nothing;
  d->progress.progress_monitor = on_progress;
  d->info.src = &d->source;
  d->info.progress = &d->progress;
}

// The smallest of the scales 1/8 … 8/8 that is not below the size wanted.
static void choose_scale(j_decompress_ptr info, uint32_t side) {
  uint64_t longest = info->image_width > info->image_height ? info->image_width : info->image_height;
  info->scale_denom = 8;
  for (info->scale_num = 1; info->scale_num < 8; info->scale_num++)
    if ((longest * info->scale_num + 7) / 8 >= side) return;
}

static void choose_colours(decoder *d) {
  bool is_ink = d->info.jpeg_color_space == JCS_CMYK || d->info.jpeg_color_space == JCS_YCCK;
  d->info.out_color_space = is_ink ? JCS_CMYK : JCS_EXT_RGBA;
}

// Ink is stored as what it leaves of the light (Adobe's way, the only one met).
static void light(const uint8_t *ink, uint8_t *rgba, uint32_t count) {
  for (uint32_t i = 0; i < count; i++, ink += 4, rgba += 4) {
    for (int c = 0; c < 3; c++) rgba[c] = (uint8_t)(ink[c] * ink[3] / 255);
    rgba[3] = 255;
  }
}

static void read_rows(decoder *d) {
  while (d->info.output_scanline < d->info.output_height) {
    uint32_t y = d->info.output_scanline;
    JSAMPROW row = d->row;
    if (libjpeg.jpeg_read_scanlines(&d->info, &row, 1) != 1) fail(d, CPICTURES_DAMAGED);
    if (d->info.out_color_space == JCS_CMYK) light(d->row, d->pixels, d->info.output_width);
    const uint8_t *pixels = d->info.out_color_space == JCS_CMYK ? d->pixels : d->row;
    shrinker_add(&d->shrinker, y, 0, 1, d->info.output_width, pixels);
  }
}

static void decode(decoder *d, cpictures_limits limits, cpictures_image *image) {
  uint32_t width, height;
  connect(d);
  if (libjpeg.jpeg_read_header(&d->info, TRUE) != JPEG_HEADER_OK) fail(d, CPICTURES_DAMAGED);
  if ((uint64_t)d->info.image_width * d->info.image_height > CPICTURES_MOST_PIXELS) fail(d, CPICTURES_TOO_LARGE);
  choose_scale(&d->info, limits.side);
  choose_colours(d);
  shrunk_size(d->info.image_width, d->info.image_height, limits.side, &width, &height);
  // What the small picture takes, and a few rows.
  size_t own = (size_t)width * height * 4 + (size_t)d->info.image_width * 64;
  if (own >= limits.memory) fail(d, CPICTURES_TOO_LARGE);
  d->info.mem->max_memory_to_use = (long)(limits.memory - own);
  libjpeg.jpeg_start_decompress(&d->info);
  if (width > d->info.output_width) width = d->info.output_width;
  if (height > d->info.output_height) height = d->info.output_height;
  d->status =
      shrinker_begin(&d->shrinker, d->info.output_width, d->info.output_height, width, height, true);
  if (d->status != CPICTURES_DONE) longjmp(d->escape, 1);
  d->row = malloc((size_t)d->info.output_width * 4);
  d->pixels = malloc((size_t)d->info.output_width * 4);
  if (!d->row || !d->pixels) fail(d, CPICTURES_TOO_LARGE);
  read_rows(d);
  shrinker_finish(&d->shrinker, image);
  image->original_width = d->info.image_width;
  image->original_height = d->info.image_height;
}

cpictures_status cpictures_decode_jpeg(
    cpictures_read read, void *context, cpictures_limits limits, cpictures_image *image) {
  if (!libjpeg_is_there()) return CPICTURES_UNKNOWN;
  decoder *d = calloc(1, sizeof *d);
  if (!d) return CPICTURES_TOO_LARGE;
  d->read = read;
  d->context = context;
  d->info.err = libjpeg.jpeg_std_error(&d->errors);
  d->errors.error_exit = on_error;
  d->errors.emit_message = on_message;
  d->info.client_data = d;
  if (!setjmp(d->escape)) {
    libjpeg.jpeg_CreateDecompress(&d->info, JPEG_LIB_VERSION, sizeof d->info);
    decode(d, limits, image);
  }
  libjpeg.jpeg_destroy_decompress(&d->info);
  shrinker_end(&d->shrinker);
  free(d->row);
  free(d->pixels);
  cpictures_status status = d->status;
  free(d);
  return status;
}

#endif
