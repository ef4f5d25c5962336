/// A look-up repeated after changes of the store, at most every `interval`.
package struct PacedLookUp: Sendable {
  package var interval = Duration.seconds(2)
  private var isDue = false
  private var isUnderWay = false
  private var restsUntil: ContinuousClock.Instant?

  mutating func noticeChange() { isDue = true }

  mutating func hurry() { (isDue, restsUntil) = (true, nil) }

  mutating func callOff() { isDue = false }

  mutating func begin() -> Bool {
    guard isDue, !isUnderWay, restsUntil.map({ $0 <= .now }) ?? true else { return false }
    (isDue, isUnderWay) = (false, true)
    return true
  }

  mutating func end() {
    isUnderWay = false
    restsUntil = .now + interval
  }

  /// `nil` for never.
  var wakesAt: ContinuousClock.Instant? { isDue && !isUnderWay ? restsUntil : nil }
}
