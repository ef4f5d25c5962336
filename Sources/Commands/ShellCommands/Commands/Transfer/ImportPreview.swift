internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `import --dry-run`: reports what an import would read, without a store.
struct ImportPreview: Sendable {
  /// The paths to read; `-` is standard input.
  var paths: [String]
  var options: ImportOptions
  var rejects: String?
  /// Files that rejected records must not overwrite.
  var files: StoreFiles?
  /// Whether to print the shapes of records that were not understood.
  var reportsUnread = false

  /// Reads everything and prints formats, time zone, conversations and skipped records. Counts are those of
  /// an empty store: duplicates are not known.
  func run(_ console: Console) throws -> ExitStatus {
    var options = options
    // A message of which only the kind is known has its record there.
    if reportsUnread { options.keepsOriginal = true }
    var reader = try ImportReader(paths, options: options)
    var unread = UnreadRecords()
    var findings = Findings(
      clock: WallClock(zone: options.timeZone),
      skipped: try SkippedRecords(rejects: rejects, inputs: paths, sparing: files))
    var meter = ProgressMeter(console)
    while !Interruption.isAskedFor, let event = reader.next() {
      findings.take(event)
      if reportsUnread { unread.take(event) }
      let progress = reader.progress
      meter.show(
        progress.messageCount, unit: "messages", done: progress.doneByteCount, of: progress.totalByteCount)
    }
    meter.clear()
    console.write(
      findings.text(zone: options.timeZone.identifier, TableLayout(columns: console.size?.columns)))
    if reportsUnread { console.write("\n" + unread.lines.joined(separator: "\n") + "\n") }
    console.flush()
    if Interruption.isAskedFor { return .interrupted }
    let status = ImportReport.status(skipped: findings.skipped.count, reader.progress)
    if status == .unreadableInput { for line in findings.skipped.linesOnNothing() { console.note(line) } }
    if let format = options.format, status == .unreadableInput { console.note(ImportReport.wayOut(format)) }
    return status
  }
}

private struct Findings {
  private struct Found {
    var name = ""
    var count = 0
    var first = Timestamp.supported.upperBound
    var last = Timestamp.supported.lowerBound
  }

  var clock: WallClock
  private var formats: [(name: String, title: String, files: Int)] = []
  private var conversations: [ImportBatch.ConversationKey: Found] = [:]
  private var kinds: [Message.Kind: Int] = [:]
  private var settingCount = 0
  private(set) var skipped: SkippedRecords

  init(clock: WallClock, skipped: SkippedRecords) {
    self.clock = clock
    self.skipped = skipped
  }

  mutating func take(_ event: ImportEvent) {
    switch event {
    case .file(let file):
      if let known = formats.firstIndex(where: { $0.name == file.format }) {
        formats[known].files += 1
      } else {
        formats.append((file.format, file.formatTitle, 1))
      }
    case .batch(let batch):
      take(batch.entries)
      settingCount += batch.settings.count
    case .skipped(let record): skipped.append(record)
    }
  }

  private mutating func take(_ entries: ImportBatch) {
    let keys = entries.conversations.indices.map { entries.key(ofConversation: $0) }
    var found = keys.map { conversations[$0] ?? Found() }
    for entry in entries.entries {
      let place = Int(entry.conversation)
      found[place].count += 1
      found[place].first = min(found[place].first, entry.time)
      found[place].last = max(found[place].last, entry.time)
      kinds[entry.kind, default: 0] += 1
    }
    for index in found.indices where found[index].count > 0 {
      found[index].name = entries.shownName(of: index)
      conversations[keys[index]] = found[index]
    }
  }

  func text(zone: String, _ layout: TableLayout) -> String {
    var clock = clock
    var lines = formats.map { format in
      "format  \(format.title)  (--format \(format.name), \(NumberText.counted(format.files, "file")))"
    }
    lines.append("times without a zone  \(zone)  (--time-zone ZONE)")
    lines.append("")
    let rows = conversations.values.sorted {
      ($0.name, $0.first, $0.last, $0.count) < ($1.name, $1.first, $1.last, $1.count)
    }.map { found in
      [
        VisibleText.of(found.name, keepsTabs: false), NumberText.grouped(found.count),
        Self.minute(found.first, &clock), Self.minute(found.last, &clock),
      ]
    }
    let heading = ["conversation", "messages", "first", "last"]
    let table =
      rows.isEmpty
      ? ""
      : TextTable.text([heading] + rows, alignsRight: [1], layout: layout, cutting: [0], leavingOut: [2])
        + "\n"
    let total = kinds.values.reduce(0, +)
    let counted = Message.Kind.allCases.filter { kinds[$0] != nil }
      .map { "\(NumberText.grouped(kinds[$0] ?? 0)) \($0.name)" }.joined(separator: ", ")
    var last = ["would import \(NumberText.grouped(total))" + (counted.isEmpty ? "" : " (\(counted))")]
    if skipped.count > 0 { last[0] += " · skip \(NumberText.grouped(skipped.count))" }
    if settingCount > 0 { last[0] += " · \(NumberText.counted(settingCount, "setting"))" }
    last[0] += " · duplicates are not looked up"
    last += skipped.lines("would skip", keepsTabs: false)
    return lines.joined(separator: "\n") + "\n" + table + last.joined(separator: "\n") + "\n"
  }

  private static func minute(_ time: Timestamp, _ clock: inout WallClock) -> String {
    let civil = clock.civil(at: time)
    return "\(DateText.date(civil)) \(NumberText.twoDigits(civil.hour)):\(NumberText.twoDigits(civil.minute))"
  }
}
