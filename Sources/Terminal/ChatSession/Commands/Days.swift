internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

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
