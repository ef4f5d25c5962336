internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
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

/// `/days` and `/months`.
extension Session {
  func listSections(by span: HistorySection.Span) throws(StoreError) -> Effects {
    let sections = try context.store.sections(
      of: context.wholeSelection, by: span, zone: context.zone)
    let days = sections.map { DayAnswer($0, span) }
    if days.isEmpty {
      return Effects(.listing(Listing(lines: ["there are no messages here"], choice: .place)))
    }
    return Effects(
      .listing(
        Listing(
          lines: ReplContext.lines(DayTable.text(of: days)), choice: .place,
          names: days.map { $0.day ?? $0.month ?? "" }, showsEnd: true)))
  }
}
