internal import MessageModel
internal import MessageStorage
internal import MessageWindows

/// The messages of a conversation over time: months to choose from, and the days of the chosen one.
///
/// It is made of counts by month and by day, two reads of the ordinal index, and holds no messages: there is nothing that a window
/// would page. Choosing a day is a jump of the reader's own window.
package struct TimeMap: Hashable, Sendable {
  /// The months that have messages, oldest first; at least one.
  let months: [HistorySection]
  /// The day that was in view; `nil` if none was.
  let here: CivilTime?
  /// The place of the chosen month.
  private(set) var monthIndex: Int
  /// The days of the chosen month that have messages, oldest first.
  private(set) var days: [HistorySection] = []
  /// The place of the chosen day.
  private(set) var dayIndex = 0

  /// Creates a picture whose chosen month is the one in view, and whose days are not known yet.
  ///
  /// - Returns: `nil` if there are no messages.
  init?(_ months: [HistorySection], here: CivilTime?) {
    guard !months.isEmpty else { return nil }
    self.months = months
    self.here = here
    monthIndex = here.flatMap { here in months.lastIndex { $0.start.monthNumber <= here.monthNumber } } ?? 0
  }

  /// The chosen month.
  var month: HistorySection { months[monthIndex] }
  /// The chosen day; `nil` as long as the days are not known.
  var day: HistorySection? { days.indices.contains(dayIndex) ? days[dayIndex] : nil }

  /// Chooses the month that is chosen in another picture, or the one before it.
  mutating func chooseMonth(asIn other: TimeMap) {
    monthIndex = months.lastIndex { $0.start.monthNumber <= other.month.start.monthNumber } ?? 0
  }

  /// Takes in the days of the chosen month, and chooses the one that is chosen in another picture, or the one before it.
  mutating func take(_ sections: [HistorySection], asIn other: TimeMap) {
    take(sections, choosing: .newer)
    guard let day = other.day, month.start.monthNumber == other.month.start.monthNumber else { return }
    dayIndex = days.lastIndex { $0.start.day <= day.start.day } ?? 0
  }

  /// Chooses a month so many months on, or back if negative, of those that have messages.
  mutating func move(months count: Int) {
    monthIndex = min(max(0, monthIndex + count), months.count - 1)
  }

  /// Chooses the same month so many years on, or back if negative, or what is nearest to it that way.
  mutating func move(years count: Int) {
    let target = month.start.monthNumber + 12 * count
    monthIndex =
      count < 0
      ? months.lastIndex { $0.start.monthNumber <= target } ?? 0
      : months.firstIndex { $0.start.monthNumber >= target } ?? months.count - 1
  }

  /// Chooses a day so many days on, or back if negative, of those of the month that have messages.
  ///
  /// - Returns: How many days are left to go in other months.
  mutating func move(days count: Int) -> Int {
    let target = dayIndex + count
    dayIndex = min(max(0, target), max(0, days.count - 1))
    return target - dayIndex
  }

  /// Takes in the days of the chosen month, and chooses the first or last of them, or the one in view.
  mutating func take(_ sections: [HistorySection], choosing end: MessageWindow.Direction?) {
    days = sections.filter { $0.start.monthNumber == month.start.monthNumber }
    switch end {
    case .older: dayIndex = 0
    case .newer: dayIndex = max(0, days.count - 1)
    case nil: dayIndex = here.flatMap { here in days.lastIndex { $0.start.day <= here.day } } ?? 0
    }
  }
}

extension CivilTime {
  /// The months since the year 0.
  var monthNumber: Int { year * 12 + month - 1 }
}
