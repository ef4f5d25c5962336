/// A look-up that is made again after changes of the store: at once, and while others write a few times a minute.
package struct PacedLookUp: Sendable {
  /// The shortest time between two look-ups.
  package var interval = Duration.seconds(2)
  private var isDue = false
  private var isUnderWay = false
  /// Before when it is not looked up again.
  private var restsUntil: ContinuousClock.Instant?

  mutating func noticeChange() { isDue = true }

  /// Has it made as soon as it can be, however short a while ago the last one was.
  mutating func hurry() { (isDue, restsUntil) = (true, nil) }

  /// Forgets the changes: nobody wants it.
  mutating func callOff() { isDue = false }

  /// Begins it, if it is due and none is under way; returns whether it begins.
  mutating func begin() -> Bool {
    guard isDue, !isUnderWay, restsUntil.map({ $0 <= .now }) ?? true else { return false }
    (isDue, isUnderWay) = (false, true)
    return true
  }

  mutating func end() {
    isUnderWay = false
    restsUntil = .now + interval
  }

  /// When the session wants to be told that time has passed; `nil` for never.
  var wakesAt: ContinuousClock.Instant? { isDue && !isUnderWay ? restsUntil : nil }
}
