#ifdef SCROLLBACK_PICTURES

#include <gif_lib.h>
#include <stdlib.h>
#include <string.h>

#include "cpictures_libraries.h"
#include "cpictures_shrinker.h"

#define FUNCTIONS(USE) \
  USE(DGifCloseFile) USE(DGifGetExtension) USE(DGifGetExtensionNext) USE(DGifGetImageDesc) USE(DGifGetLine) \
  USE(DGifGetRecordType) USE(DGifOpen)
CPICTURES_LIBRARY(libgif, "libgif.so.7", FUNCTIONS)

typedef struct {
  cpictures_read read;
  void *context;
  bool has_failed;
} reader;

typedef struct {
  GifFileType *gif;
  shrinker shrinker;
  GifPixelType *indexes;
  uint8_t *row;
  int transparent;
} decoder;

static int read_bytes(GifFileType *gif, GifByteType *into, int count) {
  reader *r = gif->UserData;
  int done = 0;
  while (done < count) {
    long got = r->read(r->context, into + done, (size_t)(count - done));
    if (got < 0) r->has_failed = true;
    if (got <= 0) break;
    done += (int)got;
  }
  return done;
}

// Skips an extension, but for the colour that stands for none.
static bool take_extension(decoder *d) {
  int code;
  GifByteType *block;
  if (libgif.DGifGetExtension(d->gif, &code, &block) != GIF_OK) return false;
  while (block) {
    if (code == GRAPHICS_EXT_FUNC_CODE && block[0] >= 4) d->transparent = block[1] & 1 ? block[4] : -1;
    if (libgif.DGifGetExtensionNext(d->gif, &block) != GIF_OK) return false;
  }
  return true;
}

// Goes to the first picture of the file.
static bool find_frame(decoder *d) {
  GifRecordType type;
  while (libgif.DGifGetRecordType(d->gif, &type) == GIF_OK) {
    if (type == IMAGE_DESC_RECORD_TYPE) return libgif.DGifGetImageDesc(d->gif) == GIF_OK;
    if (type != EXTENSION_RECORD_TYPE || !take_extension(d)) return false;
  }
  return false;
}

static void paint(decoder *d, const ColorMapObject *colours, uint32_t count) {
  for (uint32_t x = 0; x < count; x++) {
    int index = d->indexes[x];
    uint8_t *pixel = d->row + (size_t)x * 4;
    bool is_known = index < colours->ColorCount;
    GifColorType colour = is_known ? colours->Colors[index] : (GifColorType){0, 0, 0};
    pixel[0] = colour.Red, pixel[1] = colour.Green, pixel[2] = colour.Blue;
    pixel[3] = index == d->transparent || !is_known ? 0 : 255;
  }
}

// Where the frame leaves the canvas free nothing is added: it stays transparent.
static cpictures_status read_rows(decoder *d) {
  static const int starts[] = {0, 4, 2, 1}, steps[] = {8, 8, 4, 2};
  GifImageDesc frame = d->gif->Image;
  const ColorMapObject *colours = frame.ColorMap ? frame.ColorMap : d->gif->SColorMap;
  if (!colours) return CPICTURES_DAMAGED;
  for (int pass = 0; pass < (frame.Interlace ? 4 : 1); pass++) {
    int step = frame.Interlace ? steps[pass] : 1;
    for (int y = frame.Interlace ? starts[pass] : 0; y < frame.Height; y += step) {
      if (libgif.DGifGetLine(d->gif, d->indexes, frame.Width) != GIF_OK) return CPICTURES_DAMAGED;
      paint(d, colours, (uint32_t)frame.Width);
      shrinker_add(
          &d->shrinker, (uint32_t)(frame.Top + y), (uint32_t)frame.Left, 1, (uint32_t)frame.Width, d->row);
    }
  }
  return CPICTURES_DONE;
}

static cpictures_status decode(decoder *d, cpictures_limits limits, cpictures_image *image) {
  uint32_t width, height;
  if (!find_frame(d)) return CPICTURES_DAMAGED;
  GifImageDesc frame = d->gif->Image;
  if (d->gif->SWidth <= 0 || d->gif->SHeight <= 0 || frame.Width <= 0 || frame.Height <= 0 || frame.Left < 0 ||
      frame.Top < 0 || frame.Left + frame.Width > d->gif->SWidth || frame.Top + frame.Height > d->gif->SHeight)
    return CPICTURES_DAMAGED;
  shrunk_size((uint32_t)d->gif->SWidth, (uint32_t)d->gif->SHeight, limits.side, &width, &height);
  if ((uint64_t)width * height * 36 + (uint64_t)frame.Width * 5 > limits.memory) return CPICTURES_TOO_LARGE;
  cpictures_status status = shrinker_begin(
      &d->shrinker, (uint32_t)d->gif->SWidth, (uint32_t)d->gif->SHeight, width, height, false);
  if (status != CPICTURES_DONE) return status;
  d->indexes = malloc((size_t)frame.Width);
  d->row = malloc((size_t)frame.Width * 4);
  if (!d->indexes || !d->row) return CPICTURES_TOO_LARGE;
  status = read_rows(d);
  if (status == CPICTURES_DONE) shrinker_finish(&d->shrinker, image);
  return status;
}

cpictures_status cpictures_decode_gif(
    cpictures_read read, void *context, cpictures_limits limits, cpictures_image *image) {
  if (!libgif_is_there()) return CPICTURES_UNKNOWN;
  decoder d;
  reader r = {read, context, false};
  int error;
  memset(&d, 0, sizeof d);
  d.transparent = -1;
  d.gif = libgif.DGifOpen(&r, read_bytes, &error);
  if (!d.gif) return r.has_failed ? CPICTURES_UNREADABLE : CPICTURES_DAMAGED;
  cpictures_status status = decode(&d, limits, image);
  libgif.DGifCloseFile(d.gif, &error);
  shrinker_end(&d.shrinker);
  free(d.indexes);
  free(d.row);
  return status == CPICTURES_DAMAGED && r.has_failed ? CPICTURES_UNREADABLE : status;
}

#endif
