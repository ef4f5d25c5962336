/// The places that a reader jumped away from, and those that they returned from.
public struct JumpHistory: Hashable, Sendable {
  /// The effect of a jump on the history.
  public enum Effect: Hashable, Sendable {
    /// Nothing is recorded.
    case none
    /// The place that was left becomes the last one to go back to, and nothing is left to go forward to.
    case push
    /// The reader went back to the last place.
    case back
    /// The reader went forward again.
    case forward
  }

  private var back: [WindowPosition] = []
  private var forward: [WindowPosition] = []

  /// Creates an empty history.
  public init() {}

  /// The place to return to: `older` goes back, `newer` forward.
  public func place(_ direction: MessageWindow.Direction) -> WindowPosition? {
    direction == .older ? back.last : forward.last
  }

  /// Records that the reader has left `position`.
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
