internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

/// `/days` and `/months`.
extension Session {
  /// Lists the days or months of the timeline to choose from: a line each with date and number of messages.
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
