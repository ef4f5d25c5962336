/// The places that a reader jumped away from, and those that they went back from.
public struct JumpHistory: Hashable, Sendable {
  /// The effect of a jump on the history.
  public enum Effect: Hashable, Sendable {
    /// Nothing is remembered.
    case none
    /// The place that was left can be gone back to; there is nothing to go forward to any more.
    case push
    /// The reader went back to the last place.
    case back
    /// The reader went forward again.
    case forward
  }

  private var back: [WindowPosition] = []
  private var forward: [WindowPosition] = []

  /// Creates the history of a reader who has not jumped.
  public init() {}

  /// The place to return to in a direction, older being back; `nil` if there is none.
  public func place(_ direction: MessageWindow.Direction) -> WindowPosition? {
    direction == .older ? back.last : forward.last
  }

  /// Takes note that the reader has gone from `position`.
  public mutating func note(_ effect: Effect, from position: WindowPosition) {
    switch effect {
    case .none: return
    case .push:
      if back.last != position { back.append(position) }
      forward.removeAll()
    case .back:
      back.removeLast()
      forward.append(position)
    case .forward:
      forward.removeLast()
      back.append(position)
    }
    if back.count > Self.longest { back.removeFirst() }
  }

  private static let longest = 100
}
