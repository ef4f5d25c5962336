internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  /// - Parameter only: The hits to show; `nil` for all messages.
  mutating func showMap(of only: MessagePredicate? = nil) throws -> Effects {
    let here = reader.sight.inView.map { context.clock.civil(at: $0.time) }
    let selection = only.map { context.wholeSelection.narrowed(to: $0) } ?? context.wholeSelection
    let months = try context.store.sections(of: selection, by: .month, zone: context.zone)
    guard var map = TimeMap(months, here: here, of: only) else {
      return Effects(.miss(only == nil ? "there are no messages here" : "there are no hits here"))
    }
    try map.readDays(in: context, choosing: nil)
    guard reader.traits.hasWindow else {
      let rows = map.rows(height: months.count + Self.printedRows, columns: Self.printedColumns)
      return Effects(.listing(Listing(lines: rows.map(\.plainText).filter { !$0.isEmpty })))
    }
    reader.cover.list = map
    return Effects(stops: [.hits])
  }

  /// The present map with the choice of the one shown; `nil` if none is, or without messages.
  func renewedMap() throws(StoreError) -> TimeMap? {
    guard let before = reader.cover.map else { return nil }
    let months = try context.store.sections(of: context.wholeSelection, by: .month, zone: context.zone)
    guard var map = TimeMap(months, here: before.here) else { return nil }
    map.chooseMonth(asIn: before)
    try map.readDays(in: context, asIn: before)
    try map.zoom(asIn: before, in: context)
    return map
  }

  private static var printedRows: Int { 16 }
  private static var printedColumns: Int { 80 }
}
