internal import Foundation
internal import HistoryModel
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// The messages of a conversation over time: months to choose from, and the days of the chosen one.
///
/// It zooms into the hours of a day and the minutes of an hour, and shows messages or the hits of a search. It holds
/// counts, reads of the ordinal index, and no messages. Choosing is a jump of the reader's own window.
package struct TimeMap: Hashable, ListCover {
  /// Months with messages, oldest first; at least one.
  let months: [HistorySection]
  let here: CivilTime?
  private(set) var monthIndex: Int
  /// Those with messages, oldest first; empty until known.
  private(set) var days: [HistorySection] = []
  private(set) var dayIndex = 0
  /// The hits that are counted; `nil` for all messages.
  let only: MessagePredicate?
  /// What the bars are.
  private(set) var zoom = Zoom.days
  /// The hours or minutes with messages, oldest first; empty for days.
  private var parts: [Part] = []
  private var partIndex = 0
  /// The chosen hour, whose minutes are shown.
  private var hour = 0

  enum Zoom: Hashable { case days, hours, minutes }

  /// An hour of the chosen day, or a minute of the chosen hour.
  private struct Part: Hashable {
    var number: Int
    var start: Timestamp
    var count: Int
  }

  /// Chooses the month in view; `nil` without months.
  init?(_ months: [HistorySection], here: CivilTime?, of only: MessagePredicate? = nil) {
    guard !months.isEmpty else { return nil }
    self.months = months
    self.here = here
    self.only = only
    monthIndex = here.flatMap { here in months.lastIndex { $0.start.monthNumber <= here.monthNumber } } ?? 0
  }

  var month: HistorySection { months[monthIndex] }
  var day: HistorySection? { days.indices.contains(dayIndex) ? days[dayIndex] : nil }

  /// Chooses the month chosen in another map, else the one before it.
  mutating func chooseMonth(asIn other: TimeMap) {
    monthIndex = months.lastIndex { $0.start.monthNumber <= other.month.start.monthNumber } ?? 0
  }

  /// Reads the days of the chosen month, and chooses the day chosen in another map, else the one before it.
  mutating func readDays(in context: ReplContext, asIn other: TimeMap) throws(StoreError) {
    try readDays(in: context, choosing: .newer)
    guard let day = other.day, month.start.monthNumber == other.month.start.monthNumber else { return }
    dayIndex = days.lastIndex { $0.start.day <= day.start.day } ?? 0
  }

  /// Moves by months with messages, towards older ones if negative.
  private mutating func move(months count: Int) {
    monthIndex = min(max(0, monthIndex + count), months.count - 1)
  }

  /// Moves by years, towards older ones if negative, to the same month or the next with messages.
  private mutating func move(years count: Int) {
    let target = month.start.monthNumber + 12 * count
    monthIndex =
      count < 0
      ? months.lastIndex { $0.start.monthNumber <= target } ?? 0
      : months.firstIndex { $0.start.monthNumber >= target } ?? months.count - 1
  }

  /// Moves by days with messages within the month; returns how many remain to move in other months.
  private mutating func move(days count: Int) -> Int {
    let target = dayIndex + count
    dayIndex = min(max(0, target), max(0, days.count - 1))
    return target - dayIndex
  }

  /// Moves by days with messages, also into other months.
  private mutating func move(days count: Int, in context: ReplContext) throws(StoreError) {
    // Limited, since each month is a read.
    var left = move(days: min(max(-366, count), 366))
    while left != 0 {
      let before = monthIndex
      move(months: left < 0 ? -1 : 1)
      guard monthIndex != before else { break }
      try readDays(in: context, choosing: left < 0 ? .newer : .older)
      left = move(days: left < 0 ? left + 1 : left - 1)
    }
  }

  /// Reads the days of the chosen month, and chooses the first or last, or the one in view if `nil`.
  mutating func readDays(
    in context: ReplContext, choosing end: ScrollDirection?
  ) throws(StoreError) {
    let sections = try context.store.sections(
      of: selection(in: context), by: .day, zone: context.zone, from: month.oldest, limit: 31)
    days = sections.filter { $0.start.monthNumber == month.start.monthNumber }
    switch end {
    case .older: dayIndex = 0
    case .newer: dayIndex = max(0, days.count - 1)
    case nil: dayIndex = here.flatMap { here in days.lastIndex { $0.start.day <= here.day } } ?? 0
    }
  }
}

// MARK: Zooming

extension TimeMap {
  func selection(in context: ReplContext) -> Selection {
    only.map { context.wholeSelection.narrowed(to: $0) } ?? context.wholeSelection
  }

  private var part: Part? { parts.indices.contains(partIndex) ? parts[partIndex] : nil }

  /// Zooms from days to hours to minutes, or back.
  private mutating func zoom(isIn: Bool, in context: ReplContext) throws(StoreError) {
    switch (zoom, isIn) {
    case (.days, true): if day != nil { zoom = .hours }
    case (.hours, true):
      guard let part else { return }
      (zoom, hour) = (.minutes, part.number)
    case (.hours, false): zoom = .days
    case (.minutes, false): zoom = .hours
    case (.minutes, true), (.days, false): return
    }
    try readParts(in: context)
    // Back at the hours, that of the minutes is chosen.
    partIndex = !isIn ? parts.firstIndex { $0.number == hour } ?? 0 : 0
  }

  /// Zooms as another map, and chooses what it has chosen, or the one before.
  mutating func zoom(asIn other: TimeMap, in context: ReplContext) throws(StoreError) {
    guard other.zoom != .days, let day, day.start.day == other.day?.start.day else { return }
    (zoom, hour) = (other.zoom, other.hour)
    try readParts(in: context)
    partIndex = other.part.flatMap { chosen in parts.lastIndex { $0.number <= chosen.number } } ?? 0
  }

  /// Counts the messages of each hour or minute: as many look-ups of an ordinal as there are.
  private mutating func readParts(in context: ReplContext) throws(StoreError) {
    parts = []
    guard let day, zoom != .days else { return }
    let starts = starts(of: day.start, context)
    let selection = selection(in: context)
    let store = context.store
    let ordinals = try store.atOneMoment { () throws(StoreError) in
      var ordinals: [Int] = []
      for start in starts {
        let anchor = PageAnchor.after(Message.ID(time: start).predecessor)
        let counts = try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 0)).counts
        ordinals.append(counts?.firstOrdinal ?? 0)
      }
      return ordinals
    }
    parts = zip(ordinals, ordinals.dropFirst()).enumerated().compactMap { number, ends in
      ends.0 < ends.1 ? Part(number: number, start: starts[number], count: ends.1 - ends.0) : nil
    }
  }

  /// The beginnings of the hours or minutes, and the end of the last one.
  private func starts(of day: CivilTime, _ context: ReplContext) -> [Timestamp] {
    var clock = context.clock
    let midnight = day.daysSince1970
    return (0...(zoom == .hours ? 24 : 60)).map { number in
      let minutes = zoom == .hours ? 60 * number : 60 * hour + number
      var civil = CivilTime(daysSince1970: midnight + minutes / 1_440)
      (civil.hour, civil.minute) = (minutes % 1_440 / 60, minutes % 60)
      return clock.moment(showing: civil)
    }
  }

  private mutating func move(parts count: Int) {
    partIndex = min(max(0, partIndex.adding(count)), max(0, parts.count - 1))
  }
}

// MARK: Covering the messages

extension TimeMap {
  var key: ReplKey? { .map }
  var arrows: ArrowUse { .map }
  /// Hits are not counted again: that may take a pass over all messages.
  var command: ReplCommand? { only == nil ? .map : nil }

  mutating func move(
    _ motion: Motion, on screen: ScreenReader, in context: ReplContext
  ) throws(StoreError) -> Bool {
    let before = monthIndex
    if zoom != .days, let count = motion.partCount {
      move(parts: count)
      return true
    }
    switch motion {
    case .messages(let count), .days(let count):
      try move(days: count, in: context)
      return true
    case .rows(let count): move(months: count)
    case .halfPages(let count): move(months: 6 * count)
    case .pages(let count): move(years: count)
    case .end(let direction): move(months: direction == .older ? -months.count : months.count)
    case .to, .hit, .retrace, .restore: return false
    }
    if monthIndex != before || motion.end == .newer {
      try readDays(in: context, choosing: motion.end ?? .older)
    }
    return true
  }

  /// Chooses a month with messages, or a bar.
  mutating func point(
    to row: Int, column: Int, on screen: ScreenReader, in context: ReplContext
  ) throws(StoreError) -> Bool {
    let heights = Self.parts(ofHeight: screen.view.height, columns: screen.columns)
    if row > heights.grid {
      let place = (column - Self.barMargin) / barColumns(screen.columns)
      // The row above the bars is their title.
      guard heights.bars != nil, row > heights.grid + 1, column >= Self.barMargin,
        numbers.indices.contains(place)
      else { return false }
      return chooseBar(numbers[place])
    }
    let year = firstYear(ofRows: heights.grid) + row - 1
    let place = (column - Self.yearColumns) / Self.monthColumns(screen.columns)
    guard row > 0, years.indices.contains(year), column >= Self.yearColumns, place < 12,
      let month = months.firstIndex(where: { $0.start.monthNumber == years[year] * 12 + place })
    else { return false }
    (monthIndex, zoom, parts) = (month, .days, [])
    try readDays(in: context, choosing: .older)
    return true
  }

  /// Returns whether there are messages.
  private mutating func chooseBar(_ number: Int) -> Bool {
    let place =
      zoom == .days
      ? days.firstIndex { $0.start.day == number } : parts.firstIndex { $0.number == number }
    guard let place else { return false }
    if zoom == .days { dayIndex = place } else { partIndex = place }
    return true
  }

  func narrow(by line: String, in session: inout Session<ScreenReader>) throws -> Effects? {
    if line == "q" { return try session.escape() }
    guard line == "+" || line == "-" else { return Effects() }
    return try press(line == "+" ? .zoomIn : .zoomOut, in: &session)?.adding(Effects(emptiesLine: true))
  }

  func press(_ key: ReplKey, in session: inout Session<ScreenReader>) throws -> Effects? {
    if key == .hits { return try session.showMap(of: only == nil ? session.search?.predicate : nil) }
    guard key == .zoomIn || key == .zoomOut else { return Effects() }
    var map = self
    try map.zoom(isIn: key == .zoomIn, in: session.context)
    session.reader.cover.list = map
    return Effects()
  }

  func command(choosing line: String) throws -> ReplCommand? {
    let words = line.trimming(while: \.isWhitespace)
    if let place = TimeExpression(words) { return .goto(.time(place)) }
    throw UsageError(
      "'\(SafeText.oneLine(words).cut(columns: 40))' is not a date",
      remedy: "2024-05, or the arrows and Enter")
  }

  func choose(in session: inout Session<ScreenReader>) throws -> Effects? {
    if let part { return try session.leaveCover(to: .to(.time(part.start))) }
    guard let day else { return Effects() }
    return try session.leaveCover(to: .to(.around(day.oldest)))
  }

  func rows(on screen: ScreenReader) -> [Row] {
    rows(height: screen.view.height, columns: screen.columns)
  }

  func status(on screen: ScreenReader) -> Row? {
    var text = " "
    if let day {
      text += "\(DateText.weekdays[day.start.weekday]), \(DateText.date(day.start))"
      if let part { text += " \(time(of: part))" }
      text += " · \(counted(part?.count ?? day.count))"
    }
    let keys =
      zoom == .days
      ? "←→ day · ↑↓ month · + zooms" : zoom == .hours ? "←→ hour · + - zoom" : "←→ minute · - zooms"
    return screen.status(text.cut(columns: screen.columns), keys)
  }

  private func counted(_ count: Int) -> String { NumberText.counted(count, only == nil ? "message" : "hit") }

  private func time(of part: Part) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    return zoom == .hours ? "\(two(part.number)):00" : "\(two(hour)):\(two(part.number))"
  }
}

extension Motion {
  /// The hours or minutes that it moves by; `nil` if it leads elsewhere.
  fileprivate var partCount: Int? {
    if case .days(let count) = self { return count }
    return rows(page: 6)
  }
}

extension CivilTime {
  var monthNumber: Int { year * 12 + month - 1 }
}

/// A row per year with a cell per month, shaded by message count; below, the chosen month's days as bars.
extension TimeMap {
  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let shades: [Character] = ["·", "░", "▒", "▓", "█"]
  private static let eighths: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let yearColumns = 6
  private static let barMargin = 2

  /// A small screen shows no days.
  func rows(height: Int, columns: Int) -> [Row] {
    let parts = Self.parts(ofHeight: height, columns: columns)
    guard let bars = parts.bars else { return filled(grid(parts.grid, columns), height) }
    return filled(grid(parts.grid, columns), parts.grid + 1) + dayRows(bars, columns)
  }

  /// The heights of the years and, unless the screen is small, of the bars below.
  private static func parts(ofHeight height: Int, columns: Int) -> (grid: Int, bars: Int?) {
    let bars = max(2, min(8, height / 3))
    let grid = height - bars - 4
    return grid >= 2 && columns >= 34 ? (grid, bars) : (height - 1, nil)
  }

  /// The year in the first row below the header, as an index.
  private func firstYear(ofRows height: Int) -> Int {
    let chosen = years.firstIndex(of: month.start.year) ?? 0
    return max(0, min(chosen - height / 2, years.count - height))
  }

  private static func monthColumns(_ columns: Int) -> Int { columns >= 66 ? 4 : columns >= 34 ? 2 : 1 }

  private func barColumns(_ columns: Int) -> Int { columns >= 2 * numbers.count + 4 ? 2 : 1 }

  private func filled(_ rows: [Row], _ height: Int) -> [Row] {
    Array(rows.filled(to: height).prefix(max(1, height)))
  }

  // MARK: Months

  private func grid(_ height: Int, _ columns: Int) -> [Row] {
    let width = Self.monthColumns(columns)
    let years = years
    let top = firstYear(ofRows: height)
    let most = months.map(\.count).max() ?? 1
    let byNumber = Dictionary(months.map { ($0.start.monthNumber, $0) }) { first, _ in first }
    var header = Row(String(repeating: " ", count: Self.yearColumns))
    for name in Self.monthNames {
      header.append(width == 4 ? name + " " : name.prefix(1) + (width == 2 ? " " : ""), .dim)
    }
    return [header]
      + years[top...].prefix(max(1, height)).map { year in
        row(of: year, byNumber, most: most, width: width, columns: columns)
      }
  }

  private var years: [Int] {
    months.reduce(into: []) { if $0.last != $1.start.year { $0.append($1.start.year) } }
  }

  private func row(
    of year: Int, _ months: [Int: HistorySection], most: Int, width: Int, columns: Int
  ) -> Row {
    var row = Row(String(year), .dim)
    row.pad(to: Self.yearColumns)
    var total = 0
    for number in (year * 12)..<(year * 12 + 12) {
      let count = months[number]?.count ?? 0
      total += count
      row.append(
        cell(Self.shade(count, of: most), width, isHere: here?.monthNumber == number),
        style(of: number, count))
    }
    let sum = NumberText.grouped(total)
    if row.columns + 2 + sum.count <= columns { row.append("  " + sum, .dim) }
    return row
  }

  private func cell(_ shade: Character, _ width: Int, isHere: Bool) -> String {
    guard width == 4 else { return String(repeating: shade, count: width) }
    return isHere ? "[\(shade)\(shade)]" : " \(shade)\(shade) "
  }

  private func style(of number: Int, _ count: Int) -> Style {
    if number == month.start.monthNumber { return .selection }
    var style = count == 0 ? Style.dim : .plain
    style.isUnderlined = here?.monthNumber == number
    return style
  }

  /// Shades by the logarithm: busy months would hide all others.
  static func shade(_ count: Int, of most: Int) -> Character {
    guard count > 0 else { return shades[0] }
    guard most > 1 else { return shades[4] }
    return shades[1 + min(3, Int(4 * log(Double(count)) / log(Double(most))))]
  }

  // MARK: Days

  private func dayRows(_ height: Int, _ columns: Int) -> [Row] {
    let numbers = numbers
    let width = barColumns(columns)
    let counts =
      zoom == .days
      ? Dictionary(days.map { ($0.start.day, $0.count) }) { first, _ in first }
      : Dictionary(parts.map { ($0.number, $0.count) }) { first, _ in first }
    let most = max(1, counts.values.max() ?? 1)
    let bars = (0..<height).map { row in
      var line = Row(String(repeating: " ", count: Self.barMargin))
      for number in numbers {
        let eighths =
          counts[number].map { max(1, Int((Double($0) / Double(most) * Double(height * 8)).rounded())) } ?? 0
        let part = min(8, max(0, eighths - (height - 1 - row) * 8))
        let isChosen = number == chosenNumber
        line.append(String(Self.eighths[part]), isChosen ? Style(color: .notice) : .plain)
        line.append(String(repeating: " ", count: width - 1))
      }
      return line
    }
    return ([title(columns)] + bars + [marks(numbers, width), labels(numbers, width)]).map {
      $0.cut(to: columns)
    }
  }

  /// The numbers of all bars, also of those without messages.
  private var numbers: [Int] {
    switch zoom {
    case .days: Array(1...dayCount)
    case .hours: Array(0..<24)
    case .minutes: Array(0..<60)
    }
  }

  private var chosenNumber: Int? { zoom == .days ? day?.start.day : part?.number }

  private func title(_ columns: Int) -> Row {
    let start = month.start
    let monthName = "\(Self.monthNames[min(max(1, start.month), 12) - 1]) \(start.year)"
    let date = day.map { DateText.date($0.start) } ?? ""
    let (name, count) =
      switch zoom {
      case .days: (monthName, month.count)
      case .hours: (date, parts.reduce(0) { $0 + $1.count })
      case .minutes: ("\(date) \(hour < 10 ? "0" : "")\(hour):00", parts.reduce(0) { $0 + $1.count })
      }
    let text = "── \(name) · \(counted(count)) "
    return Row(text + String(repeating: "─", count: max(0, columns - DisplayWidth.columns(of: text))), .dim)
      .cut(to: columns)
  }

  private func marks(_ numbers: [Int], _ width: Int) -> Row {
    var row = Row(String(repeating: " ", count: Self.barMargin))
    for number in numbers {
      let isHere =
        zoom == .days && here?.monthNumber == month.start.monthNumber && here?.day == number
      let mark = number == chosenNumber ? "▲" : isHere ? "•" : " "
      row.append(mark, Style(color: .notice))
      row.append(String(repeating: " ", count: width - 1))
    }
    return row
  }

  private func labels(_ numbers: [Int], _ width: Int) -> Row {
    var row = Row(String(repeating: " ", count: Self.barMargin))
    let first = numbers[0]
    for number in numbers where number == first || number.isMultiple(of: 5) {
      row.pad(to: Self.barMargin + (number - first) * width)
      row.append(String(number), .dim)
    }
    return row
  }

  private var dayCount: Int { CivilTime.days(inMonth: month.start.month, of: month.start.year) }
}
