/// The style of text, by meaning; ``StyleEncoder`` knows what a terminal can show.
package struct Style: Hashable, Sendable {
  package enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// A sender's colour, by an index of any size.
    case sender(Int)
    /// A conversation's colour, by an index of any size.
    case conversation(Int)
    /// For unread marks and new messages.
    case notice
    /// For errors.
    case problem
    /// For the reader's name.
    case own
    /// For the lines of a diff.
    case added, removed, place
    /// For code in messages.
    case code
  }

  /// The background. Terminals with too few colours show its text in reverse.
  package enum Ground: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// For the status line and other lines over the messages.
    case status
    /// For errors in the status line.
    case failure
    /// For search hits.
    case hit
    /// For the current search hit.
    case currentHit
    /// For the selection in a list.
    case selection
  }

  package var color: Color
  package var ground: Ground
  package var isBold: Bool
  package var isDim: Bool
  package var isUnderlined: Bool
  package var isItalic = false
  package var isStruck = false

  package init(
    color: Color = .standard, on ground: Ground = .standard, isBold: Bool = false, isDim: Bool = false,
    isUnderlined: Bool = false
  ) {
    self.color = color
    self.ground = ground
    self.isBold = isBold
    self.isDim = isDim
    self.isUnderlined = isUnderlined
  }

  package static let plain = Style()
  /// For times, events and other secondary text.
  package static let dim = Style(isDim: true)
  package static let hit = Style(on: .hit)
  package static let currentHit = Style(on: .currentHit, isBold: true)
  package static let status = Style(on: .status)
  package static let failure = Style(color: .problem, on: .failure)
  package static let selection = Style(on: .selection)
  package static let own = Style(color: .own, isBold: true)
  package static let heading = Style(isBold: true)
  package static let link = Style(isUnderlined: true)

  package static func sender(_ name: some StringProtocol) -> Style {
    Style(color: .sender(number(of: name)), isBold: true)
  }

  package static func conversation(name: some StringProtocol) -> Style {
    Style(color: .conversation(number(of: name)))
  }

  /// FNV-1a: unlike Swift's hash, equal in each run.
  private static func number(of name: some StringProtocol) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 8)
  }
}
