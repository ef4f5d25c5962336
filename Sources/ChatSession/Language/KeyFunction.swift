/// A function of the REPL that readline can bind to keys, by its name in an inputrc.
package struct KeyFunction: Sendable {
  /// The action of a key.
  package enum Action: Hashable, Sendable {
    /// Moves the view.
    case view(ReplKey)
    /// Begins a new line within the message.
    case newline
    /// Opens the line in an editor.
    case editor
  }

  package var name: String
  package var action: Action
  /// The keys that it is bound to unless the inputrc says otherwise, as they are called.
  package var shownKeys: String
  /// The effect of it, for help.
  package var summary: String
  /// The same keys as they are written in an inputrc.
  package var keys: [String] = []
  /// The keys that are bound in emacs mode alone: Escape leaves insertion in vi.
  package var emacsKeys: [String] = []

  /// All functions.
  package static let all = [
    KeyFunction(
      name: "scrollback-page-older", action: .view(.pageOlder), shownKeys: "PageUp", summary: "a page older",
      keys: ["\\e[5~"]),
    KeyFunction(
      name: "scrollback-page-newer", action: .view(.pageNewer), shownKeys: "PageDown",
      summary: "a page newer",
      keys: ["\\e[6~"]),
    KeyFunction(
      name: "scrollback-rows-older", action: .view(.rowsOlder), shownKeys: "Alt-PageUp",
      summary: "three rows older", keys: ["\\e[5;3~"], emacsKeys: ["\\e\\e[5~"]),
    KeyFunction(
      name: "scrollback-rows-newer", action: .view(.rowsNewer), shownKeys: "Alt-PageDown",
      summary: "three rows newer", keys: ["\\e[6;3~"], emacsKeys: ["\\e\\e[6~"]),
    KeyFunction(
      name: "scrollback-row-older", action: .view(.rowOlder), shownKeys: "Alt-Up", summary: "a row older",
      keys: ["\\e[1;3A"], emacsKeys: ["\\e\\e[A"]),
    KeyFunction(
      name: "scrollback-row-newer", action: .view(.rowNewer), shownKeys: "Alt-Down", summary: "a row newer",
      keys: ["\\e[1;3B"], emacsKeys: ["\\e\\e[B"]),
    KeyFunction(
      name: "scrollback-oldest", action: .view(.oldest), shownKeys: "Alt-Home, Ctrl-Home",
      summary: "the oldest message", keys: ["\\e[1;3H", "\\e[1;5H"], emacsKeys: ["\\e\\e[H", "\\e\\e[1~"]),
    KeyFunction(
      name: "scrollback-newest", action: .view(.newest), shownKeys: "Alt-End, Ctrl-End",
      summary: "the newest message", keys: ["\\e[1;3F", "\\e[1;5F"], emacsKeys: ["\\e\\e[F", "\\e\\e[4~"]),
    KeyFunction(
      name: "scrollback-day-older", action: .view(.dayOlder), shownKeys: "Ctrl-Up",
      summary: "the beginning of this day, or of the one before", keys: ["\\e[1;5A"]),
    KeyFunction(
      name: "scrollback-day-newer", action: .view(.dayNewer), shownKeys: "Ctrl-Down",
      summary: "the beginning of the next day", keys: ["\\e[1;5B"]),
    KeyFunction(
      name: "scrollback-unread", action: .view(.unread), shownKeys: "Alt-u",
      summary: "the first unread message",
      emacsKeys: ["\\eu"]),
    KeyFunction(
      name: "scrollback-next-hit", action: .view(.nextHit), shownKeys: "Alt-n",
      summary: "the next newer hit of a search", emacsKeys: ["\\en"]),
    KeyFunction(
      name: "scrollback-previous-hit", action: .view(.previousHit), shownKeys: "Alt-p",
      summary: "the next older hit of a search", emacsKeys: ["\\ep"]),
    KeyFunction(
      name: "scrollback-map", action: .view(.map), shownKeys: "Alt-m",
      summary: "the messages over time as a picture", emacsKeys: ["\\em"]),
    KeyFunction(
      name: "scrollback-switcher", action: .view(.switcher), shownKeys: "Alt-c",
      summary: "the conversations, to go to one of them; again or Esc puts them away", emacsKeys: ["\\ec"]),
    KeyFunction(
      name: "scrollback-hits", action: .view(.hits), shownKeys: "Alt-h", summary: "a list of all hits",
      emacsKeys: ["\\eh"]),
    KeyFunction(
      name: "scrollback-answered", action: .view(.answered), shownKeys: "Alt-o",
      summary: "from an answer to what it answers, and back", emacsKeys: ["\\eo"]),
    KeyFunction(
      name: "scrollback-steps", action: .view(.steps), shownKeys: "Alt-s",
      summary: "what assistants think and do whole, or a line of each again", emacsKeys: ["\\es"]),
    KeyFunction(
      name: "scrollback-redraw", action: .view(.redraw), shownKeys: "Ctrl-L",
      summary: "redraws the screen",
      keys: ["\\C-l"]),
    KeyFunction(
      name: "scrollback-newline", action: .newline, shownKeys: "Alt-Enter",
      summary: "a new line within the message", emacsKeys: ["\\e\\C-m"]),
    KeyFunction(
      name: "scrollback-editor", action: .editor, shownKeys: "Ctrl-X Ctrl-E",
      summary: "the line in $VISUAL or $EDITOR", emacsKeys: ["\\C-x\\C-e"]),
  ]

  /// The function that the wheel of a mouse is bound to.
  package static let mouseName = "scrollback-mouse"
}
