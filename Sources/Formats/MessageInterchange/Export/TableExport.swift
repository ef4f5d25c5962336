internal import MessageModel

/// Writes a table with a header and a row per message.
///
/// CSV follows RFC 4180. In tab-separated tables `\t`, `\n`, `\r` and `\\` stand for characters that would
/// end a cell. Times are UTC in ISO 8601, at their precision. If cells are defused for spreadsheets
/// (``ExportOptions``), an empty last column marks the table for later imports.
public struct TableExport: ExportFormat {
  /// The separators of a table.
  public enum Style: Sendable {
    /// Comma-separated cells, quoted where needed (RFC 4180).
    case csv
    /// Tab-separated cells.
    case tsv
  }

  static let header = [
    "id", "conversation", "time", "precision", "sender", "kind", "text", "replyTo", "thread", "reactions",
    filesColumn, "forwarded",
  ]

  static let filesColumn = "attachments"
  private static let fileSeparator = "; "

  static func fileNames(_ cell: Bytes) -> [String] {
    cell.string.split(separator: fileSeparator).map(String.init)
  }

  /// The last column of a defused table.
  static let defusedColumn = "defused"

  private let style: Style
  private let options: ExportOptions

  /// Creates a writer.
  public init(_ style: Style, options: ExportOptions = ExportOptions()) {
    self.style = style
    self.options = options
  }

  public mutating func writeHeader(to bytes: inout [UInt8]) {
    write(row: Self.header + (options.defusesFormulas ? [Self.defusedColumn] : []), to: &bytes)
  }

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    let record = record.withVisibleDeletion
    let reactions = record.reactions.map { "\($0.emoji) \($0.senders.joined(separator: ", "))" }
    write(
      row: [
        record.id.description, record.conversation, Self.time(of: record), record.precision.name,
        record.sender ?? "",
        record.kind.name, record.text, record.replyTo?.description ?? "", record.thread?.description ?? "",
        reactions.joined(separator: "; "),
        record.attachments.map(\.name).joined(separator: Self.fileSeparator),
        record.forward?.line ?? "",
      ] + (options.defusesFormulas ? [""] : []), to: &bytes)
  }

  private static func time(of record: ExportRecord) -> String {
    var bytes: [UInt8] = []
    let civil = record.time.utc
    ISO8601.writeDate(civil, to: &bytes)
    if record.precision != .day {
      bytes.append("T")
      ISO8601.writeTime(civil, precision: record.precision, to: &bytes)
      bytes.append("Z")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func write(row: [String], to bytes: inout [UInt8]) {
    for (column, cell) in row.enumerated() {
      if column > 0 { bytes.append(style == .csv ? "," : "\t") }
      let safe = options.defusesFormulas ? Self.defused(cell) : cell
      switch style {
      case .csv: Self.writeQuoted(safe, to: &bytes)
      case .tsv: Self.writeEscaped(safe, to: &bytes)
      }
    }
    bytes.append(style == .csv ? "\r\n" : "\n")
  }

  /// Puts an apostrophe before cells that a spreadsheet would calculate
  /// (<https://owasp.org/www-community/attacks/CSV_Injection>) and before those that already have one, so
  /// that ``fused(_:)`` can undo it. Numbers, such as ids before 1970, stay as they are.
  private static func defused(_ cell: String) -> String {
    isFormula(cell.utf8.drop { $0 == apostrophe }) && Int64(cell) == nil ? "'" + cell : cell
  }

  static func fused(_ cell: Bytes) -> Bytes {
    guard cell.first == apostrophe, isFormula(cell.drop { $0 == apostrophe }) else { return cell }
    return Bytes(rebasing: cell.dropFirst())
  }

  private static let apostrophe = UInt8(ascii: "'")

  private static func isFormula(_ cell: some Collection<UInt8>) -> Bool {
    cell.first.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }

  private static func writeQuoted(_ cell: String, to bytes: inout [UInt8]) {
    guard cell.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
      return bytes.append(cell)
    }
    bytes.append("\"")
    for byte in cell.utf8 {
      if byte == 0x22 { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append("\"")
  }

  private static func writeEscaped(_ cell: String, to bytes: inout [UInt8]) {
    for byte in cell.utf8 {
      switch byte {
      case 0x09: bytes.append("\\t")
      case 0x0A: bytes.append("\\n")
      case 0x0D: bytes.append("\\r")
      case UInt8(ascii: "\\"): bytes.append("\\\\")
      default: bytes.append(byte)
      }
    }
  }
}
