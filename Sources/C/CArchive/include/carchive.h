// libarchive, loaded when the first archive is opened: with libxml2, ICU and all else that it needs it is half of what
// a command would have to wait for at its start. Nothing of it is needed to build: what is used of its interface, the
// same since libarchive 3.0, is written down here, and compared with its headers where they are.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What may be NULL is said of the functions alone.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

struct archive;
struct archive_entry;

// As its headers have them, to the letter.
#define ARCHIVE_EOF 1
#define ARCHIVE_OK 0
#define ARCHIVE_WARN (-20)
#define ARCHIVE_FILTER_NONE 0
#define ARCHIVE_FORMAT_RAW 0x90000

typedef ssize_t carchive_read_callback(struct archive *, void *context, const void **block);
typedef int64_t carchive_seek_callback(struct archive *, void *context, int64_t offset, int whence);

// The functions that are used: result, name, parameters.
#define CARCHIVE_FUNCTIONS(USE) \
  USE(mode_t, archive_entry_filetype, (struct archive_entry *)) \
  USE(const char *, archive_entry_hardlink, (struct archive_entry *)) \
  USE(const char *, archive_entry_pathname, (struct archive_entry *)) \
  USE(const char *, archive_entry_pathname_utf8, (struct archive_entry *)) \
  USE(int64_t, archive_entry_size, (struct archive_entry *)) \
  USE(int, archive_entry_size_is_set, (struct archive_entry *)) \
  USE(const char *, archive_error_string, (struct archive *)) \
  USE(int, archive_filter_code, (struct archive *, int)) \
  USE(int, archive_format, (struct archive *)) \
  USE(ssize_t, archive_read_data, (struct archive *, void *, size_t)) \
  USE(int, archive_read_free, (struct archive *)) \
  USE(struct archive *, archive_read_new, (void)) \
  USE(int, archive_read_next_header, (struct archive *, struct archive_entry **)) \
  USE(int, archive_read_open1, (struct archive *)) \
  USE(int, archive_read_set_callback_data, (struct archive *, void *)) \
  USE(int, archive_read_set_read_callback, (struct archive *, carchive_read_callback *)) \
  USE(int, archive_read_set_seek_callback, (struct archive *, carchive_seek_callback *)) \
  USE(int, archive_read_support_filter_bzip2, (struct archive *)) \
  USE(int, archive_read_support_filter_gzip, (struct archive *)) \
  USE(int, archive_read_support_filter_xz, (struct archive *)) \
  USE(int, archive_read_support_filter_zstd, (struct archive *)) \
  USE(int, archive_read_support_format_empty, (struct archive *)) \
  USE(int, archive_read_support_format_gnutar, (struct archive *)) \
  USE(int, archive_read_support_format_raw, (struct archive *)) \
  USE(int, archive_read_support_format_tar, (struct archive *)) \
  USE(int, archive_read_support_format_zip, (struct archive *)) \
  USE(const char *, archive_version_string, (void))

typedef struct {
#define CARCHIVE_FIELD(result, name, parameters) result (*_Nonnull name) parameters;
  CARCHIVE_FUNCTIONS(CARCHIVE_FIELD)
#undef CARCHIVE_FIELD
} carchive_functions;
#pragma clang diagnostic pop

// Returns the functions, or NULL where the library is not there. To be called from any thread.
const carchive_functions *_Nullable carchive_load(void);
