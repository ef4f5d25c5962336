internal import HistoryQueries
internal import TerminalText

extension Console {
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

  /// Writes answers as JSON or as a table, which must not contain terminal control characters.
  func write(
    answers: some Sequence<some Encodable>, asJSON: Bool, table: (TableLayout) throws -> String
  ) throws {
    if asJSON { try write(answers: answers) } else { write(styled: try table(tableLayout)) }
  }

  var tableLayout: TableLayout { TableLayout(encoder: encoder, columns: size?.columns) }

  func write<Answer: Encodable>(_ answer: Answer, asJSON: Bool, text: (Answer) -> String) throws {
    if asJSON { try write(answers: CollectionOfOne(answer)) } else { write(text(answer)) }
  }
}
