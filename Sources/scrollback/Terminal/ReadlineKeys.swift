internal import CReadline
internal import MessageShell

/// The keys of the REPL, by the names that an inputrc can bind to others.
enum ReadlineKeys {
  /// The action of a key.
  enum Action: Hashable {
    /// Moves the view.
    case view(ReplKey)
    /// Begins a new line within the message.
    case newline
    /// Opens the line in an editor.
    case editor
  }

  /// One function, and the keys it is bound to unless the inputrc says otherwise, written as there.
  struct Function {
    var name: String
    var action: Action
    var keys: [String]
    /// The keys that are bound in emacs mode alone: Escape leaves insertion in vi.
    var emacsKeys: [String] = []
  }

  /// All functions; the index of each is its slot.
  static let functions = [
    Function(name: "scrollback-page-older", action: .view(.pageOlder), keys: ["\\e[5~"]),
    Function(name: "scrollback-page-newer", action: .view(.pageNewer), keys: ["\\e[6~"]),
    Function(
      name: "scrollback-rows-older", action: .view(.rowsOlder), keys: ["\\e[5;3~"], emacsKeys: ["\\e\\e[5~"]),
    Function(
      name: "scrollback-rows-newer", action: .view(.rowsNewer), keys: ["\\e[6;3~"], emacsKeys: ["\\e\\e[6~"]),
    Function(
      name: "scrollback-row-older", action: .view(.rowOlder), keys: ["\\e[1;3A"], emacsKeys: ["\\e\\e[A"]),
    Function(
      name: "scrollback-row-newer", action: .view(.rowNewer), keys: ["\\e[1;3B"], emacsKeys: ["\\e\\e[B"]),
    Function(
      name: "scrollback-oldest", action: .view(.oldest), keys: ["\\e[1;3H", "\\e[1;5H"],
      emacsKeys: ["\\e\\e[H", "\\e\\e[1~"]),
    Function(
      name: "scrollback-newest", action: .view(.newest), keys: ["\\e[1;3F", "\\e[1;5F"],
      emacsKeys: ["\\e\\e[F", "\\e\\e[4~"]),
    Function(name: "scrollback-day-older", action: .view(.dayOlder), keys: ["\\e[1;5A"]),
    Function(name: "scrollback-day-newer", action: .view(.dayNewer), keys: ["\\e[1;5B"]),
    Function(name: "scrollback-unread", action: .view(.unread), keys: [], emacsKeys: ["\\eu"]),
    Function(name: "scrollback-next-hit", action: .view(.nextHit), keys: [], emacsKeys: ["\\en"]),
    Function(name: "scrollback-previous-hit", action: .view(.previousHit), keys: [], emacsKeys: ["\\ep"]),
    Function(name: "scrollback-map", action: .view(.map), keys: [], emacsKeys: ["\\em"]),
    Function(name: "scrollback-hits", action: .view(.hits), keys: [], emacsKeys: ["\\eh"]),
    Function(name: "scrollback-answered", action: .view(.answered), keys: [], emacsKeys: ["\\eo"]),
    Function(name: "scrollback-redraw", action: .view(.redraw), keys: ["\\C-l"]),
    Function(name: "scrollback-newline", action: .newline, keys: [], emacsKeys: ["\\e\\C-m"]),
    Function(name: "scrollback-editor", action: .editor, keys: [], emacsKeys: ["\\C-x\\C-e"]),
  ]

  /// Makes the functions known and binds their keys, before the inputrc is read.
  static func bind() {
    for (slot, function) in functions.enumerated() {
      creadline_define(Int32(slot), function.name)
      for key in function.keys { creadline_bind(key, Int32(slot), true) }
      for key in function.emacsKeys { creadline_bind(key, Int32(slot), false) }
    }
    creadline_define(Int32(CREADLINE_WHEEL_SLOT), "scrollback-mouse")
    creadline_bind("\\e[<", Int32(CREADLINE_WHEEL_SLOT), true)
  }

  /// Has arrows choose in what covers the messages, or be what the inputrc says.
  static func lendArrows(_ use: ArrowUse) {
    for (arrow, key) in [use.up, use.down, use.right, use.left].enumerated() {
      let slot = key.flatMap { key in functions.firstIndex { $0.action == .view(key) } }
      creadline_lend_arrow(Int32(arrow), Int32(slot ?? -1))
    }
  }

  /// Returns what a key press means, and how often.
  static func action(slot: Int, count: Int) -> (action: Action, count: Int)? {
    if slot == CREADLINE_WHEEL_SLOT {
      return (.view(count > 0 ? .rowsOlder : .rowsNewer), 1)
    }
    return functions.indices.contains(slot) ? (functions[slot].action, max(1, count)) : nil
  }
}
