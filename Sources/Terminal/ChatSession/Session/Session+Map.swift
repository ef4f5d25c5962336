internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension Session {
  mutating func showMap() throws -> Effects {
    let here = reader.sight.inView.map { context.clock.civil(at: $0.time) }
    let months = try context.store.sections(of: context.wholeSelection, by: .month, zone: context.zone)
    guard var map = TimeMap(months, here: here) else { return Effects(.miss("there are no messages here")) }
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
    return map
  }

  private static var printedRows: Int { 16 }
  private static var printedColumns: Int { 80 }
}
