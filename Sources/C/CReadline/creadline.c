#include "creadline.h"

#include <stdio.h>

#include <readline/history.h>
#include <readline/readline.h>

#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#if !defined(RL_READLINE_VERSION) || RL_READLINE_VERSION < 0x0802
#error "Scrollback needs GNU readline 8.2 or later. On macOS, the system's readline is libedit: brew install readline."
#endif

const char *creadline_version(void) { return rl_library_version; }

const char *creadline_problem(void) {
  if (rl_gnu_readline_p != 1) return "the line editor is not GNU readline (on macOS: brew install readline)";
  if (rl_readline_version < 0x0802) return "GNU readline is older than 8.2";
  return NULL;
}

// MARK: Keys

// Readline calls a function without saying under which name, so each slot has one of its own.
static creadline_key_handler key_handler;

#define SLOT(number) \
  static int slot_##number(int count, int key) { \
    (void)key; \
    if (key_handler) key_handler(number, count); \
    return 0; \
  }
SLOT(0) SLOT(1) SLOT(2) SLOT(3) SLOT(4) SLOT(5) SLOT(6) SLOT(7) SLOT(8) SLOT(9) SLOT(10)
SLOT(11) SLOT(12) SLOT(13) SLOT(14) SLOT(15) SLOT(16) SLOT(17) SLOT(18) SLOT(19) SLOT(20) SLOT(21)
SLOT(22) SLOT(23) SLOT(24) SLOT(25) SLOT(26) SLOT(27) SLOT(28) SLOT(29) SLOT(30) SLOT(31) SLOT(32)
SLOT(33) SLOT(34) SLOT(35) SLOT(36) SLOT(37) SLOT(38) SLOT(39) SLOT(40) SLOT(41) SLOT(42) SLOT(43)
SLOT(44) SLOT(45) SLOT(46)

static creadline_click_handler click_handler;

void creadline_on_click(creadline_click_handler on_click) { click_handler = on_click; }

// A report of the mouse begins with "\e[<" and goes on with "button;column;rowM", or "m" when a button is released: the
// left button is 0, the wheel is buttons 64 and 65.
static int slot_wheel(int count, int key) {
  (void)count, (void)key;
  int numbers[3] = {0, 0, 0}, fields = 0, end = 0;
  for (int read = 0; read < 24; read++) {
    int next = rl_read_key();
    if (next == 'M' || next == 'm' || next < 0) {
      end = next;
      break;
    }
    if (next == ';') fields++;
    else if (fields < 3 && next >= '0' && next <= '9' && numbers[fields] < 10000)
      numbers[fields] = numbers[fields] * 10 + next - '0';
  }
  int button = numbers[0] & ~0x1C;
  if (key_handler && button == 64) key_handler(CREADLINE_WHEEL_SLOT, 1);
  if (key_handler && button == 65) key_handler(CREADLINE_WHEEL_SLOT, -1);
  if (click_handler && button == 0 && end == 'M' && fields == 2) click_handler(numbers[2], numbers[1]);
  return 0;
}

// The answer of a terminal that came late, to a question of ours: a colour ends with BEL, or with Esc and a backslash, the kind of a
// terminal with a letter.
static int slot_color(int count, int key) {
  (void)count, (void)key;
  for (int read = 0, last = 0; read < 32; read++) {
    int next = rl_read_key();
    if (next == '\a' || next < 0 || (last == '\033' && next == '\\')) break;
    last = next;
  }
  return 0;
}

static int slot_kind(int count, int key) {
  (void)count, (void)key;
  for (int read = 0; read < 32; read++) {
    int next = rl_read_key();
    if (next < 0 || (next >= 0x40 && next <= 0x7E)) break;
  }
  return 0;
}

void creadline_bind_late_answers(void) {
  Keymap maps[] = {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap};
  for (int map = 0; map < 3; map++) {
    rl_bind_keyseq_in_map("\\e]11;rgb", slot_color, maps[map]);
    rl_bind_keyseq_in_map("\\e[?", slot_kind, maps[map]);
  }
}

static rl_command_func_t *const slots[CREADLINE_SLOTS] = {
    slot_0, slot_1, slot_2, slot_3, slot_4, slot_5, slot_6, slot_7, slot_8, slot_9,
    slot_10, slot_11, slot_12, slot_13, slot_14, slot_15, slot_16, slot_17, slot_18, slot_19,
    slot_20, slot_21, slot_22, slot_23, slot_24, slot_25, slot_26, slot_27, slot_28, slot_29,
    slot_30, slot_31, slot_32, slot_33, slot_34, slot_35, slot_36, slot_37, slot_38, slot_39,
    slot_40, slot_41, slot_42, slot_43, slot_44, slot_45, slot_46, slot_wheel};

// The function of Esc while vi inserts; keys that begin with it are told apart by readline itself.
static int slot_escape(int count, int key) {
  if (key_handler) key_handler(CREADLINE_ESCAPE_SLOT, 1);
  return rl_vi_movement_mode(count, key);
}

void creadline_bind_escape_in_vi(void) { rl_bind_keyseq_in_map("\\e", slot_escape, vi_insertion_keymap); }

// Readline waits for the rest of a key without end where keys are handed to it one by one.
int creadline_escape_wait(void) {
  if (!RL_ISSTATE(RL_STATE_MULTIKEY) || rl_key_sequence_length == 0) return -1;
  for (int place = 0; place < rl_key_sequence_length; place++)
    if (rl_executing_keyseq[place] != '\033') return -1;
  const char *value = rl_variable_value("keyseq-timeout");
  int wait = value ? atoi(value) : 0;
  return wait < 0 ? 0 : wait;
}

void creadline_end_escape(void) {
  rl_callback_sigcleanup();
  RL_UNSETSTATE(RL_STATE_MULTIKEY | RL_STATE_METANEXT);
}

void creadline_prepare(const char *name, creadline_key_handler on_key) {
  setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) {
    // Readline asks the environment again, and in the C locale it would tear letters into bytes.
    unsetenv("LC_ALL");
    setenv("LC_CTYPE", "C.UTF-8", 1);
    if (!setlocale(LC_CTYPE, "")) setenv("LC_CTYPE", "en_US.UTF-8", 1);
    setlocale(LC_CTYPE, "");
  }
  rl_readline_name = strdup(name);
  // Before the inputrc, which may say otherwise: half a second is long for an Esc.
  rl_variable_bind("keyseq-timeout", "50");
  key_handler = on_key;
}

void creadline_define(int slot, const char *name) {
  if (slot >= 0 && slot < CREADLINE_SLOTS) rl_add_defun(strdup(name), slots[slot], -1);
}

void creadline_bind(const char *sequence, int slot, bool in_vi) {
  if (slot < 0 || slot >= CREADLINE_SLOTS) return;
  rl_bind_keyseq_in_map(sequence, slots[slot], emacs_standard_keymap);
  if (!in_vi) return;
  rl_bind_keyseq_in_map(sequence, slots[slot], vi_insertion_keymap);
  rl_bind_keyseq_in_map(sequence, slots[slot], vi_movement_keymap);
}

// In vi's normal mode these keys move the view while nothing is typed; else they are readline's.
enum { NORMAL_KEYS = 128 };
static int normal_slots[NORMAL_KEYS];
static rl_command_func_t *normal_meanings[NORMAL_KEYS];

static int slot_normal(int count, int key) {
  if (key < 0 || key >= NORMAL_KEYS) return 0;
  if (rl_end > 0) return normal_meanings[key] ? normal_meanings[key](count, key) : rl_ding();
  if (key_handler) key_handler(normal_slots[key], count);
  return 0;
}

void creadline_bind_in_normal_mode(int key, int slot) {
  if (key < 0 || key >= NORMAL_KEYS || slot < 0 || slot >= CREADLINE_SLOTS) return;
  if (vi_movement_keymap[key].type != ISFUNC) return;
  normal_slots[key] = slot;
  normal_meanings[key] = vi_movement_keymap[key].function;
  vi_movement_keymap[key].function = slot_normal;
}

// What the arrows, and Ctrl-P and Ctrl-N, mean while they are not lent; a macro stays what it is.
enum { KEYMAPS = 3, ARROW_FORMS = 3 };
static const char *const arrows[CREADLINE_ARROWS][ARROW_FORMS] = {
    {"\033[A", "\033OA", "\020"}, {"\033[B", "\033OB", "\016"}, {"\033[C", "\033OC"}, {"\033[D", "\033OD"}};
static rl_command_func_t *arrow_meanings[KEYMAPS][CREADLINE_ARROWS][ARROW_FORMS];
static bool arrow_is_lent[CREADLINE_ARROWS];

void creadline_lend_arrow(int arrow, int slot) {
  bool lends = slot >= 0 && slot < CREADLINE_SLOTS;
  if (arrow < 0 || arrow >= CREADLINE_ARROWS || lends == arrow_is_lent[arrow]) return;
  arrow_is_lent[arrow] = lends;
  Keymap maps[KEYMAPS] = {emacs_standard_keymap, vi_insertion_keymap, vi_movement_keymap};
  for (int map = 0; map < KEYMAPS; map++) {
    for (int form = 0; form < ARROW_FORMS && arrows[arrow][form]; form++) {
      const char *keys = arrows[arrow][form];
      int type = ISFUNC;
      rl_command_func_t *meaning = rl_function_of_keyseq_len(keys, strlen(keys), maps[map], &type);
      if (type != ISFUNC) continue;
      if (lends) arrow_meanings[map][arrow][form] = meaning;
      rl_bind_keyseq_in_map(keys, lends ? slots[slot] : arrow_meanings[map][arrow][form], maps[map]);
    }
  }
}

// MARK: The line

static creadline_completer complete_word;
static creadline_lister list_matches;
static bool has_started;

static char **attempted_completion(const char *word, int start, int end) {
  rl_attempted_completion_over = 1;  // Never fall back to the names of files.
  rl_sort_completion_matches = 0;  // They come in the order that they are wanted in.
  return complete_word ? complete_word(word, start, end) : NULL;
}

static void display_matches(char **matches, int count, int longest) {
  (void)longest;
  if (list_matches) list_matches(matches, count);
}

static creadline_mode mode;

// Sets a variable of the inputrc to `value` or, for NULL, to what the inputrc says.
static void set_variable(const char *name, const char *value, char **original) {
  if (!*original) {
    const char *present = rl_variable_value(name);
    *original = strdup(present ? present : "off");
  }
  rl_variable_bind(name, value ? value : *original);
}

static void choose_manner(creadline_mode chosen) {
  static char *scrolling, *pasting;
  const char *terminal = chosen == CREADLINE_PLAIN ? "dumb" : NULL;
  if (has_started) rl_reset_terminal(terminal);
  else rl_terminal_name = terminal;
  rl_initialize();  // Reads the inputrc: what was bound before gives way to it.
  set_variable("horizontal-scroll-mode", chosen == CREADLINE_ONE_ROW ? "on" : NULL, &scrolling);
  set_variable("enable-bracketed-paste", chosen == CREADLINE_PLAIN ? "off" : NULL, &pasting);
  mode = chosen;
}

// Readline gives the terminal back after each line and takes it again for the next. What is typed in between would go
// through the hands of the kernel, which shows it, and has no use for Ctrl-D.
static void keep_terminal(void) { fflush(rl_outstream); }

void creadline_start(
    const char *prompt, creadline_mode chosen, creadline_line_handler on_line, creadline_completer completer,
    creadline_lister lister) {
  complete_word = completer;
  list_matches = lister;
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_change_environment = 0;
  choose_manner(chosen);
  // Afterwards: readline, when it is set up, has no pastes bracketed for who draws the line otherwise.
  creadline_take_hooks();
  rl_attempted_completion_function = attempted_completion;
  rl_completion_display_matches_hook = display_matches;
  rl_completer_word_break_characters = " \t\n";
  rl_completer_quote_characters = "\"";
  rl_sort_completion_matches = 0;  // They come in an order: those of late first.
  using_history();
  has_started = true;
  rl_deprep_term_function = keep_terminal;
  rl_callback_handler_install(prompt, on_line);
}

void creadline_stop(void) {
  rl_deprep_term_function = rl_deprep_terminal;
  rl_callback_handler_remove();
  rl_deprep_terminal();
}
void creadline_read_char(void) { rl_callback_read_char(); }

const char *creadline_line(void) { return rl_line_buffer ? rl_line_buffer : ""; }
void creadline_insert(const char *text) { rl_insert_text(text); }
void creadline_begin_line(const char *text) {
  if (rl_editing_mode == 0) rl_vi_insertion_mode(1, 'i');
  rl_insert_text(text);
}
void creadline_set_prompt(const char *prompt) { rl_set_prompt(prompt); }
void creadline_bell(void) { rl_ding(); }
void creadline_set_append_space(bool append) { rl_completion_append_character = append ? ' ' : '\0'; }

void creadline_set_line(const char *line) {
  rl_replace_line(line, 1);
  rl_point = rl_end;
}

void creadline_discard_line(void) {
  rl_callback_sigcleanup();
  rl_free_line_state();
  rl_clear_message();
  rl_replace_line("", 1);
  rl_point = rl_end = 0;
  if (mode != CREADLINE_ONE_ROW) rl_crlf(), rl_on_new_line();
  creadline_redraw();
}

void creadline_hide_line(void) {
  if (mode != CREADLINE_PLAIN) {
    rl_clear_visible_line();
  } else {
    int rows, columns = 80;
    rl_get_screen_size(&rows, &columns);
    int width = creadline_shown_byte_count() + (rl_display_prompt ? (int)strlen(rl_display_prompt) : 0);
    fprintf(rl_outstream, "\r%*s\r", width < columns ? width : columns - 1, "");
  }
  fflush(rl_outstream);
}

void creadline_show_line(void) {
  rl_on_new_line();
  rl_redisplay_function();
  fflush(rl_outstream);
}

void creadline_redraw(void) {
  if (mode != CREADLINE_ONE_ROW) {
    rl_redisplay_function();
    fflush(rl_outstream);
    return;
  }
  fputs("\r\033[K", rl_outstream);
  rl_on_new_line();
  rl_redisplay_function();
  fflush(rl_outstream);
}

void creadline_get_size(int *rows, int *columns) {
  struct winsize size;
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
  *rows = size.ws_row;
  *columns = size.ws_col;
  // Before the terminal is known to readline, it cannot take a size.
  if (has_started) rl_set_screen_size(*rows, *columns);
}

void creadline_suspend(void) {
  fflush(rl_outstream);
  rl_deprep_terminal();
}

void creadline_resume(void) { rl_prep_terminal(1); }
