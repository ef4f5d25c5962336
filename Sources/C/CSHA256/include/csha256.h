// SHA-256 (FIPS 180-4), streaming. No allocation, no failure.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
  uint32_t state[8];
  uint64_t byte_count;
  uint8_t block[64];
} csha256;

void csha256_begin(csha256 *hash);
void csha256_add(csha256 *hash, const void *bytes, size_t count);
// Writes the 32 bytes of the digest; the hash must begin anew afterwards.
void csha256_end(csha256 *hash, uint8_t digest[32]);
