public import Foundation
public import MessageModel

/// `conversations`: lists the conversations of a store.
public struct ConversationsCommand: Sendable {
  private let clock: WallClock

  /// Creates the command.
  ///
  /// - Parameter timeZone: The zone of the times shown.
  public init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// Returns a table with a line per conversation: name, messages, first and last time and, where that was counted, senders.
  public func table(of conversations: [Conversation], senders: [Conversation.ID: Int]? = nil) -> String {
    var clock = clock
    let rows = conversations.map { conversation in
      [
        VisibleText.of(conversation.name), NumberText.grouped(conversation.messageCount),
        conversation.oldest.map { Self.minute($0.time, &clock) } ?? "",
        conversation.newest.map { Self.minute($0.time, &clock) } ?? "",
        senders.map { NumberText.counted($0[conversation.id] ?? 0, "sender") } ?? "",
      ]
    }
    return TextTable.text(rows, alignsRight: [1, 4])
  }

  /// Returns a JSON object a line.
  public func json(of conversations: [Conversation], senders: [Conversation.ID: Int]) -> String {
    conversations.map { conversation in
      var fields = [
        "\"name\":\(JSONString.of(conversation.name))", "\"messages\":\(conversation.messageCount)",
      ]
      if let oldest = conversation.oldest { fields.append("\"first\":\(JSONString.of(Self.utc(oldest)))") }
      if let newest = conversation.newest { fields.append("\"last\":\(JSONString.of(Self.utc(newest)))") }
      fields.append("\"senders\":\(senders[conversation.id] ?? 0)")
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }

  private static func minute(_ time: Timestamp, _ clock: inout WallClock) -> String {
    let civil = clock.civil(at: time)
    return "\(DateText.date(civil)) \(NumberText.twoDigits(civil.hour)):\(NumberText.twoDigits(civil.minute))"
  }

  private static func utc(_ id: Message.ID) -> String {
    let civil = id.time.utc
    func two(_ number: Int) -> String { NumberText.twoDigits(number) }
    let millisecond = String(civil.millisecond + 1_000).dropFirst()
    return
      "\(DateText.date(civil))T\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)).\(millisecond)Z"
  }
}

/// Columns of text, two spaces apart.
enum TextTable {
  static func text(_ rows: [[String]], alignsRight: Set<Int> = []) -> String {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], DisplayWidth.columns(of: cell))
      }
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - DisplayWidth.columns(of: cell))
        return alignsRight.contains(column) ? space + cell : cell + space
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }
}

/// Strings in the JSON that commands print.
enum JSONString {
  static func of(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\" + String(scalar)
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x61C:
        result += "\\u" + String(String(scalar.value + 0x10000, radix: 16).dropFirst())
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
