// libarchive, loaded when the first archive is opened: with libxml2, ICU and all else that it needs it is half of what
// a command would have to wait for at its start.
#pragma once

#include <archive.h>
#include <archive_entry.h>

// The functions that are used.
#define CARCHIVE_FUNCTIONS(USE) \
  USE(archive_entry_filetype) \
  USE(archive_entry_hardlink) \
  USE(archive_entry_pathname) \
  USE(archive_entry_pathname_utf8) \
  USE(archive_entry_size) \
  USE(archive_entry_size_is_set) \
  USE(archive_error_string) \
  USE(archive_filter_code) \
  USE(archive_format) \
  USE(archive_read_data) \
  USE(archive_read_free) \
  USE(archive_read_new) \
  USE(archive_read_next_header) \
  USE(archive_read_open1) \
  USE(archive_read_set_callback_data) \
  USE(archive_read_set_read_callback) \
  USE(archive_read_set_seek_callback) \
  USE(archive_read_support_filter_bzip2) \
  USE(archive_read_support_filter_gzip) \
  USE(archive_read_support_filter_xz) \
  USE(archive_read_support_filter_zstd) \
  USE(archive_read_support_format_empty) \
  USE(archive_read_support_format_gnutar) \
  USE(archive_read_support_format_raw) \
  USE(archive_read_support_format_tar) \
  USE(archive_read_support_format_zip) \
  USE(archive_version_string)

typedef struct {
#define CARCHIVE_FIELD(name) __typeof__(&name) _Nonnull name;
  CARCHIVE_FUNCTIONS(CARCHIVE_FIELD)
#undef CARCHIVE_FIELD
} carchive_functions;

// Returns the functions, or NULL where the library is not there. To be called from any thread.
const carchive_functions *_Nullable carchive_load(void);
