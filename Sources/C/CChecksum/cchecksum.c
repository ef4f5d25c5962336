#include "cchecksum.h"

#include <string.h>

static uint32_t tables[8][256];

// Before anything runs: asking each time whether it was done took a tenth of a short text.
__attribute__((constructor)) static void fill(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    tables[0][byte] = crc;
  }
  for (int slice = 1; slice < 8; slice++)
    for (int byte = 0; byte < 256; byte++)
      tables[slice][byte] = tables[slice - 1][byte] >> 8 ^ tables[0][tables[slice - 1][byte] & 0xFF];
}

static inline uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

uint32_t cchecksum_crc32(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *place = bytes;
  crc = ~crc;
  // Eight bytes at a time ("slicing-by-8", Kounavis and Berry 2005).
  for (; count >= 8; count -= 8, place += 8) {
    uint32_t low = number(place) ^ crc, high = number(place + 4);
    crc = tables[7][low & 0xFF] ^ tables[6][low >> 8 & 0xFF] ^ tables[5][low >> 16 & 0xFF] ^ tables[4][low >> 24] ^
          tables[3][high & 0xFF] ^ tables[2][high >> 8 & 0xFF] ^ tables[1][high >> 16 & 0xFF] ^ tables[0][high >> 24];
  }
  for (; count > 0; count--, place++) crc = crc >> 8 ^ tables[0][(crc ^ *place) & 0xFF];
  return ~crc;
}
