/// A function of the REPL that an inputrc can bind to keys.
package struct KeyFunction: Sendable {
  package enum Action: Hashable, Sendable {
    /// Moves the view.
    case view(ReplKey)
    /// Begins a new line within the message.
    case newline
    /// Opens the line in an editor.
    case editor
    /// Begins a line with a command.
    case begin(String)
  }

  package var name: String
  package var action: Action
  /// The default keys as help names them.
  package var shownKeys: String
  package var summary: String
  /// The default keys in inputrc syntax.
  package var keys: [String]
  /// Keys bound in emacs mode only: Escape ends insertion in vi mode.
  package var emacsKeys: [String]
  /// ASCII keys of vi's normal mode, as long as nothing is typed; Ctrl-^ stands for Ctrl-D.
  package var normalKeys: [UInt8]

  private init(
    _ name: String, _ action: Action, _ shownKeys: String, _ summary: String, _ keys: [String] = [],
    emacs emacsKeys: [String] = [], vi normalKeys: String = ""
  ) {
    self.name = "scrollback-" + name
    self.action = action
    self.shownKeys = shownKeys
    self.summary = summary
    self.keys = keys
    self.emacsKeys = emacsKeys
    self.normalKeys = Array(normalKeys.utf8)
  }

  package static let all: [KeyFunction] = [
    .init("page-older", .view(.pageOlder), "PageUp", "a page older", ["\\e[5~"], vi: "\u{2}"),
    .init("page-newer", .view(.pageNewer), "PageDown", "a page newer", ["\\e[6~"], vi: "\u{6}"),
    .init("half-older", .view(.halfOlder), "Ctrl-U in vi", "half a page older", vi: "\u{15}"),
    .init("half-newer", .view(.halfNewer), "Ctrl-D in vi", "half a page newer", vi: "\u{1E}"),
    .init(
      "rows-older", .view(.rowsOlder), "Alt-PageUp", "three rows older",
      ["\\e[5;3~"], emacs: ["\\e\\e[5~"]),
    .init(
      "rows-newer", .view(.rowsNewer), "Alt-PageDown", "three rows newer",
      ["\\e[6;3~"], emacs: ["\\e\\e[6~"]),
    .init(
      "row-older", .view(.rowOlder), "Alt-Up", "a row older", ["\\e[1;3A"], emacs: ["\\e\\e[A"],
      vi: "k\u{19}"),
    .init(
      "row-newer", .view(.rowNewer), "Alt-Down", "a row newer", ["\\e[1;3B"], emacs: ["\\e\\e[B"],
      vi: "j\u{5}"),
    .init(
      "oldest", .view(.oldest), "Alt-Home, Ctrl-Home", "the oldest message",
      ["\\e[1;3H", "\\e[1;5H"], emacs: ["\\e\\e[H", "\\e\\e[1~"], vi: "g"),
    .init(
      "newest", .view(.newest), "Alt-End, Ctrl-End", "the newest message",
      ["\\e[1;3F", "\\e[1;5F"], emacs: ["\\e\\e[F", "\\e\\e[4~"], vi: "G"),
    .init(
      "day-older", .view(.dayOlder), "Ctrl-Up", "the beginning of this day, or of the one before",
      ["\\e[1;5A"], vi: "{"),
    .init("day-newer", .view(.dayNewer), "Ctrl-Down", "the beginning of the next day", ["\\e[1;5B"], vi: "}"),
    .init("unread", .view(.unread), "Alt-u", "the first unread message", emacs: ["\\eu"]),
    .init(
      "next-unread", .view(.nextUnread), "Alt-a",
      "the next conversation with something unread; in the switcher those first", emacs: ["\\ea"]),
    .init("next-hit", .view(.nextHit), "Alt-n", "the next newer hit of a search", emacs: ["\\en"], vi: "N"),
    .init(
      "previous-hit", .view(.previousHit), "Alt-p", "the next older hit of a search", emacs: ["\\ep"], vi: "n"
    ),
    .init(
      "back", .view(.back), "Alt-,", "back to where the last jump began, also in another conversation",
      emacs: ["\\e,"], vi: "\u{F}"),
    .init("search", .begin("/search "), "/ in vi", "begins to type a search", vi: "/?"),
    .init("command", .begin("/"), ": in vi", "begins to type a command", vi: ":"),
    .init("set-mark", .begin("/mark "), "m in vi", "begins to type a mark", vi: "m"),
    .init("goto-mark", .begin("/goto '"), "' in vi", "begins to type a mark to go to", vi: "'"),
    .init("goto-id", .begin("/goto #"), "# in vi", "begins to type an id to go to", vi: "#"),
    .init("copy", .begin("/copy "), "y in vi", "begins to copy: Enter copies what is selected", vi: "y"),
    .init("undo", .begin("/undo"), "u in vi", "begins to undo: Enter does it", vi: "u"),
    .init("add-filter", .view(.addFilter), "Alt-k", "begins to type a filter, or one more", emacs: ["\\ek"]),
    .init(
      "drop-filter", .view(.dropFilter), "Alt-j", "without the filter that was added last", emacs: ["\\ej"]),
    .init(
      "invert-filter", .view(.invertFilter), "Alt-i",
      "shows what the filter hides: inverts the one added last", emacs: ["\\ei"]),
    .init("map", .view(.map), "Alt-m", "the messages over time as a picture", emacs: ["\\em"]),
    .init(
      "switcher", .view(.switcher), "Alt-c",
      "the conversations, to go to one of them; again or Esc puts them away",
      emacs: ["\\ec"]),
    .init("hits", .view(.hits), "Alt-h", "a list of all hits", emacs: ["\\eh"]),
    .init(
      "answered", .view(.answered), "Alt-o", "from a reply to the message that it replies to, and back",
      emacs: ["\\eo"]),
    .init(
      "select", .view(.pick), "Alt-v",
      "selects messages: arrows to the first one, again, arrows to the last one",
      emacs: ["\\ev"], vi: "v"),
    .init(
      "select-older", .view(.pickOlder), "Shift-Up", "selects one more message, an older one", ["\\e[1;2A"]),
    .init(
      "select-newer", .view(.pickNewer), "Shift-Down", "selects one more message, a newer one",
      ["\\e[1;2B"]),
    .init(
      "steps", .view(.steps), "Alt-s", "what assistants think and do whole, or a line of each again",
      emacs: ["\\es"]),
    .init("redraw", .view(.redraw), "Ctrl-L", "redraws the screen", ["\\C-l"]),
    .init("newline", .newline, "Alt-Enter", "a new line within the message", emacs: ["\\e\\C-m"]),
    .init("editor", .editor, "Ctrl-X Ctrl-E", "the line in $VISUAL or $EDITOR", emacs: ["\\C-x\\C-e"]),
  ]

  /// The function for the mouse wheel.
  package static let mouseName = "scrollback-mouse"
}
