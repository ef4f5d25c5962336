internal import HistoryQueries
internal import TerminalText

extension Console {
  /// Writes answers as JSON, an object a line.
  func write(answers: some Sequence<some Encodable>) throws {
    var bytes: [UInt8] = []
    for answer in answers {
      try AnswerEncoder.write(answer, to: &bytes)
      guard bytes.count >= 65_536 else { continue }
      write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    write(bytes)
  }

  /// Writes answers as JSON, or as a table. What came from outside in that has been made visible.
  func write(
    answers: some Sequence<some Encodable>, asJSON: Bool, table: (TableLayout) throws -> String
  ) throws {
    if asJSON { try write(answers: answers) } else { write(styled: try table(tableLayout)) }
  }

  /// The layout of tables.
  var tableLayout: TableLayout { TableLayout(encoder: encoder, columns: size?.columns) }

  /// Writes an answer as JSON, or as text.
  func write<Answer: Encodable>(_ answer: Answer, asJSON: Bool, text: (Answer) -> String) throws {
    if asJSON { try write(answers: CollectionOfOne(answer)) } else { write(text(answer)) }
  }
}
