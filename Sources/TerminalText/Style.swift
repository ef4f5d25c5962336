/// The looks of a run of text. Colours are meanings here; the ``StyleEncoder`` knows what a terminal can do.
package struct Style: Hashable, Sendable {
  /// A colour by what it is for.
  package enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// One of the colours that tell senders apart, by an index of any size.
    case sender(Int)
    /// For what asks to be noticed: unread marks, newer messages.
    case notice
    /// For what went wrong.
    case problem
  }

  package var color: Color
  package var isBold: Bool
  package var isDim: Bool
  package var isUnderlined: Bool
  package var isReversed: Bool

  /// Creates a style; plain if nothing is said.
  package init(
    color: Color = .standard, isBold: Bool = false, isDim: Bool = false, isUnderlined: Bool = false,
    isReversed: Bool = false
  ) {
    self.color = color
    self.isBold = isBold
    self.isDim = isDim
    self.isUnderlined = isUnderlined
    self.isReversed = isReversed
  }

  package static let plain = Style()
  /// For what stands back: times, events, marks.
  package static let dim = Style(isDim: true)
  /// For what was looked for.
  package static let hit = Style(isReversed: true)
  /// For the status line.
  package static let status = Style(isReversed: true)
  /// For the names of what follows.
  package static let heading = Style(isBold: true)
  /// For links.
  package static let link = Style(isUnderlined: true)

  /// The style in which a sender's name is always shown.
  package static func sender(_ name: some StringProtocol) -> Style {
    // FNV-1a: the same in each run, unlike Swift's own hash.
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Style(color: .sender(Int(hash >> 8)), isBold: true)
  }
}
