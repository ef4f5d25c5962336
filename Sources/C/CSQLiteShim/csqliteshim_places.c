#include "csqliteshim.h"
#include <stdint.h>

// Runs of words that were found, by the numbers of their first and last words; later where they stand in the text.
struct places {
  int32_t (*runs)[2];
  int count;
  int next;
  int word;
  int start;
};

// Collects what was found. FTS5 tells it in order of the first words.
static int collect(const Fts5ExtensionApi *api, Fts5Context *context, struct places *places) {
  int found = 0;
  int result = api->xInstCount(context, &found);
  if (result != SQLITE_OK || found == 0) return result;
  places->runs = sqlite3_malloc64((sqlite3_uint64)found * sizeof *places->runs);
  if (!places->runs) return SQLITE_NOMEM;
  for (int index = 0; index < found; index++) {
    int phrase, column, first;
    result = api->xInst(context, index, &phrase, &column, &first);
    if (result != SQLITE_OK) return result;
    int last = first + api->xPhraseSize(context, phrase) - 1;
    if (column != 0 || last < first) continue;
    int32_t *before = places->count > 0 ? places->runs[places->count - 1] : 0;
    if (before && first <= before[1]) {
      if (last > before[1]) before[1] = last;
      continue;
    }
    places->runs[places->count][0] = first;
    places->runs[places->count][1] = last;
    places->count++;
  }
  return SQLITE_OK;
}

// Puts the bytes of a word in place of its number.
static int take_word(void *context, int flags, const char *token, int length, int start, int end) {
  struct places *places = context;
  (void)token;
  (void)length;
  if (flags & FTS5_TOKEN_COLOCATED) return SQLITE_OK;
  int word = places->word++;
  if (places->next >= places->count) return SQLITE_DONE;
  int32_t *run = places->runs[places->next];
  if (run[0] == word) places->start = start;
  if (run[1] == word) {
    run[0] = places->start;
    run[1] = end;
    places->next++;
  }
  return SQLITE_OK;
}

static void answer(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int count,
                   sqlite3_value **values) {
  struct places places = {0, 0, 0, 0, 0};
  const char *text = 0;
  int length = 0;
  (void)count;
  (void)values;
  int result = collect(api, fts, &places);
  if (result == SQLITE_OK) result = api->xColumnText(fts, 0, &text, &length);
  if (result == SQLITE_OK && places.count > 0) result = api->xTokenize(fts, text, length, &places, take_word);
  if (result == SQLITE_OK || result == SQLITE_DONE) {
    sqlite3_result_blob64(context, places.runs, (sqlite3_uint64)places.next * sizeof *places.runs, sqlite3_free);
    return;
  }
  sqlite3_free(places.runs);
  sqlite3_result_error_code(context, result);
}

int csqlite_add_places(sqlite3 *connection) {
  fts5_api *api = 0;
  sqlite3_stmt *statement = 0;
  int result = sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, 0);
  if (result != SQLITE_OK) return result;
  sqlite3_bind_pointer(statement, 1, &api, "fts5_api_ptr", 0);
  sqlite3_step(statement);
  result = sqlite3_finalize(statement);
  if (result != SQLITE_OK) return result;
  if (!api || api->iVersion < 2) return SQLITE_ERROR;
  return api->xCreateFunction(api, "places", 0, answer, 0);
}
