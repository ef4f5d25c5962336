#ifdef SCROLLBACK_PICTURES

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#include "cpictures_libraries.h"
#include "cpictures_shrinker.h"

#define FUNCTIONS(USE) \
  USE(WebPDecode) USE(WebPFreeDecBuffer) USE(WebPGetFeaturesInternal) USE(WebPInitDecoderConfigInternal)
CPICTURES_LIBRARY(libwebp, CPICTURES_WEBP_FILE, FUNCTIONS)

enum { FIRST_SIZE = 1 << 18, LOSSLESS = 2 };

typedef struct {
  uint8_t *start;
  size_t count;
} file;

// The packed picture is held whole: its library would, too, and twice while it grows.
static cpictures_status read_file(file *f, cpictures_read read, void *context, size_t most) {
  size_t room = 0;
  for (;;) {
    if (f->count > most) return CPICTURES_TOO_LARGE;
    if (f->count == room) {
      room = room ? room * 2 : FIRST_SIZE;
      uint8_t *start = realloc(f->start, room);
      if (!start) return CPICTURES_TOO_LARGE;
      f->start = start;
    }
    long count = read(context, f->start + f->count, room - f->count);
    if (count < 0) return CPICTURES_UNREADABLE;
    if (count == 0) return CPICTURES_DONE;
    f->count += (size_t)count;
  }
}

// What the library takes beside the codes: of a lossless picture it holds all pixels, and so it does of packed opacity.
static uint64_t memory_of(const WebPBitstreamFeatures *features) {
  uint64_t pixels = (uint64_t)features->width * (uint64_t)features->height;
  if (features->format == LOSSLESS || features->has_alpha) return pixels * 5;
  return (uint64_t)features->width * 64;
}

static cpictures_status begin(WebPDecoderConfig *config, const file *f, cpictures_limits limits) {
  uint32_t width, height;
  VP8StatusCode code = libwebp.WebPGetFeaturesInternal(f->start, f->count, &config->input, WEBP_DECODER_ABI_VERSION);
  if (code == VP8_STATUS_UNSUPPORTED_FEATURE) return CPICTURES_UNKNOWN;
  if (code != VP8_STATUS_OK || config->input.has_animation) return CPICTURES_DAMAGED;
  if ((uint64_t)config->input.width * (uint64_t)config->input.height > CPICTURES_MOST_PIXELS ||
      memory_of(&config->input) + f->count > limits.memory)
    return CPICTURES_TOO_LARGE;
  shrunk_size((uint32_t)config->input.width, (uint32_t)config->input.height, limits.side, &width, &height);
  config->options.use_scaling = width != (uint32_t)config->input.width;
  config->options.scaled_width = (int)width;
  config->options.scaled_height = (int)height;
  config->output.colorspace = MODE_RGBA;
  return CPICTURES_DONE;
}

static cpictures_status decode(WebPDecoderConfig *config, const file *f) {
  switch (libwebp.WebPDecode(f->start, f->count, config)) {
    case VP8_STATUS_OK: return CPICTURES_DONE;
    case VP8_STATUS_OUT_OF_MEMORY: return CPICTURES_TOO_LARGE;
    case VP8_STATUS_UNSUPPORTED_FEATURE: return CPICTURES_UNKNOWN;
    default: return CPICTURES_DAMAGED;
  }
}

static cpictures_status hand_over(const WebPDecBuffer *output, cpictures_image *image) {
  uint32_t width = (uint32_t)output->width, height = (uint32_t)output->height;
  image->pixels = malloc((size_t)width * height * 4);
  if (!image->pixels) return CPICTURES_TOO_LARGE;
  image->width = width;
  image->height = height;
  image->has_transparency = false;
  for (uint32_t y = 0; y < height; y++)
    memcpy(
        image->pixels + (size_t)y * width * 4, output->u.RGBA.rgba + (size_t)y * (size_t)output->u.RGBA.stride,
        (size_t)width * 4);
  for (size_t i = 0; i < (size_t)width * height; i++)
    if (image->pixels[i * 4 + 3] != 255) image->has_transparency = true;
  return CPICTURES_DONE;
}

cpictures_status cpictures_decode_webp(
    cpictures_read read, void *context, cpictures_limits limits, cpictures_image *image) {
  WebPDecoderConfig config;
  file f = {NULL, 0};
  if (!libwebp_is_there() || !libwebp.WebPInitDecoderConfigInternal(&config, WEBP_DECODER_ABI_VERSION))
    return CPICTURES_UNKNOWN;
  cpictures_status status = read_file(&f, read, context, limits.memory);
  if (status == CPICTURES_DONE) status = begin(&config, &f, limits);
  if (status == CPICTURES_DONE) status = decode(&config, &f);
  if (status == CPICTURES_DONE) status = hand_over(&config.output, image);
  image->original_width = (uint32_t)config.input.width;
  image->original_height = (uint32_t)config.input.height;
  libwebp.WebPFreeDecBuffer(&config.output);
  free(f.start);
  return status;
}

#endif
