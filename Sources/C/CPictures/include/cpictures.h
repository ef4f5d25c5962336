// Pictures, decoded in bounded memory: shrunk row by row while they are read, so that the whole of one is never held.
//
// The error handling of libjpeg and libpng (setjmp) stays in here. On Linux a library is loaded with the first picture
// that needs it; without it such pictures are unknown. Empty unless the trait Pictures is on.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Puts at most `count` of the next bytes into `into` and returns how many; 0 at the end, -1 if reading failed.
typedef long (*cpictures_read)(void *context, uint8_t *into, size_t count);

typedef enum {
  CPICTURES_DONE,
  CPICTURES_DAMAGED,
  // It would take more memory or work than is allowed.
  CPICTURES_TOO_LARGE,
  CPICTURES_UNREADABLE,
  // A variant of the format that the library does not know.
  CPICTURES_UNKNOWN
} cpictures_status;

// Rows of four bytes a pixel (red, green, blue, opacity; colours not multiplied), from the top.
typedef struct {
  uint8_t *pixels;
  uint32_t width;
  uint32_t height;
  bool has_transparency;
  // Those of the picture that it was made of.
  uint32_t original_width;
  uint32_t original_height;
} cpictures_image;

typedef struct {
  // The longest side of the result; a smaller picture keeps its size.
  uint32_t side;
  // What the decoder itself may take, in bytes.
  size_t memory;
} cpictures_limits;

// Decodes a picture, the first one if there are several. Unless the result is CPICTURES_DONE, `image` holds nothing.
cpictures_status cpictures_decode_jpeg(cpictures_read, void *context, cpictures_limits, cpictures_image *image);
cpictures_status cpictures_decode_png(cpictures_read, void *context, cpictures_limits, cpictures_image *image);
cpictures_status cpictures_decode_gif(cpictures_read, void *context, cpictures_limits, cpictures_image *image);
// `limits.memory`: without what the library takes for prefix codes, of which it does not tell.
cpictures_status cpictures_decode_webp(cpictures_read, void *context, cpictures_limits, cpictures_image *image);

// Makes a smaller copy.
cpictures_status cpictures_shrink(const cpictures_image *, uint32_t side, cpictures_image *smaller);
// Turns a picture upright that has been taken with this orientation (EXIF, 1 to 8).
cpictures_status cpictures_turn(cpictures_image *, int orientation);

// Return the bytes of a file, or NULL; the caller frees them with cpictures_free_bytes.
uint8_t *cpictures_encode_jpeg(const cpictures_image *, int quality, size_t *count);
uint8_t *cpictures_encode_webp(const cpictures_image *, float quality, size_t *count);
void cpictures_free_bytes(uint8_t *);
// Frees the pixels.
void cpictures_free(cpictures_image *);

typedef enum { CPICTURES_BLOCKS, CPICTURES_SIXELS, CPICTURES_KITTY, CPICTURES_ITERM } cpictures_mode;
typedef struct cpictures_terminal cpictures_terminal;

// What a terminal can show, by its environment ("NAME=value" each, NULL-terminated). SCROLLBACK_PICTURES overrides it:
// kitty, sixels, iterm or blocks. NULL where libchafa is not there.
cpictures_terminal *cpictures_terminal_of(char **environment);
cpictures_mode cpictures_terminal_mode(const cpictures_terminal *);
// Has half blocks drawn whatever else the terminal can.
void cpictures_terminal_keep_to_blocks(cpictures_terminal *);
void cpictures_terminal_free(cpictures_terminal *);
// Draws a picture over so many character cells, of so many pixels each, and returns a string per row of cells
// (`rows` strings, one after the other, each ended by a zero byte); NULL if it cannot. The caller frees it with
// cpictures_free_bytes.
uint8_t *cpictures_draw(
    const cpictures_terminal *, const cpictures_image *, uint32_t columns, uint32_t rows, uint32_t cell_width,
    uint32_t cell_height, size_t *count);
