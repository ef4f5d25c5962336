/// What the arrow keys do; `nil` leaves a key to the typed line.
package struct ArrowUse: Hashable, Sendable {
  package var up: ReplKey?
  package var down: ReplKey?
  package var left: ReplKey?
  package var right: ReplKey?

  static let line = ArrowUse()
  static let list = ArrowUse(up: .rowOlder, down: .rowNewer)
  static let map = ArrowUse(up: .rowOlder, down: .rowNewer, left: .dayOlder, right: .dayNewer)
}
