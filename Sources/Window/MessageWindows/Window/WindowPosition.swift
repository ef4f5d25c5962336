public import MessageModel

/// A reader's place, which can be found again after a restart, an import or a deletion.
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
