// What Swift's module of the C library leaves out of malloc.h.
#pragma once

// Suits the heap of the C library (glibc) to a process that opens a database for a few milliseconds as often as for
// hours. To be called before there are threads; does nothing elsewhere.
void cmalloc_configure(void);
