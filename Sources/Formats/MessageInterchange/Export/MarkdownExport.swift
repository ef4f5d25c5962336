public import Foundation
internal import MessageModel

/// Writes Markdown: a heading per conversation and day, a paragraph per message.
///
/// Texts are escaped, so they contain no markup, and control characters are made visible.
public struct MarkdownExport: ExportFormat {
  private var headings: ExportHeadings

  /// Creates a writer that shows times in `timeZone`.
  public init(timeZone: TimeZone = .current) { headings = ExportHeadings(timeZone: timeZone) }

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let position = headings.move(to: record)
    if let conversation = position.newConversation { bytes.append("# \(Self.escapedName(conversation))\n\n") }
    if let day = position.newDay { bytes.append("## \(day)\n\n") }
    bytes.append(Self.paragraph(record, position.timeOfDay))
    bytes.append("\n\n")
  }

  private static func paragraph(_ record: ExportRecord, _ time: String) -> String {
    let name = escapedName(record.sender ?? "")
    let text = [record.forward?.heading.map(escapedName), escaped(record.text)].compactMap { $0 }
      .filter { !$0.isEmpty }.joined(separator: "  \n")
    var lines: [String]
    switch ExportManner(record.kind) {
    case .said, .notice, .step:
      let label = record.kind.isStep ? " *\(record.kind.name)*" : ""
      let head = (name.isEmpty ? "" : "**\(name)** ") + time + label
      lines = text.isEmpty ? [head] : [head, text]
    case .action: lines = ["\(time) \\* **\(name)** \(text)".trimming { $0 == " " }]
    case .event:
      lines = ["\(time) — \(name.isEmpty ? "" : "**\(name)** ")\(text)".trimming { $0 == " " }]
    }
    lines += record.attachments.map { "📎 \(escapedName($0.name))" }
    lines += record.reactions.map {
      "\(escapedName($0.emoji)) \(escapedName($0.senders.joined(separator: ", ")))"
    }
    return lines.joined(separator: "  \n")
  }

  private static func escapedName(_ name: String) -> String {
    escaped(VisibleText.of(name, keepsTabs: false))
  }

  private static func escaped(_ text: String) -> String {
    let lines = text.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      var result = ""
      for character in VisibleText.of(String(line)) {
        if marks.contains(character) { result.append("\\") }
        result.append(character)
      }
      return result.isEmpty && lines.count > 1 ? "&nbsp;" : withoutBlockMark(result)
    }.joined(separator: "  \n")
  }

  private static let marks: Set<Character> = [
    "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "~", "&", "!", "$",
  ]

  /// Escapes list markers and spaces at the beginning of a line, which would begin a list or code.
  private static func withoutBlockMark(_ line: String) -> String {
    let indent = line.prefix { $0 == " " || $0 == "\t" }
    let rest = line.dropFirst(indent.count)
    let spaces = String(repeating: "&nbsp;", count: indent.count)
    if let first = rest.first, "+-=".contains(first) { return spaces + "\\" + rest }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    if !digits.isEmpty, let next = rest.dropFirst(digits.count).first, ".)".contains(next) {
      return spaces + digits + "\\" + rest.dropFirst(digits.count)
    }
    return spaces + rest
  }
}
