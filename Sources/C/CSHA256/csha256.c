#include "csha256.h"

#include <string.h>

#include "csha256_x86.h"

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t value, int count) { return value >> count | value << (32 - count); }

static void add_block(csha256 *hash, const uint8_t *block) {
  uint32_t words[64];
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
               (uint32_t)block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + words[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  uint32_t s[8];
  memcpy(s, hash->state, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                   constants[i] + words[i];
    uint32_t two = (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s[7] = s[6];
    s[6] = s[5];
    s[5] = s[4];
    s[4] = s[3] + one;
    s[3] = s[2];
    s[2] = s[1];
    s[1] = s[0];
    s[0] = one + two;
  }
  for (int i = 0; i < 8; i++) hash->state[i] += s[i];
}

static void add_blocks(csha256 *hash, const uint8_t *blocks, size_t count) {
#ifdef CSHA256_X86
  if (has_sha_instructions()) return add_blocks_by_instructions(hash->state, constants, blocks, count);
#endif
  for (; count > 0; blocks += 64, count--) add_block(hash, blocks);
}

void csha256_begin(csha256 *hash) {
  static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(hash->state, first, sizeof first);
  hash->byte_count = 0;
}

void csha256_add(csha256 *hash, const void *bytes, size_t count) {
  const uint8_t *rest = bytes;
  size_t held = hash->byte_count % 64;
  hash->byte_count += count;
  if (held > 0) {
    size_t taken = 64 - held < count ? 64 - held : count;
    if (taken > 0) memcpy(hash->block + held, rest, taken);
    if (held + taken < 64) return;
    add_blocks(hash, hash->block, 1);
    rest += taken;
    count -= taken;
  }
  add_blocks(hash, rest, count / 64);
  if (count % 64 > 0) memcpy(hash->block, rest + count / 64 * 64, count % 64);
}

void csha256_end(csha256 *hash, uint8_t digest[32]) {
  uint64_t bits = hash->byte_count * 8;
  uint8_t end[72] = {0x80};
  size_t held = hash->byte_count % 64;
  size_t padding = held < 56 ? 56 - held : 120 - held;
  for (int i = 0; i < 8; i++) end[padding + i] = (uint8_t)(bits >> (56 - 8 * i));
  csha256_add(hash, end, padding + 8);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
