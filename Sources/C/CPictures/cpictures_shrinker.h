// Shrinks a picture while its rows come in, by the mean of the pixels that fall on each small one.
#pragma once

#include "cpictures.h"

// No picture of more pixels is decoded, however little memory it would take.
#define CPICTURES_MOST_PIXELS ((uint64_t)1 << 28)

typedef struct {
  uint32_t width, height;
  cpictures_image small;
  // Of each channel, weighted by opacity: sums over the rows of small pixels that are not complete yet.
  uint64_t *sums;
  uint64_t *line;
  uint32_t rows_held;
  uint32_t rows_done;
} shrinker;

// The size that a picture gets whose longest side may be `side`.
void shrunk_size(uint32_t width, uint32_t height, uint32_t side, uint32_t *small_width, uint32_t *small_height);
// `in_order`: whether rows come from the top to the bottom, each of them whole.
cpictures_status shrinker_begin(
    shrinker *, uint32_t width, uint32_t height, uint32_t small_width, uint32_t small_height, bool in_order);
// Takes the pixels of row `y` at x, x + step, x + 2 step …
void shrinker_add(shrinker *, uint32_t y, uint32_t x, uint32_t step, uint32_t count, const uint8_t *rgba);
// Hands the small picture over.
void shrinker_finish(shrinker *, cpictures_image *image);
// Frees all that was not handed over; a second time does nothing.
void shrinker_end(shrinker *);
