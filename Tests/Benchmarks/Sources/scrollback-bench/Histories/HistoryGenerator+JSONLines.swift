import MessageModel

extension HistoryGenerator {
  /// Appends lines of JSON to `buffer` until it holds `byteCount` bytes or the history ends, and returns whether
  /// anything is left to make.
  ///
  /// - Parameter withIDs: Whether lines carry ids, and so replies, which name the message they answer by its id.
  mutating func appendJSONLines(to buffer: inout [UInt8], upTo byteCount: Int, withIDs: Bool) -> Bool {
    while buffer.count < byteCount {
      guard advance() else { return false }
      appendJSONLine(to: &buffer, withIDs: withIDs)
    }
    return true
  }

  private func appendJSONLine(to buffer: inout [UInt8], withIDs: Bool) {
    buffer.append(UInt8(ascii: "{"))
    if withIDs { buffer.append(key: "\"id\":\"", number: line.id.rawValue) }
    buffer.append("\"conversation\":\"")
    buffer.append(contentsOf: conversationNames[line.conversation].utf8)
    buffer.append("\",\"time\":\"")
    buffer.append(line.id.placeTime)
    buffer.append("\",\"sender\":\"")
    buffer.append(contentsOf: senderNames[line.sender].utf8)
    buffer.append("\",\"kind\":\"")
    buffer.append(contentsOf: Self.kindNames[line.kind.rawValue].utf8)
    buffer.append("\",\"text\":\"")
    buffer.appendEscaped(text)
    if withIDs, let replied = line.replyTo {
      buffer.append("\",\"replyTo\":\"")
      buffer.append(contentsOf: String(replied.rawValue).utf8)
    }
    buffer.append("\"}\n")
  }

  private static let kindNames = Message.Kind.allCases.map(\.name)
}

extension [UInt8] {
  fileprivate mutating func append(_ string: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: string.utf8Start, count: string.utf8CodeUnitCount))
  }

  fileprivate mutating func append(key: StaticString, number: Int64) {
    append(key)
    append(contentsOf: String(number).utf8)
    append("\",")
  }

  /// Appends a text whose only control characters are line feeds, as the inside of a JSON string.
  fileprivate mutating func appendEscaped(_ text: [UInt8]) {
    var rest = text[...]
    while let stop = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x22 || $0 == 0x5C }) {
      append(contentsOf: rest[..<stop])
      append(UInt8(ascii: "\\"))
      append(rest[stop] == 0x0A ? UInt8(ascii: "n") : rest[stop])
      rest = rest[(stop + 1)...]
    }
    append(contentsOf: rest)
  }

  /// Appends a moment as `2024-05-01T12:34:56.789Z`.
  fileprivate mutating func append(_ time: Timestamp) {
    let civil = time.utc
    append(civil.year, digits: 4)
    append(UInt8(ascii: "-"))
    append(civil.month, digits: 2)
    append(UInt8(ascii: "-"))
    append(civil.day, digits: 2)
    append(UInt8(ascii: "T"))
    append(civil.hour, digits: 2)
    append(UInt8(ascii: ":"))
    append(civil.minute, digits: 2)
    append(UInt8(ascii: ":"))
    append(civil.second, digits: 2)
    append(UInt8(ascii: "."))
    append(civil.millisecond, digits: 3)
    append(UInt8(ascii: "Z"))
  }

  mutating func append(_ number: Int, digits: Int) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
  }
}
