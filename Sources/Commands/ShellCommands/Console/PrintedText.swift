internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import TerminalText

/// Prints messages as ``TextExport`` does, in colour if wanted; on a terminal wrapped with a hanging indent,
/// with a line between days.
///
///     ── Wednesday, 2024-05-01 ─────────────────────
///     2024-05-01 12:34:56  alice  Text hangs from the
///                          end of the time.
struct PrintedText: ExportFormat {
  struct Settings: Sendable {
    var zone: TimeZone
    var encoder: StyleEncoder
    /// Returns the present width of the terminal; `nil` without one.
    var columns: (@Sendable () -> Int?)?
    var naming = Naming.none
    var partsDays = true

    init(zone: TimeZone, encoder: StyleEncoder, naming: Naming = .none, partsDays: Bool = true) {
      self.zone = zone
      self.encoder = encoder
      self.naming = naming
      self.partsDays = partsDays
    }
  }

  enum Naming: Hashable, Sendable {
    /// Not at all: there is only one.
    case none
    /// By a heading above its messages: conversations follow each other.
    case headings
    /// By its name in each line: conversations are mixed.
    case inLines
  }

  private let settings: Settings
  private var plain: TextExport
  private var renderer: MessageRenderer
  private var conversation: String?
  private var day: Int?

  /// The least width of text; narrower, its prefix gets a row of its own.
  private static let fewestColumns = 20

  init(_ settings: Settings) {
    self.settings = settings
    plain = TextExport(timeZone: settings.zone)
    renderer = MessageRenderer(LayoutSettings(columns: 80, zone: settings.zone))
  }

  mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    write(record, hits: [], margin: "", to: &bytes)
  }

  /// Writes a search hit; `hits` are in bytes, and `margin` is the prefix of its first line.
  mutating func write(
    _ record: ExportRecord, hits: [Range<Int>], margin: String, to bytes: inout [UInt8]
  ) {
    let columns = settings.columns?()
    writeSeparators(before: record, columns, to: &bytes)
    var before = margin
    if settings.naming == .inLines { before += VisibleText.of(record.conversation, keepsTabs: false) + "  " }
    if columns == nil, settings.encoder.depth == .none { return writePlain(record, before, to: &bytes) }
    var record = record
    record.text = HitMarks.marked(record.text, settings.encoder.depth == .none ? [] : hits)
    let lines = lines(of: record, before)
    let rows = columns.map { lines.rows(columns: $0, fewest: Self.fewestColumns) } ?? lines.whole
    for row in rows { write(row, to: &bytes) }
  }

  private mutating func lines(of record: ExportRecord, _ before: String) -> PrintedLines {
    let head = plain.head(of: record)
    var bytes: [UInt8] = []
    plain.write(record, to: &bytes)
    let isDim = record.kind.isEvent || record.kind.isStep
    let name = SafeText.oneLine(record.sender ?? "")
    return PrintedLines(
      of: bytes, before: before, time: head.time,
      opening: Span(head.sender, isDim ? .dim : .sender(name)), style: isDim ? .dim : .plain)
  }

  /// Writes the lines unwrapped; the first follows `before`, the others are indented by its width.
  private mutating func writePlain(_ record: ExportRecord, _ before: String, to bytes: inout [UInt8]) {
    guard !before.isEmpty else { return plain.write(record, to: &bytes) }
    var lines: [UInt8] = []
    plain.write(record, to: &lines)
    bytes.append(contentsOf: before.utf8)
    var rest = lines.dropLast()
    while let end = rest.firstIndex(of: 0x0A) {
      bytes.append(contentsOf: rest[...end])
      bytes.append(contentsOf: repeatElement(0x20, count: DisplayWidth.columns(of: before)))
      rest = rest[(end + 1)...]
    }
    bytes.append(contentsOf: rest)
    bytes.append(0x0A)
  }

  private mutating func writeSeparators(
    before record: ExportRecord, _ columns: Int?, to bytes: inout [UInt8]
  ) {
    if let columns, columns != renderer.settings.columns {
      renderer = MessageRenderer(LayoutSettings(columns: columns, zone: settings.zone))
    }
    if settings.naming == .headings, record.conversation != conversation {
      writeHeading(record.conversation, isRule: columns != nil, to: &bytes)
    }
    guard columns != nil, settings.partsDays else { return }
    let newDay = renderer.day(at: record.time, record.precision)
    if newDay != day { write(renderer.daySeparator(newDay), to: &bytes) }
    day = newDay
  }

  private mutating func writeHeading(_ name: String, isRule: Bool, to bytes: inout [UInt8]) {
    if conversation != nil { bytes.append(0x0A) }
    (conversation, day) = (name, nil)
    let visible = VisibleText.of(name, keepsTabs: false)
    write(isRule ? renderer.conversationSeparator(name) : Row("==> \(visible) <==", .heading), to: &bytes)
  }

  private func write(_ row: Row, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: settings.encoder.string(row).utf8)
    bytes.append(0x0A)
  }
}
