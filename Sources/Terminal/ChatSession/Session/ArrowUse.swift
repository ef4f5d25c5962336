/// The use of the arrows of the keyboard: nothing for those that belong to the line being typed.
package struct ArrowUse: Hashable, Sendable {
  package var up: ReplKey?
  package var down: ReplKey?
  package var left: ReplKey?
  package var right: ReplKey?

  /// They belong to the line.
  static let line = ArrowUse()
  /// They choose in a list, whose line can be typed on.
  static let list = ArrowUse(up: .rowOlder, down: .rowNewer)
  /// They choose in a picture of time.
  static let map = ArrowUse(up: .rowOlder, down: .rowNewer, left: .dayOlder, right: .dayNewer)
}
