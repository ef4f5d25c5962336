internal import HistoryModel
internal import MessageInterchange
internal import MessageModel
internal import TerminalText

/// `import --dry-run --report`: the shapes of records that were not understood, how often each, by format. It
/// has nothing of what they contain.
struct UnreadRecords {
  /// By format; the empty name stands for files of no known format. A shape of `nil` is that of a record that
  /// its format does not hand on, such as a row of a database.
  private var counts: [String: [RecordShape?: Int]] = [:]
  /// The records of further shapes, by format.
  private var others: [String: Int] = [:]
  private var shapeCount = 0
  private var names: Set<String> = []
  private var files = Files()

  private static let mostShapes = 1_000
  private static let mostShown = 30
  private static let mostNames = 20_000

  /// The formats of the files whose records may still come.
  private struct Files {
    private var byIndex: [Int: String] = [:]
    private var byPath: [String: String] = [:]
    private var last: ImportedFile?
    private var isHandedOver = false

    mutating func begin(_ file: ImportedFile) {
      if isHandedOver {
        (byIndex, byPath, isHandedOver) = ([:], [:], false)
        if let last { note(last) }
      }
      last = file
      note(file)
    }

    private mutating func note(_ file: ImportedFile) {
      byIndex[file.index] = file.format
      byPath[file.path] = file.format
    }

    mutating func format(at index: Int) -> String {
      isHandedOver = true
      return byIndex[index] ?? ""
    }

    mutating func format(of record: SkippedRecord) -> String {
      guard record.scope == .record else { return "" }
      isHandedOver = true
      return byPath[record.path] ?? ""
    }
  }

  mutating func take(_ event: ImportEvent) {
    switch event {
    case .file(let file): files.begin(file)
    case .batch(let batch):
      noteNames(in: batch.entries)
      for run in batch.runs {
        let format = files.format(at: run.file)
        for index in run.entries { count(index, of: batch.entries, format) }
      }
    case .skipped(let record):
      guard record.scope != .ignored, !record.record.isEmpty else { return }
      count(record.record, files.format(of: record))
    }
  }

  private mutating func count(_ index: Int, of entries: ImportBatch, _ format: String) {
    if entries.entries[index].isNamedOnly {
      count(entries.details[index]?.source?.original.map { Array($0.utf8) }, format)
    } else if entries.entries[index].kind == .unknown {
      count(entries.withBytes(of: entries.entries[index].text) { Array($0) }, format)
    }
  }

  private mutating func count(_ record: [UInt8]?, _ format: String) {
    let shape = record.map { RecordShape(of: $0, hiding: names) }
    var shapes = counts.removeValue(forKey: format) ?? [:]
    if shapes[shape] != nil || shapeCount < Self.mostShapes {
      if shapes[shape] == nil { shapeCount += 1 }
      shapes[shape, default: 0] += 1
    } else {
      others[format, default: 0] += 1
    }
    counts[format] = shapes
  }

  private mutating func noteNames(in entries: ImportBatch) {
    for entry in entries.entries where !entry.sender.isNone {
      if let name = entries.string(entry.sender) { note(name) }
    }
    for details in entries.details.values {
      for name in details.reactions.flatMap(\.senders) { note(name) }
    }
  }

  private mutating func note(_ name: String) {
    let name = name.lowercased()
    guard names.count < Self.mostNames, names.insert(name).inserted else { return }
    for word in name.split(whereSeparator: { !$0.isLetter }) where word.count > 1 {
      names.insert(String(word))
    }
  }

  /// The records of a format, the most frequent shapes first; `others` are those of further shapes.
  typealias Shapes = (format: String, rows: [(text: String, count: Int)], others: Int)

  /// By format; the empty name stands for files of no known format.
  var shapes: [Shapes] {
    counts.sorted { $0.key < $1.key }.map { format, shapes in
      let rows = shapes.map { (text: $0.key?.text ?? "a row of a database", count: $0.value) }
        .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
      let rest = rows.dropFirst(Self.mostShown).reduce(others[format, default: 0]) { $0 + $1.count }
      return (format, Array(rows.prefix(Self.mostShown)), rest)
    }
  }

  var count: Int { shapes.reduce(0) { $1.rows.reduce($0 + $1.others) { $0 + $1.count } } }

  /// A line for each shape, the most frequent ones first.
  var lines: [String] {
    guard !counts.isEmpty else { return ["every record was understood"] }
    return ["records that were not understood, by their shape; * is a key that may be data"] + shapeLines + [
      "Nothing of their contents is in this report. Look for names among the keys before you send it."
    ]
  }

  var shapeLines: [String] {
    shapes.flatMap { format, rows, others in
      let shown = rows.map { "\(Self.column($0.count))  \($0.text)" }
      let rest = others > 0 ? ["\(Self.column(others))  of other shapes"] : []
      return [format.isEmpty ? "no known format" : format] + shown + rest
    }
  }

  private static func column(_ count: Int) -> String {
    let number = NumberText.grouped(count)
    return String(repeating: " ", count: max(0, 7 - number.count)) + number
  }
}
