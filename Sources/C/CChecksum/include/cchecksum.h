// CRC-32 as in zlib, PNG and gzip (ISO 3309): crc32(0, bytes) is what any of their libraries says.
#pragma once
#include <stddef.h>
#include <stdint.h>

// Goes on with the checksum of what came before; begin with 0.
uint32_t cchecksum_crc32(uint32_t crc, const void *bytes, size_t count);
