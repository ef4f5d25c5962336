internal import HistoryQueries
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// `/stats` and `/memory`.
extension Session {
  func showFigures() throws -> Effects {
    list(ReplContext.lines(StatisticsTable.text(of: try QuestionAnswerer(context.store).statistics())))
  }

  func showMemory() -> Effects {
    let memory = ProcessMemory.now()
    var rows = [
      ["memory in use", NumberText.bytes(memory.residentByteCount)],
      ["memory at most", NumberText.bytes(memory.peakByteCount)],
    ]
    let sight = reader.sight
    if let header = sight.header {
      rows.append(["messages held", NumberText.grouped(header.count)])
      rows.append(["  attachment data", NumberText.bytes(header.byteCount)])
    }
    if context.showsPictures { rows.append(["pictures drawn", NumberText.bytes(sight.pictureByteCount)]) }
    rows += MemoryTable.rows(of: MemoryFigures(context.store.memory()))
    return list(ReplContext.lines(TextTable.text(rows)))
  }
}
