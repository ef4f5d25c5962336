/// The looks of a run of text. Colours are meanings here; the ``StyleEncoder`` knows what a terminal can do.
package struct Style: Hashable, Sendable {
  /// A colour by what it is for.
  package enum Color: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// One of the colours that tell senders apart, by an index of any size.
    case sender(Int)
    /// One of the colours that tell conversations apart, by an index of any size.
    case conversation(Int)
    /// For what asks to be noticed: unread marks, newer messages.
    case notice
    /// For what went wrong.
    case problem
    /// For the reader's own name.
    case own
    /// For lines that a change adds, takes away, and says its place with.
    case added, removed, place
    /// For code in what somebody wrote.
    case code
  }

  /// A ground by what it is for. Where a terminal has too few colours, text on it is shown in reverse.
  package enum Ground: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// For the status line and other lines over the messages.
    case status
    /// For what went wrong, in the status line.
    case failure
    /// For what was looked for.
    case hit
    /// For the hit that the reader has been brought to.
    case currentHit
    /// For what is chosen in a list.
    case selection
  }

  package var color: Color
  package var ground: Ground
  package var isBold: Bool
  package var isDim: Bool
  package var isUnderlined: Bool
  package var isItalic = false
  package var isStruck = false

  /// Creates a style; plain if nothing is said.
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
  /// For what stands back: times, events, marks.
  package static let dim = Style(isDim: true)
  /// For what was looked for.
  package static let hit = Style(on: .hit)
  /// For the hit that the reader has been brought to.
  package static let currentHit = Style(on: .currentHit, isBold: true)
  /// For the status line.
  package static let status = Style(on: .status)
  /// For what went wrong, in the status line.
  package static let failure = Style(color: .problem, on: .failure)
  /// For what is chosen in a list.
  package static let selection = Style(on: .selection)
  /// For the reader's own name.
  package static let own = Style(color: .own, isBold: true)
  /// For the names of what follows.
  package static let heading = Style(isBold: true)
  /// For links.
  package static let link = Style(isUnderlined: true)

  /// The style in which a sender's name is always shown.
  package static func sender(_ name: some StringProtocol) -> Style {
    Style(color: .sender(number(of: name)), isBold: true)
  }

  /// The style in which the name of a conversation is always shown beside its messages.
  package static func conversation(name: some StringProtocol) -> Style {
    Style(color: .conversation(number(of: name)))
  }

  /// FNV-1a: the same in each run, unlike Swift's own hash.
  private static func number(of name: some StringProtocol) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 8)
  }
}
