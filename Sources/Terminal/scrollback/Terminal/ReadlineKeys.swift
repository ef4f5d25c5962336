internal import CReadline
internal import ChatSession

/// The REPL's functions, which an inputrc can bind to other keys.
enum ReadlineKeys {
  static let functions = KeyFunction.all

  /// Defines the functions and binds their keys, before the inputrc is read.
  static func bind() {
    for (slot, function) in functions.enumerated() {
      creadline_define(Int32(slot), function.name)
      for key in function.keys { creadline_bind(key, Int32(slot), true) }
      for key in function.emacsKeys { creadline_bind(key, Int32(slot), false) }
    }
    creadline_bind_escape_in_vi()
    creadline_define(Int32(CREADLINE_WHEEL_SLOT), KeyFunction.mouseName)
    creadline_bind("\\e[<", Int32(CREADLINE_WHEEL_SLOT), true)
    creadline_bind_late_answers()
  }

  /// Binds the arrow keys to a list over the messages, or restores the inputrc's.
  static func lendArrows(_ use: ArrowUse) {
    for (arrow, key) in [use.up, use.down, use.right, use.left].enumerated() {
      let slot = key.flatMap { key in functions.firstIndex { $0.action == .view(key) } }
      creadline_lend_arrow(Int32(arrow), Int32(slot ?? -1))
    }
  }

  static func action(slot: Int, count: Int) -> (action: KeyFunction.Action, count: Int)? {
    if slot == CREADLINE_WHEEL_SLOT {
      return (.view(count > 0 ? .rowsOlder : .rowsNewer), 1)
    }
    if slot == CREADLINE_ESCAPE_SLOT { return (.view(.escape), 1) }
    return functions.indices.contains(slot) ? (functions[slot].action, max(1, count)) : nil
  }
}
