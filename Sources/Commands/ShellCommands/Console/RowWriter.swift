internal import MessageModel
internal import MessageStorage
internal import TerminalText

struct RowWriter {
  enum Form {
    case table, json, csv
  }

  private let form: Form
  private let console: Console
  private var columns: [String] = []
  private var waiting: [StoredRow] = []
  private var hasHead = false

  /// The most rows of a table laid out together; column widths may change after them.
  private static let sheet = 500

  init(form: Form, _ console: Console) {
    self.form = form
    self.console = console
  }

  mutating func begin(_ columns: [String]) throws {
    try finish()
    self.columns = columns
    hasHead = false
    if form == .csv { console.write(data: Self.csv(columns)) }
  }

  mutating func write(_ row: StoredRow) throws {
    switch form {
    case .json: try console.write(answers: CollectionOfOne(ObjectOfRow(row: row)))
    case .csv: console.write(data: Self.csv(row.values.map(Self.text)))
    case .table:
      waiting.append(row)
      if waiting.count == Self.sheet { try finish() }
    }
  }

  mutating func finish() throws {
    guard !waiting.isEmpty else { return }
    var rows = waiting.map { $0.values.map { Span(VisibleText.of(Self.text($0), keepsTabs: false)) } }
    if !hasHead { rows.insert(columns.map { Span(VisibleText.of($0, keepsTabs: false), .dim) }, at: 0) }
    let texts = columns.indices.filter { column in
      waiting.contains { if case .text = $0.values[column] { true } else { false } }
    }
    let numbers = Set(
      columns.indices.filter { column in waiting.allSatisfy { Self.isNumber($0.values[column]) } })
    console.write(
      styled: TextTable.text(
        rows, alignsRight: numbers, layout: console.tableLayout, cutting: texts.reversed()))
    hasHead = true
    waiting.removeAll(keepingCapacity: true)
  }

  private static func isNumber(_ value: StoredRow.Value) -> Bool {
    switch value {
    case .null, .integer, .real: true
    case .text, .blob: false
    }
  }

  /// A value as text: empty for NULL, `X'…'` for a blob, as in SQL.
  private static func text(_ value: StoredRow.Value) -> String {
    switch value {
    case .null: ""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "X'\(hexadecimal(bytes))'"
    }
  }

  fileprivate static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).suffix(2) }.joined()
  }

  /// RFC 4180, with line feeds.
  private static func csv(_ cells: [String]) -> [UInt8] {
    let quoted = cells.map { cell in
      cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
    }
    return Array((quoted.joined(separator: ",") + "\n").utf8)
  }
}

/// A row as a JSON object; of columns with equal names, the first counts.
private struct ObjectOfRow: Encodable {
  let row: StoredRow

  private struct Column: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Column.self)
    var names: Set<String> = []
    for (name, value) in zip(row.columns, row.values) where names.insert(name).inserted {
      let column = Column(stringValue: name)
      switch value {
      case .null: try object.encodeNil(forKey: column)
      case .integer(let number): try object.encode(number, forKey: column)
      case .real(let number) where number.isFinite: try object.encode(number, forKey: column)
      // JSON has no infinity.
      case .real: try object.encodeNil(forKey: column)
      case .text(let text): try object.encode(text, forKey: column)
      case .blob(let bytes): try object.encode(RowWriter.hexadecimal(bytes), forKey: column)
      }
    }
  }
}
