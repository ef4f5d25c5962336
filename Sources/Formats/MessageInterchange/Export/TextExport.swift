public import Foundation
internal import MessageModel

/// Writes lines for people: `2024-05-01 12:34:56  alice  hello`.
///
/// Times are in one zone, to the second at most. Further lines of a text are indented, and control characters
/// are made visible. The origin of a forwarded message has a line before the text: `» Parish Council`. Actions
/// are `* alice waves`, events `-- alice has joined #c`, notices `-alice- text`.
public struct TextExport: ExportFormat {
  private var clock: WallClock

  /// Creates a writer that shows times in `timeZone`.
  public init(timeZone: TimeZone = .current) { clock = WallClock(zone: timeZone) }

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let start = bytes.count
    writeTime(of: record, to: &bytes)
    bytes.append("  ")
    let indent = bytes.count - start
    Self.writeSender(of: record, to: &bytes)
    if let heading = record.forward?.heading {
      VisibleText.append(heading, to: &bytes, keepsTabs: false)
      bytes.append("\n")
      bytes.append(contentsOf: repeatElement(0x20, count: indent))
    }
    Self.write(record.text, indent: indent, to: &bytes)
    bytes.append("\n")
    for attachment in record.attachments {
      bytes.append(contentsOf: repeatElement(0x20, count: indent))
      bytes.append("[attached: ")
      VisibleText.append(attachment.name, to: &bytes, keepsTabs: false)
      bytes.append("]\n")
    }
  }

  /// The part of a message's first line before its text, for callers that wrap lines themselves.
  package struct Head: Hashable, Sendable {
    /// The time; further lines are indented by its width and two spaces.
    package var time: String
    /// The sender's name with the marks around it.
    package var sender: String
  }

  /// The part of the first line before a message's text.
  package mutating func head(of record: ExportRecord) -> Head {
    var time: [UInt8] = []
    writeTime(of: record, to: &time)
    var sender: [UInt8] = []
    Self.writeSender(of: record, to: &sender)
    return Head(time: String(decoding: time, as: UTF8.self), sender: String(decoding: sender, as: UTF8.self))
  }

  private mutating func writeTime(of record: ExportRecord, to bytes: inout [UInt8]) {
    // A day is not converted between zones.
    let civil = record.precision == .day ? record.time.utc : clock.civil(at: record.time)
    ISO8601.writeDate(civil, to: &bytes)
    guard record.precision != .day else { return }
    bytes.append(" ")
    let precision = record.precision == .millisecond ? .second : record.precision
    ISO8601.writeTime(civil, precision: precision, to: &bytes)
  }

  private static func writeSender(of record: ExportRecord, to bytes: inout [UInt8]) {
    let marks = marks(around: record)
    bytes.append(marks.before)
    VisibleText.append(record.sender ?? "", to: &bytes, keepsTabs: false)
    bytes.append(marks.after)
  }

  private static func marks(around record: ExportRecord) -> (before: String, after: String) {
    let isNamed = record.sender?.isEmpty == false
    switch ExportManner(record.kind) {
    case .said: return ("", isNamed ? "  " : "")
    case .action: return ("* ", " ")
    case .notice where isNamed: return ("-", "- ")
    case .step: return ("[\(record.kind.name)] ", isNamed ? "  " : "")
    case .notice, .event: return ("-- ", isNamed ? " " : "")
    }
  }

  private static func write(_ text: String, indent: Int, to bytes: inout [UInt8]) {
    var copy = text
    copy.withUTF8 { utf8 in
      var rest = utf8[...]
      while let end = rest.firstIndex(of: 0x0A) {
        let hasReturn = end > rest.startIndex && rest[end - 1] == 0x0D
        VisibleText.append(rest[..<(hasReturn ? end - 1 : end)], to: &bytes)
        bytes.append("\n")
        bytes.append(contentsOf: repeatElement(0x20, count: indent))
        rest = rest[(end + 1)...]
      }
      VisibleText.append(rest, to: &bytes)
    }
  }
}

/// The manner in which exports for people show messages.
enum ExportManner {
  case said, action, notice, step, event

  init(_ kind: Message.Kind) {
    switch kind {
    case .text, .unknown: self = .said
    case .action: self = .action
    case .notice: self = .notice
    case .thinking, .tool, .result: self = .step
    case .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: self = .event
    }
  }
}
