#ifdef SCROLLBACK_PICTURES

#include <stdlib.h>
#include <string.h>
#include <webp/decode.h>

#include "cpictures_shrinker.h"

enum { BUFFER_SIZE = 65536 };

// What the library takes: of a lossless picture it holds all pixels, and so it does of packed opacity.
static uint64_t memory_of(const WebPBitstreamFeatures *features, bool is_lossless) {
  uint64_t pixels = (uint64_t)features->width * (uint64_t)features->height;
  if (is_lossless) return pixels * 4;
  return features->has_alpha ? pixels * 5 : (uint64_t)features->width * 64;
}

static cpictures_status begin(
    WebPDecoderConfig *config, const uint8_t *start, size_t count, bool is_lossless, cpictures_limits limits) {
  uint32_t width, height;
  VP8StatusCode code = WebPGetFeatures(start, count, &config->input);
  if (code == VP8_STATUS_UNSUPPORTED_FEATURE) return CPICTURES_UNKNOWN;
  if (code != VP8_STATUS_OK || config->input.has_animation) return CPICTURES_DAMAGED;
  if ((uint64_t)config->input.width * (uint64_t)config->input.height > CPICTURES_MOST_PIXELS ||
      memory_of(&config->input, is_lossless) > limits.memory)
    return CPICTURES_TOO_LARGE;
  shrunk_size((uint32_t)config->input.width, (uint32_t)config->input.height, limits.side, &width, &height);
  config->options.use_scaling = width != (uint32_t)config->input.width;
  config->options.scaled_width = (int)width;
  config->options.scaled_height = (int)height;
  config->output.colorspace = MODE_RGBA;
  return CPICTURES_DONE;
}

static cpictures_status read_all(
    WebPIDecoder *decoder, cpictures_read read, void *context, uint8_t *buffer, long count) {
  VP8StatusCode code = VP8_STATUS_SUSPENDED;
  while (count > 0) {
    code = WebPIAppend(decoder, buffer, (size_t)count);
    if (code != VP8_STATUS_SUSPENDED) break;
    count = read(context, buffer, BUFFER_SIZE);
  }
  if (code == VP8_STATUS_OK) return CPICTURES_DONE;
  if (code == VP8_STATUS_OUT_OF_MEMORY) return CPICTURES_TOO_LARGE;
  return count < 0 ? CPICTURES_UNREADABLE : CPICTURES_DAMAGED;
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
    cpictures_read read, void *context, bool is_lossless, cpictures_limits limits, cpictures_image *image) {
  WebPDecoderConfig config;
  WebPIDecoder *decoder = NULL;
  uint8_t *buffer = malloc(BUFFER_SIZE);
  if (!buffer || !WebPInitDecoderConfig(&config)) {
    free(buffer);
    return CPICTURES_TOO_LARGE;
  }
  long count = read(context, buffer, BUFFER_SIZE);
  cpictures_status status =
      count < 0 ? CPICTURES_UNREADABLE : begin(&config, buffer, (size_t)count, is_lossless, limits);
  if (status == CPICTURES_DONE) {
    decoder = WebPIDecode(NULL, 0, &config);
    status = decoder ? read_all(decoder, read, context, buffer, count) : CPICTURES_TOO_LARGE;
  }
  if (status == CPICTURES_DONE) status = hand_over(&config.output, image);
  image->original_width = (uint32_t)config.input.width;
  image->original_height = (uint32_t)config.input.height;
  WebPIDelete(decoder);
  WebPFreeDecBuffer(&config.output);
  free(buffer);
  return status;
}

#endif
