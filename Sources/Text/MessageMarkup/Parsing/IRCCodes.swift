struct IRCCodes {
  private let bytes: [UInt8]
  private var spans = SpanList()
  private var looks: [MarkupSpan.Style] = []
  private var start = 0
  private var inline: InlineParser

  private static let color: UInt8 = 0x03
  private static let hexColor: UInt8 = 0x04
  private static let reset: UInt8 = 0x0F

  private init(_ bytes: [UInt8]) { (self.bytes, inline) = (bytes, InlineParser(bytes, .irc)) }

  static func spans(in bytes: [UInt8]) -> [MarkupSpan] {
    var codes = IRCCodes(bytes)
    codes.run()
    return codes.spans.all + codes.inline.spans.all
  }

  private mutating func run() {
    var place = 0
    while place < bytes.count {
      guard Self.isCode(bytes[place]) else {
        place += 1
        continue
      }
      endRun(place)
      let end = codeEnd(place)
      spans.append(MarkupSpan(.sign, place..<end))
      change(bytes[place])
      (place, start) = (end, end)
    }
    endRun(bytes.count)
  }

  private mutating func endRun(_ end: Int) {
    guard end > start else { return }
    inline.run(start..<end)
    for look in looks { spans.append(MarkupSpan(look, start..<end)) }
  }

  private mutating func change(_ code: UInt8) {
    if code == Self.reset { looks = [] }
    guard let style = Self.style(code) else { return }
    if let index = looks.firstIndex(of: style) { looks.remove(at: index) } else { looks.append(style) }
  }

  /// Colours and reverse video only suit the writer's screen and are ignored.
  private static func style(_ code: UInt8) -> MarkupSpan.Style? {
    switch code {
    case 0x02: .bold
    case 0x11: .code
    case 0x1D: .italic
    case 0x1E: .strike
    case 0x1F: .underline
    default: nil
    }
  }

  static func isCode(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x02, color, hexColor, reset, 0x11, 0x16, 0x1D, 0x1E, 0x1F: true
    default: false
    }
  }

  private func codeEnd(_ place: Int) -> Int {
    switch bytes[place] {
    case Self.color: colorsEnd(place + 1, most: 2, fewest: 1, Signs.isDigit)
    case Self.hexColor:
      colorsEnd(place + 1, most: 6, fewest: 6) { Signs.isDigit($0) || ($0 | 0x20) &- 0x61 < 6 }
    default: place + 1
    }
  }

  private func colorsEnd(_ place: Int, most: Int, fewest: Int, _ isDigit: (UInt8) -> Bool) -> Int {
    let first = bytes[place...].prefix(most).prefix(while: isDigit).count
    guard first >= fewest else { return place }
    let end = place + first
    guard end < bytes.count, bytes[end] == UInt8(ascii: ",") else { return end }
    let second = bytes[(end + 1)...].prefix(most).prefix(while: isDigit).count
    return second >= fewest ? end + 1 + second : end
  }
}
