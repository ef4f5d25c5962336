public import MessageModel

/// A reader's position, which can be found again after a restart, an import or a deletion.
public struct WindowPosition: Hashable, Sendable {
  /// The first message in view.
  public var id: Message.ID
  /// How much of that message is hidden above the screen, in the view's unit: lines or points.
  public var rowOffset: Int
  /// Whether the reader was at the newest edge, and should return there.
  public var isFollowing: Bool

  /// Creates a position.
  public init(id: Message.ID, rowOffset: Int = 0, isFollowing: Bool = false) {
    self.id = id
    self.rowOffset = rowOffset
    self.isFollowing = isFollowing
  }
}

extension WindowPosition: LosslessStringConvertible {
  /// The saved form: the id, the offset, and `newest` if it follows. For example `6928311+2`.
  public var description: String { "\(id)+\(rowOffset)\(isFollowing ? " newest" : "")" }

  /// Parses ``description``; `nil` if it is invalid.
  public init?(_ description: String) {
    let words = description.split(separator: " ", omittingEmptySubsequences: false)
    guard let place = words.first, words.count == 1 || words.dropFirst().elementsEqual(["newest"]) else {
      return nil
    }
    let numbers = place.split(separator: "+", omittingEmptySubsequences: false)
    guard numbers.count == 2, let id = Message.ID(String(numbers[0])), let rowOffset = Int(numbers[1]) else {
      return nil
    }
    self.init(id: id, rowOffset: rowOffset, isFollowing: words.count == 2)
  }
}

/// The positions that a reader jumped away from, and those that they returned from.
package struct JumpHistory: Hashable, Sendable {
  /// The effect of a jump on the history.
  package enum Effect: Hashable, Sendable {
    /// Nothing is recorded.
    case none
    /// The position that was left becomes the next one for `back`, and those for `forward` are forgotten.
    case push
    /// The reader went back to the last place.
    case back
    /// The reader went forward again.
    case forward
  }

  private var back: [WindowPosition] = []
  private var forward: [WindowPosition] = []

  /// Creates an empty history.
  package init() {}

  /// The position to return to: `older` goes back, `newer` forward.
  package func place(_ direction: ScrollDirection) -> WindowPosition? {
    direction == .older ? back.last : forward.last
  }

  /// Records that the reader has left `position`.
  package mutating func note(_ effect: Effect, from position: WindowPosition) {
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
