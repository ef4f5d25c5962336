// What Swift's module of the C library leaves out of malloc.h.
#pragma once

// Suits the heap of the C library (glibc) to a process that opens a database for a few milliseconds as often as for
// hours. To be called before there are threads; does nothing elsewhere.
void cmalloc_configure(void);

// Gives threads up to `count` heaps, for work that allocates on several of them all the time: with one they wait for
// each other. To be called after cmalloc_configure and before there are threads; does nothing elsewhere.
void cmalloc_use_heaps(int count);
