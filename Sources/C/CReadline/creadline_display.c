#include "creadline.h"

#include <stdio.h>

#include <readline/readline.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// MARK: What is shown of the line

// How many bytes of text stand for one that would control the terminal: "⟨U+202E⟩".
enum { PICTURE_SIZE = 12 };

static bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The character that begins at `bytes`, and how many bytes it has; 0 for a byte that begins none.
static unsigned decode(const unsigned char *bytes, int count, int *length) {
  *length = 1;
  if (bytes[0] < 0x80) return bytes[0];
  int size = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC2 ? 2 : 0;
  if (size == 0 || size > count) return 0;
  unsigned value = bytes[0] & (0xFF >> (size + 1));
  for (int index = 1; index < size; index++) {
    if (!is_continuation(bytes[index])) return 0;
    value = value << 6 | (bytes[index] & 0x3F);
  }
  *length = size;
  return value;
}

// Whether readline would write it as it is though it controls a terminal or turns text around. (C0 it shows as ^X.)
static bool is_hidden(unsigned character) {
  return (character >= 0x80 && character < 0xA0) || (character >= 0x2028 && character <= 0x202E) ||
         (character >= 0x2066 && character <= 0x2069);
}

static bool has_hidden(const char *line, int count) {
  for (int place = 0, length; place < count; place += length) {
    unsigned character = decode((const unsigned char *)line + place, count - place, &length);
    if (character == 0 || is_hidden(character)) return true;
  }
  return false;
}

static int shown_count;

int creadline_shown_byte_count(void) { return shown_count; }

// Readline draws what is in its global, so another line takes its place there while it does.
static void redisplay(void) {
  shown_count = rl_end;
  if (!rl_line_buffer || !has_hidden(rl_line_buffer, rl_end)) {
    rl_redisplay();
    return;
  }
  char *shown = malloc((size_t)rl_end * PICTURE_SIZE + 1);
  if (!shown) return;
  char *line = rl_line_buffer;
  int end = rl_end, point = rl_point, mark = rl_mark, count = 0, length;
  for (int place = 0; place < end; place += length) {
    if (place == point) rl_point = count;
    if (place == mark) rl_mark = count;
    unsigned character = decode((unsigned char *)line + place, end - place, &length);
    if (character == 0) count += sprintf(shown + count, "\uFFFD");
    else if (is_hidden(character)) count += sprintf(shown + count, "⟨U+%04X⟩", character);
    else memcpy(shown + count, line + place, (size_t)length), count += length;
  }
  if (point >= end) rl_point = count;
  if (mark >= end) rl_mark = count;
  shown[count] = '\0';
  rl_line_buffer = shown;
  shown_count = rl_end = count;
  rl_redisplay();
  rl_line_buffer = line;
  rl_end = end, rl_point = point, rl_mark = mark;
  free(shown);
}

// MARK: What is read

static int read_error;

int creadline_read_error(void) { return read_error; }

// What was typed before readline had the terminal.
static unsigned char *fed;
static int fed_count, fed_place;

void creadline_feed(const unsigned char *bytes, int count) {
  if (count <= 0) return;
  unsigned char *more = realloc(fed, (size_t)fed_count + (size_t)count);
  if (!more) return;
  memcpy(more + fed_count, bytes, (size_t)count);
  fed = more, fed_count += count;
}

bool creadline_has_input(void) { return fed_place < fed_count; }

// Readline takes a terminal that cannot be read for one that has ended.
static int get_char(FILE *stream) {
  if (creadline_has_input()) return fed[fed_place++];
  errno = 0;
  int character = rl_getc(stream);
  read_error = character < 0 ? errno : 0;
  // On an empty line readline takes Ctrl-D for the end of input before it looks for what the key is bound to.
  bool moves = rl_end == 0 && rl_editing_mode == 0 && rl_get_keymap() == vi_movement_keymap;
  return character == 4 && moves ? CREADLINE_HALF_PAGE : character;
}

void creadline_take_hooks(void) {
  rl_redisplay_function = redisplay;
  rl_getc_function = get_char;
}
