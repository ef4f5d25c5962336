import MessageModel

extension HistoryGenerator {
  /// Appends the message made last as a line of an IRC log, as the Ubuntu project publishes its own.
  ///
  /// The line has the hour and the minute; the day is for the name of the file to say. Line feeds become spaces.
  func appendIRCLine(to buffer: inout [UInt8]) {
    let name = senderNames[line.sender]
    switch line.kind {
    case .join, .part, .quit:
      buffer += Array("=== \(name) [~\(name)@host.example.org] ".utf8) + text
    case .topic:
      buffer += Array("=== \(name) changed the topic of #\(conversationNames[line.conversation]) to: ".utf8)
      appendTextInOneLine(to: &buffer)
    default:
      appendClock(to: &buffer)
      buffer += Array((line.kind == .action ? "  * \(name) " : " <\(name)> ").utf8)
      appendTextInOneLine(to: &buffer)
    }
    if line.kind == .join || line.kind == .part {
      buffer += Array(" #\(conversationNames[line.conversation])".utf8)
    }
    buffer.append(UInt8(ascii: "\n"))
  }

  private func appendClock(to buffer: inout [UInt8]) {
    let civil = line.id.placeTime.utc
    buffer.append(UInt8(ascii: "["))
    buffer.append(civil.hour, digits: 2)
    buffer.append(UInt8(ascii: ":"))
    buffer.append(civil.minute, digits: 2)
    buffer.append(UInt8(ascii: "]"))
  }

  private func appendTextInOneLine(to buffer: inout [UInt8]) {
    let lineFeed = UInt8(ascii: "\n")
    buffer.append(contentsOf: text.lazy.map { $0 == lineFeed ? UInt8(ascii: " ") : $0 })
  }
}
