// A narrow face of GNU readline 8.2: its globals and variadics stay in C.
//
// Everything here belongs to one thread, but for the signal handlers inside.
#pragma once

#include <stdbool.h>

// A line was finished; NULL at end of input. The receiver frees it.
typedef void (*creadline_line_handler)(char *line);
// A key bound with creadline_bind was pressed, `count` times (negative with a negative argument).
typedef void (*creadline_key_handler)(int slot, int count);
// Returns the completions of the word that reaches from byte `start` to `end` of the line, as readline wants them
// (malloc'd; the common beginning first; NULL-terminated), or NULL.
typedef char **(*creadline_completer)(const char *word, int start, int end);
// Several completions are possible: matches[1] to matches[count].
typedef void (*creadline_lister)(char **matches, int count);

enum { CREADLINE_SLOTS = 48, CREADLINE_WHEEL_SLOT = 47, CREADLINE_ESCAPE_SLOT = 48 };

// A sentence why the library at hand cannot be used, or NULL. Call this before all else.
const char *creadline_problem(void);

// The version of the library.
const char *creadline_version(void);

// Names the program for `$if` in the inputrc and makes the locale one of UTF-8. Call this before binding keys.
void creadline_prepare(const char *name, creadline_key_handler on_key);
// The left button of the mouse was pressed at a place, from 1.
typedef void (*creadline_click_handler)(int row, int column);
void creadline_on_click(creadline_click_handler on_click);
// Makes a function known to the inputrc by `name`; its key presses come as `slot`, below CREADLINE_SLOTS.
void creadline_define(int slot, const char *name);
// Binds a key, written as in an inputrc, unless the inputrc says otherwise; `in_vi` also in the two vi keymaps.
void creadline_bind(const char *sequence, int slot, bool in_vi);

// Binds a single key in vi's normal mode, for as long as nothing is typed: then it means what readline says.
void creadline_bind_in_normal_mode(int key, int slot);
// What Ctrl-D is read as in vi's normal mode on an empty line, where it ends no input: Ctrl-^, which means nothing there.
enum { CREADLINE_HALF_PAGE = 0x1E };

// Up, down, right and left, in the order of their sequences.
enum { CREADLINE_ARROWS = 4 };

// Has an arrow come as a slot, whatever it is bound to, or for -1 be what it was before.
void creadline_lend_arrow(int arrow, int slot);
// Has the answers of a terminal to what it was asked earlier (OSC 11, DA1) taken for no keys.
void creadline_bind_late_answers(void);
// Has bytes read before any that come from the terminal.
void creadline_feed(const unsigned char *bytes, int count);
// Whether some of these are left.
bool creadline_has_input(void);
// Has Esc come as CREADLINE_ESCAPE_SLOT in vi mode, where it also ends inserting. In emacs mode it begins other keys:
// see creadline_escape_wait.
void creadline_bind_escape_in_vi(void);

// Where the line being typed stands.
typedef enum {
  // On one row, whatever its length: the others belong to a window.
  CREADLINE_ONE_ROW,
  // Below what was printed, on as many rows as it takes.
  CREADLINE_FLOWING,
  // The same on a terminal that is sent no escape sequence.
  CREADLINE_PLAIN
} creadline_mode;

// Reads the inputrc, takes the terminal over and shows the prompt where the cursor is.
void creadline_start(
    const char *prompt, creadline_mode mode, creadline_line_handler on_line, creadline_completer completer,
    creadline_lister lister);
// Has the line drawn with visible symbols for what would control the terminal, and errors of reading remembered.
void creadline_take_hooks(void);
// How many bytes were drawn for the line.
int creadline_shown_byte_count(void);
// Why the terminal could not be read when the line ended; 0 if it said that there is nothing more.
int creadline_read_error(void);
// Gives the terminal back.
void creadline_stop(void);
// Takes one byte of input, which must be there.
void creadline_read_char(void);
// For how many milliseconds an Esc that was read waits for what makes another key of it: keyseq-timeout of the inputrc,
// else 50. -1 if no Esc waits.
int creadline_escape_wait(void);
// Ends that wait: the next byte is a key of its own.
void creadline_end_escape(void);

const char *creadline_line(void);
// Replaces the line and puts the cursor at its end.
void creadline_set_line(const char *line);
void creadline_insert(const char *text);
// Inserts a text to go on with; in vi mode inserting goes on.
void creadline_begin_line(const char *text);
void creadline_set_prompt(const char *prompt);
// Drops the line, and whatever search or argument was being typed, as Ctrl-C does.
void creadline_discard_line(void);
// Takes prompt and line from the terminal, so that something can be printed in their place, and puts them back.
void creadline_hide_line(void);
void creadline_show_line(void);
// Draws prompt and line at the cursor's row.
void creadline_redraw(void);
void creadline_bell(void);
// Takes the size of the terminal over without drawing anything; leaves both as they are if it has none.
void creadline_get_size(int *rows, int *columns);
void creadline_suspend(void);
void creadline_resume(void);

// Whether a completion adds a space behind the word.
void creadline_set_append_space(bool append);

void creadline_read_history(const char *path);
// Adds a line, unless it is the last one again.
void creadline_add_history(const char *line);
// Writes the newest entries to a file that only its owner can read. Returns errno, or 0.
int creadline_write_history(const char *path, int most);

// Has each of the signals written as one byte into a pipe.
void creadline_watch_signal(int number, int pipe);
// Restores the terminal when the program crashes: `sequence` is written to it and its settings are as they are now.
void creadline_guard_terminal(int terminal, const char *sequence);

// Runs the shell command `program FILE` in this terminal and waits for its end. Returns whether it could be run.
bool creadline_run_editor(const char *program, const char *file);
