package import Foundation
package import HistoryQueries
internal import MessageModel
package import TerminalText

package enum StatisticsTable {
  package static func text(of statistics: StatisticsAnswer) -> String {
    let store = statistics.store
    let rows: [[String]] = [
      ["store", VisibleText.of(store.store)],
      ["messages", NumberText.grouped(store.messages)],
      ["conversations", NumberText.grouped(store.conversations)],
      ["senders", NumberText.grouped(store.senders)],
      ["imports", NumberText.grouped(store.imports)],
      ["deleted", NumberText.grouped(store.deleted)],
      ["attachments", NumberText.grouped(store.attachments)],
      ["  contents", NumberText.grouped(store.contents)],
      ["  attachment data", NumberText.bytes(store.bytesOfContents)],
      ["  stored in the database", NumberText.bytes(store.bytesOfContentsWithin)],
      ["size on disk", NumberText.bytes(store.bytesOnDisk)],
      ["  free space", NumberText.bytes(store.bytesFree)],
      ["memory in use", NumberText.bytes(store.bytesResident)],
      ["memory at most", NumberText.bytes(store.bytesPeak)],
    ]
    let sizes = statistics.sizes.map { self.rows(of: $0, messages: store.messages) } ?? []
    return TextTable.text(rows + sizes + MemoryTable.rows(of: statistics.memory))
  }

  package static func text(of statistics: SelectionStatisticsAnswer) -> String {
    let rows = [
      ("messages", statistics.messages), ("senders", statistics.senders),
      ("with attachments", statistics.withAttachments), ("with links", statistics.withLinks),
      ("replies", statistics.replies), ("edited", statistics.edited),
    ]
    return TextTable.text(rows.map { [$0.0, NumberText.grouped($0.1)] })
  }

  private static func rows(of sizes: SizeFigures, messages: Int) -> [[String]] {
    let parts = [
      ("text", sizes.bytesOfText), ("  row and id overhead", sizes.bytesOfRows),
      ("  search index", sizes.bytesOfSearch), ("  duplicate keys", sizes.bytesOfDuplicates),
      ("  counts", sizes.bytesOfCounts), ("  attachments", sizes.bytesOfAttachmentsWithin),
      ("  other", sizes.bytesOfOthers),
    ]
    return parts.map { name, size in
      let perMessage = (Double(size) / Double(max(messages, 1)) * 10).rounded() / 10
      return [name, "\(NumberText.bytes(size)), \(perMessage) a message"]
    }
  }
}

package enum MemoryTable {
  /// A name and a figure per row.
  package static func rows(of memory: MemoryFigures) -> [[String]] {
    let most = NumberText.bytes(memory.bytesOfAttachmentCacheAtMost)
    return [
      ["  page cache", NumberText.bytes(memory.bytesOfPageCache)],
      ["  search, statements", NumberText.bytes(memory.bytesOfSearchInMemory)],
      ["  all of SQLite", NumberText.bytes(memory.bytesOfSQLite)],
      ["  attachment cache", "\(NumberText.bytes(memory.bytesOfAttachmentCache)) of \(most)"],
      ["    contents held", NumberText.grouped(memory.contentsHeld)],
      [
        "    found there",
        "\(NumberText.grouped(memory.contentsFound)), read \(NumberText.grouped(memory.contentsRead))",
      ],
    ]
  }
}

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
