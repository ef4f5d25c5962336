internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// The map of time covers the messages; keys choose a day, and Enter goes there.
extension Session {
  mutating func showMap() throws -> Effects {
    let here = reader.sight.inView.map { context.clock.civil(at: $0.time) }
    let months = try context.store.sections(of: context.wholeSelection, by: .month, zone: context.zone)
    guard var map = TimeMap(months, here: here) else { return Effects(.miss("there are no messages here")) }
    map.take(try days(of: map), choosing: nil)
    guard reader.traits.hasWindow else {
      let rows = map.rows(height: months.count + Self.printedRows, columns: Self.printedColumns)
      return Effects(.listing(Listing(lines: rows.map(\.plainText).filter { !$0.isEmpty })))
    }
    reader.cover = .map(map)
    return Effects(stops: [.hits])
  }

  /// The present map with the choice of the one shown; `nil` if none is, or without messages.
  func renewedMap() throws(StoreError) -> TimeMap? {
    guard let before = reader.cover.map else { return nil }
    let months = try context.store.sections(of: context.wholeSelection, by: .month, zone: context.zone)
    guard var map = TimeMap(months, here: before.here) else { return nil }
    map.chooseMonth(asIn: before)
    map.take(try days(of: map), asIn: before)
    return map
  }

  private static var printedRows: Int { 16 }
  private static var printedColumns: Int { 80 }

  private func days(of map: TimeMap) throws(StoreError) -> [HistorySection] {
    try context.store.sections(
      of: context.wholeSelection, by: .day, zone: context.zone, from: map.month.oldest, limit: 31)
  }
}

extension Session where R == ScreenReader {
  /// `nil` if the event has its usual meaning.
  mutating func answerInMap(_ event: ReplEvent) throws -> Effects? {
    switch event {
    case .typed("q"): return try press(inMap: .escape, 1)
    case .typed: return Effects()
    case .line(let line):
      let words = line.trimming(while: \.isWhitespace)
      if words.isEmpty { return try goToChosenDay() }
      guard CommandParser.isCommand(line) else { return try goToDay(words) }
      reader.putAway()
      return nil
    case .search:
      reader.putAway()
      return nil
    case .key(let key, let count): return try press(inMap: key, min(max(1, count), 10_000))
    case .interrupted:
      reader.putAway()
      return Effects()
    case .storeChanged, .resized, .timePassed, .reported, .completions: return nil
    }
  }

  private mutating func press(inMap key: ReplKey, _ count: Int) throws -> Effects {
    switch key {
    case .dayOlder, .nextHit, .repeatHit: try chooseDay(-count)
    case .dayNewer, .previousHit, .reverseHit: try chooseDay(count)
    case .rowOlder: try choose { $0.move(months: -count) }
    case .rowNewer: try choose { $0.move(months: count) }
    case .rowsOlder: try choose { $0.move(months: -3 * count) }
    case .rowsNewer: try choose { $0.move(months: 3 * count) }
    case .halfOlder: try choose { $0.move(months: -6 * count) }
    case .halfNewer: try choose { $0.move(months: 6 * count) }
    case .pageOlder: try choose { $0.move(years: -count) }
    case .pageNewer: try choose { $0.move(years: count) }
    case .oldest: try choose { $0.move(months: -$0.months.count) }
    case .newest: try choose(.newer) { $0.move(months: $0.months.count) }
    case .choose: return try goToChosenDay()
    case .close, .map, .escape:
      reader.putAway()
      return Effects(emptiesLine: true)
    case .redraw, .unread, .hits, .switcher, .answered, .steps: break
    }
    return Effects()
  }

  /// Chooses another month, and its first or last day.
  private mutating func choose(
    _ end: MessageWindow.Direction = .older, _ move: (inout TimeMap) -> Void
  ) throws(StoreError) {
    guard var map = reader.cover.map else { return }
    let before = map.monthIndex
    move(&map)
    if map.monthIndex != before || end == .newer { map.take(try days(of: map), choosing: end) }
    reader.cover.map = map
  }

  /// Moves by days with messages, also into other months.
  private mutating func chooseDay(_ count: Int) throws(StoreError) {
    guard var map = reader.cover.map else { return }
    // Limited, since each month is a read.
    var left = map.move(days: min(max(-366, count), 366))
    while left != 0 {
      let before = map.monthIndex
      map.move(months: left < 0 ? -1 : 1)
      guard map.monthIndex != before else { break }
      map.take(try days(of: map), choosing: left < 0 ? .newer : .older)
      left = map.move(days: left < 0 ? left + 1 : left - 1)
    }
    reader.cover.map = map
  }

  private mutating func goToChosenDay() throws -> Effects {
    guard let day = reader.cover.map?.day else { return Effects() }
    reader.putAway()
    return try move(.to(.around(day.oldest))).adding(Effects(emptiesLine: true))
  }

  private mutating func goToDay(_ words: Substring) throws -> Effects {
    guard let place = TimeExpression(words) else {
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 40))' is not a date",
        remedy: "2024-05, or the arrows and Enter"
      )
    }
    reader.putAway()
    return try go(to: .time(place))
  }
}
