#ifdef SCROLLBACK_PICTURES

#include "cpictures_shrinker.h"

#include <stdlib.h>
#include <string.h>

static uint32_t scaled(uint32_t length, uint32_t side, uint32_t longest) {
  uint64_t result = ((uint64_t)length * side + longest / 2) / longest;
  return result ? (uint32_t)result : 1;
}

void shrunk_size(uint32_t width, uint32_t height, uint32_t side, uint32_t *small_width, uint32_t *small_height) {
  uint32_t longest = width > height ? width : height;
  *small_width = longest > side ? scaled(width, side, longest) : width;
  *small_height = longest > side ? scaled(height, side, longest) : height;
}

cpictures_status shrinker_begin(
    shrinker *s, uint32_t width, uint32_t height, uint32_t small_width, uint32_t small_height, bool in_order) {
  memset(s, 0, sizeof *s);
  if (!width || !height) return CPICTURES_DAMAGED;
  if ((uint64_t)width * height > CPICTURES_MOST_PIXELS) return CPICTURES_TOO_LARGE;
  s->width = width;
  s->height = height;
  s->small.width = small_width;
  s->small.height = small_height;
  s->small.original_width = width;
  s->small.original_height = height;
  // A row falls on two rows of small pixels at most.
  s->rows_held = in_order && small_height > 2 ? 2 : small_height;
  s->small.pixels = calloc((size_t)small_width * small_height, 4);
  s->sums = calloc((size_t)small_width * s->rows_held, 4 * sizeof(uint64_t));
  s->line = calloc(small_width, 4 * sizeof(uint64_t));
  if (s->small.pixels && s->sums && s->line) return CPICTURES_DONE;
  shrinker_end(s);
  return CPICTURES_TOO_LARGE;
}

void shrinker_end(shrinker *s) {
  free(s->small.pixels);
  free(s->sums);
  free(s->line);
  s->small.pixels = NULL;
  s->sums = s->line = NULL;
}

static uint64_t *row_of_sums(shrinker *s, uint32_t row) {
  return s->sums + (size_t)(row % s->rows_held) * s->small.width * 4;
}

static void add_line(uint64_t *to, const uint64_t *line, uint64_t weight, uint32_t width) {
  if (!weight) return;
  for (size_t i = 0; i < (size_t)width * 4; i++) to[i] += line[i] * weight;
}

// Divides the sums of a row by its weights.
static void complete(shrinker *s) {
  uint64_t *sums = row_of_sums(s, s->rows_done);
  uint8_t *out = s->small.pixels + (size_t)s->rows_done * s->small.width * 4;
  uint64_t whole = (uint64_t)s->width * s->height;
  for (uint32_t x = 0; x < s->small.width; x++, sums += 4, out += 4) {
    uint64_t opacity = sums[3];
    for (int c = 0; c < 3; c++) out[c] = opacity ? (uint8_t)((sums[c] + opacity / 2) / opacity) : 0;
    out[3] = (uint8_t)((opacity + whole / 2) / whole);
    if (out[3] != 255) s->small.has_transparency = true;
    memset(sums, 0, 4 * sizeof *sums);
  }
  s->rows_done++;
}

static inline void add_pixel(uint64_t *sum, const uint8_t *pixel, uint64_t weight) {
  uint64_t opacity = pixel[3] * weight;
  sum[0] += pixel[0] * opacity;
  sum[1] += pixel[1] * opacity;
  sum[2] += pixel[2] * opacity;
  sum[3] += opacity;
}

// Lengths are counted in units of which a pixel of the source has small_width and a small pixel has width (and so for
// heights): all weights are whole numbers.
void shrinker_add(shrinker *s, uint32_t y, uint32_t x, uint32_t step, uint32_t count, const uint8_t *rgba) {
  uint32_t small_width = s->small.width, small_height = s->small.height;
  memset(s->line, 0, (size_t)small_width * 4 * sizeof(uint64_t));
  uint64_t start = (uint64_t)x * small_width, left = start / s->width, border = (left + 1) * s->width;
  for (uint32_t i = 0; i < count; i++, rgba += 4, start += (uint64_t)step * small_width) {
    while (start >= border) left++, border += s->width;
    uint64_t end = start + small_width;
    add_pixel(s->line + left * 4, rgba, (end < border ? end : border) - start);
    if (end > border) add_pixel(s->line + left * 4 + 4, rgba, end - border);
  }
  uint64_t top = (uint64_t)y * small_height, bottom = top + small_height;
  uint32_t row = (uint32_t)(top / s->height);
  uint64_t edge = (uint64_t)(row + 1) * s->height;
  add_line(row_of_sums(s, row), s->line, (bottom < edge ? bottom : edge) - top, small_width);
  if (bottom > edge) add_line(row_of_sums(s, row + 1), s->line, bottom - edge, small_width);
  if (s->rows_held == small_height) return;
  while (s->rows_done < small_height && bottom >= (uint64_t)(s->rows_done + 1) * s->height) complete(s);
}

void shrinker_finish(shrinker *s, cpictures_image *image) {
  while (s->rows_done < s->small.height) complete(s);
  *image = s->small;
  s->small.pixels = NULL;
  shrinker_end(s);
}

cpictures_status cpictures_shrink(const cpictures_image *image, uint32_t side, cpictures_image *smaller) {
  shrinker s;
  uint32_t width, height;
  shrunk_size(image->width, image->height, side, &width, &height);
  cpictures_status status = shrinker_begin(&s, image->width, image->height, width, height, true);
  if (status != CPICTURES_DONE) return status;
  for (uint32_t y = 0; y < image->height; y++)
    shrinker_add(&s, y, 0, 1, image->width, image->pixels + (size_t)y * image->width * 4);
  shrinker_finish(&s, smaller);
  return CPICTURES_DONE;
}

#endif
