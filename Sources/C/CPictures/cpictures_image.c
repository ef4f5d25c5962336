#ifdef SCROLLBACK_PICTURES

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <webp/encode.h>

#include "cpictures.h"
#include "cpictures_libraries.h"

#define JPEG_FUNCTIONS(USE) \
  USE(jpeg_CreateCompress) USE(jpeg_destroy_compress) USE(jpeg_finish_compress) USE(jpeg_mem_dest) \
  USE(jpeg_set_defaults) USE(jpeg_set_quality) USE(jpeg_start_compress) USE(jpeg_std_error) \
  USE(jpeg_write_scanlines)
CPICTURES_LIBRARY(libjpeg, CPICTURES_JPEG_FILE, JPEG_FUNCTIONS)

#define WEBP_FUNCTIONS(USE) \
  USE(WebPEncodeRGBA) USE(WebPFree)
CPICTURES_LIBRARY(libwebp, CPICTURES_WEBP_FILE, WEBP_FUNCTIONS)

void cpictures_free(cpictures_image *image) {
  free(image->pixels);
  image->pixels = NULL;
}

void cpictures_free_bytes(uint8_t *bytes) { free(bytes); }

// Where the pixel at (x, y) of the upright picture is in one of `width` × `height`.
static size_t place(uint32_t x, uint32_t y, uint32_t width, uint32_t height, int orientation) {
  uint32_t from_x = x, from_y = y;
  switch (orientation) {
    case 2: from_x = width - 1 - x; break;
    case 3: from_x = width - 1 - x, from_y = height - 1 - y; break;
    case 4: from_y = height - 1 - y; break;
    case 5: from_x = y, from_y = x; break;
    case 6: from_x = y, from_y = height - 1 - x; break;
    case 7: from_x = width - 1 - y, from_y = height - 1 - x; break;
    case 8: from_x = width - 1 - y, from_y = x; break;
  }
  return ((size_t)from_y * width + from_x) * 4;
}

cpictures_status cpictures_turn(cpictures_image *image, int orientation) {
  if (orientation < 2 || orientation > 8) return CPICTURES_DONE;
  uint8_t *turned = malloc((size_t)image->width * image->height * 4), *out = turned;
  if (!turned) return CPICTURES_TOO_LARGE;
  uint32_t width = orientation < 5 ? image->width : image->height;
  uint32_t height = orientation < 5 ? image->height : image->width;
  for (uint32_t y = 0; y < height; y++)
    for (uint32_t x = 0; x < width; x++, out += 4)
      memcpy(out, image->pixels + place(x, y, image->width, image->height, orientation), 4);
  free(image->pixels);
  image->pixels = turned;
  image->width = width;
  image->height = height;
  return CPICTURES_DONE;
}

typedef struct {
  struct jpeg_error_mgr manager;
  jmp_buf escape;
} jpeg_errors;

static void give_up(j_common_ptr info) { longjmp(((jpeg_errors *)info->err)->escape, 1); }

uint8_t *cpictures_encode_jpeg(const cpictures_image *image, int quality, size_t *count) {
  if (!libjpeg_is_there()) return NULL;
  struct jpeg_compress_struct info;
  jpeg_errors errors;
  unsigned char *bytes = NULL;
  unsigned long size = 0;
  info.err = libjpeg.jpeg_std_error(&errors.manager);
  errors.manager.error_exit = give_up;
  libjpeg.jpeg_CreateCompress(&info, JPEG_LIB_VERSION, sizeof info);
  if (setjmp(errors.escape)) {
    // The buffer is the library's until it has finished.
    libjpeg.jpeg_destroy_compress(&info);
    return NULL;
  }
  libjpeg.jpeg_mem_dest(&info, &bytes, &size);
  info.image_width = image->width;
  info.image_height = image->height;
  info.input_components = 4;
  info.in_color_space = JCS_EXT_RGBX;
  libjpeg.jpeg_set_defaults(&info);
  libjpeg.jpeg_set_quality(&info, quality, TRUE);
  info.optimize_coding = TRUE;
  libjpeg.jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = image->pixels + (size_t)info.next_scanline * image->width * 4;
    libjpeg.jpeg_write_scanlines(&info, &row, 1);
  }
  libjpeg.jpeg_finish_compress(&info);
  libjpeg.jpeg_destroy_compress(&info);
  *count = size;
  return bytes;
}

uint8_t *cpictures_encode_webp(const cpictures_image *image, float quality, size_t *count) {
  if (!libwebp_is_there()) return NULL;
  uint8_t *bytes = NULL, *copy;
  *count = libwebp.WebPEncodeRGBA(
      image->pixels, (int)image->width, (int)image->height, (int)image->width * 4, quality, &bytes);
  if (!*count) return NULL;
  copy = malloc(*count);
  if (copy) memcpy(copy, bytes, *count);
  libwebp.WebPFree(bytes);
  return copy;
}

#endif
