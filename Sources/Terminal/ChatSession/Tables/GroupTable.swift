internal import HistoryModel
package import HistoryQueries
internal import MessageModel
internal import MessageStorage
package import TerminalText

/// Message counts by a property: bars on a terminal, days as a calendar; elsewhere name, tab and number per
/// line.
package enum GroupTable {
  /// A line per group or, on a terminal, per month of days, and the sum.
  package static func text(
    of answer: GroupsAnswer, by grouping: MessageGrouping, layout: TableLayout
  ) -> String {
    guard let columns = layout.columns else {
      return answer.groups.map { "\(name(of: $0, grouping))\t\($0.messages)\n" }.joined()
    }
    let isCalendar = grouping == .day && columns >= DayCalendar.leastColumns
    let rows =
      isCalendar
      ? DayCalendar(answer.groups).rows(columns: columns) : bars(answer.groups, grouping, columns: columns)
    let sum = Row(NumberText.counted(answer.total, "message"), .dim)
    return (rows + [sum]).map { layout.encoder.string($0.withoutSpacesAtEnd) + "\n" }.joined()
  }

  private static func name(of group: GroupAnswer, _ grouping: MessageGrouping) -> String {
    switch grouping {
    case .year: group.year ?? ""
    case .month: group.month ?? ""
    case .day: group.day ?? ""
    case .weekday: group.weekday ?? ""
    case .hour: group.hour.map { NumberText.twoDigits($0) + ":00" } ?? "only the day is known"
    case .sender: group.sender.map { VisibleText.of($0, keepsTabs: false) } ?? "nobody"
    case .person: VisibleText.of(group.person ?? group.sender ?? "nobody", keepsTabs: false)
    case .conversation: VisibleText.of(group.conversation ?? "", keepsTabs: false)
    case .kind: group.kind?.name ?? ""
    }
  }

  private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
  static let mostNameColumns = 30

  private static func bars(_ groups: [GroupAnswer], _ grouping: MessageGrouping, columns: Int) -> [Row] {
    let names = groups.map {
      name(of: $0, grouping).cut(columns: min(mostNameColumns, max(4, columns / 2)))
    }
    let counts = groups.map { NumberText.grouped($0.messages) }
    let nameWidth = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let countWidth = counts.map(\.count).max() ?? 0
    let most = groups.map(\.messages).max() ?? 1
    let width = columns - nameWidth - countWidth - 4
    return groups.indices.map { index in
      var row = Row(names[index], style(of: groups[index], grouping))
      row.pad(to: nameWidth + 2 + countWidth - counts[index].count)
      row.append(counts[index])
      row.append("  ")
      row.append(bar(groups[index].messages, of: most, columns: width), Style(color: .notice))
      return row
    }
  }

  private static func style(of group: GroupAnswer, _ grouping: MessageGrouping) -> Style {
    switch grouping {
    case .sender, .person: (group.person ?? group.sender).map { .sender(SafeText.oneLine($0)) } ?? .dim
    case .conversation: .heading
    case .year, .month, .day, .weekday, .hour, .kind: .plain
    }
  }

  /// A bar in eighths of a column, at least one eighth for any count.
  static func bar(_ count: Int, of most: Int, columns: Int) -> String {
    guard columns > 0, count > 0 else { return "" }
    let parts = max(1, Int((Double(count) / Double(max(most, 1)) * Double(columns * 8)).rounded()))
    let full = String(repeating: eighths[7], count: parts / 8)
    return parts.isMultiple(of: 8) ? full : full + String(eighths[parts % 8 - 1])
  }
}

/// A row per month with a shaded cell per day, and the sum.
private struct DayCalendar {
  static let leastColumns = 55

  private let months: [(name: String, counts: [Int: Int])]
  private let most: Int

  init(_ groups: [GroupAnswer]) {
    var months: [(name: String, counts: [Int: Int])] = []
    for group in groups {
      guard let date = group.day, let day = Int(date.suffix(2)) else { continue }
      let month = String(date.dropLast(3))
      if months.last?.name != month { months.append((month, [:])) }
      months[months.count - 1].counts[day] = group.messages
    }
    self.months = months
    most = groups.map(\.messages).max() ?? 1
  }

  func rows(columns: Int) -> [Row] {
    let nameWidth = max(7, months.map(\.name.count).max() ?? 0) + 2
    let sums = months.map { NumberText.grouped($0.counts.values.reduce(0, +)) }
    let sumWidth = sums.map(\.count).max() ?? 0
    let width = columns >= nameWidth + 62 + 2 + sumWidth ? 2 : 1
    var header = Row()
    for day in 1...31 where day == 1 || day.isMultiple(of: 5) {
      header.pad(to: nameWidth + (day - 1) * width)
      header.append(String(day), .dim)
    }
    return [header]
      + months.indices.map { index in
        let month = months[index]
        var row = Row(month.name, .dim)
        row.pad(to: nameWidth)
        for day in 1...Self.dayCount(of: month.name) {
          let count = month.counts[day] ?? 0
          row.append(
            String(repeating: TimeMap.shade(count, of: most), count: width), count == 0 ? .dim : .plain)
        }
        row.pad(to: nameWidth + 31 * width + 2 + sumWidth - sums[index].count)
        row.append(sums[index])
        return row
      }
  }

  /// - Parameter month: `2024-02`
  private static func dayCount(of month: String) -> Int {
    guard let number = Int(month.suffix(2)), let year = Int(month.dropLast(3)) else { return 31 }
    return CivilTime.days(inMonth: number, of: year)
  }
}

/// Days or months with their message counts.
package enum DayTable {
  package static func text(of days: [DayAnswer]) -> String {
    let rows = days.map { [$0.day ?? $0.month ?? "", NumberText.grouped($0.messages)] }
    return TextTable.text(rows, alignsRight: [1])
  }
}
