package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

package enum PaceTable {
  private static let mostPairs = 10

  /// A line per figure, then one per pair of correspondents: how often and how fast they reply.
  package static func text(of pace: PaceAnswer, zone: TimeZone, layout: TableLayout) -> String {
    var clock = WallClock(zone: zone)
    func moment(_ moment: MomentAnswer) -> String {
      DateText.dateAndTime(clock.civil(at: moment.time), precision: .minute)
    }
    var rows = [["messages", NumberText.grouped(pace.messages)]]
    if let first = pace.first { rows.append(["first", "\(moment(first))  #\(first.id)"]) }
    if let last = pace.last { rows.append(["last", "\(moment(last))  #\(last.id)"]) }
    if let silence = pace.silence {
      let ends = "\(moment(silence.from)) – \(moment(silence.until))"
      rows.append(["longest silence", "\(duration(silence.seconds)): \(ends)  #\(silence.from.id)"])
    }
    if let busiest = pace.busiest {
      rows.append(["busiest day", "\(busiest.day): \(NumberText.counted(busiest.messages, "message"))"])
    }
    let figures = TextTable.text(rows, layout: layout, cutting: [1])
    guard !pace.answers.isEmpty else { return figures }
    let pairs = pace.answers.prefix(mostPairs).map { pair in
      [
        VisibleText.of(pair.who, keepsTabs: false),
        "replies to \(VisibleText.of(pair.whom, keepsTabs: false))",
        NumberText.counted(pair.answers, "time"), "after \(about(pair.medianSeconds))",
      ]
    }
    let heading = layout.encoder.string(Row("who replies to whom, and after how long (median)", .dim))
    let table = TextTable.text(pairs, alignsRight: [2], layout: layout, cutting: [1, 0])
    return "\(figures)\n\(heading)\n\(table)"
  }

  /// In the two greatest units: `3 h 12 min`.
  static func duration(_ seconds: Int) -> String {
    guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "under 1 s" }
    let whole = "\(NumberText.grouped(seconds / units[first].seconds)) \(units[first].name)"
    guard first + 1 < units.count else { return whole }
    let rest = seconds % units[first].seconds / units[first + 1].seconds
    return rest == 0 ? whole : "\(whole) \(rest) \(units[first + 1].name)"
  }

  /// In one unit, as precise as a median: `1.5 h`, `12 min`.
  static func about(_ seconds: Int) -> String {
    guard let unit = units.first(where: { seconds >= $0.seconds }) else { return "under 1 s" }
    let tenths = (seconds * 10 + unit.seconds / 2) / unit.seconds
    let isWhole = tenths >= 30 || tenths.isMultiple(of: 10)
    let number = isWhole ? NumberText.grouped((tenths + 5) / 10) : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(unit.name)"
  }

  private static let units: [(seconds: Int, name: String)] = [
    (31_557_600, "y"), (86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"),
  ]
}
