internal import ChatSession
internal import Foundation
internal import HistoryModel
internal import MessageInterchange
internal import MessageModel
internal import TerminalText

/// What reading a place of an assistant gave, in numbers and shapes: `assistants --verify`.
struct AssistantCheck {
  let finding: AssistantFinding
  private(set) var messageCount = 0
  /// The records and files that were skipped.
  private(set) var skippedCount = 0
  private(set) var unread = UnreadRecords()
  private var sessions: Set<ImportBatch.ConversationKey> = []
  /// Why not all of the place was read.
  private(set) var trouble: String?

  var sessionCount: Int { sessions.count }

  /// Reads a place as an import would, without a store.
  init(of finding: AssistantFinding, zone: TimeZone) {
    self.finding = finding
    trouble = finding.trouble
    // A message of which only the kind is known has its record there.
    let options = ImportOptions(timeZone: zone, keepsOriginal: true)
    do {
      var reader = try ImportReader(finding.places, options: options)
      while !Interruption.isAskedFor, let event = reader.next() { take(event) }
      skippedCount = reader.progress.skippedRecordCount + reader.progress.skippedFileCount
    } catch {
      trouble = error.cause ?? error.summary
    }
  }

  private mutating func take(_ event: ImportEvent) {
    unread.take(event)
    guard case .batch(let batch) = event else { return }
    messageCount += batch.entries.entries.count
    for (index, session) in batch.entries.sessions.enumerated() where session != nil {
      sessions.insert(batch.entries.key(ofConversation: index))
    }
  }
}

extension AssistantCheck {
  /// The checks as a table, then the shapes of what was not understood, by program.
  static func text(of checks: [AssistantCheck], _ layout: TableLayout) -> String {
    let rows = checks.map { check in
      [
        check.finding.program, NumberText.counted(check.sessionCount, "session"),
        NumberText.counted(check.messageCount, "message"), check.verdict,
        VisibleText.of(PathBytes.shown(check.finding.path), keepsTabs: false),
        check.trouble.map { "(\(VisibleText.of(PathBytes.shown($0), keepsTabs: false)))" } ?? "",
      ]
    }
    var text = TextTable.text(rows, alignsRight: [1, 2], layout: layout, leavingOut: [])
    let unread = checks.filter { $0.unread.count > 0 }
    if !unread.isEmpty { text += "\nnot understood, by shape; * is a key that may be data\n" }
    for check in unread {
      let lines = check.unread.shapeLines
      text += (["\(check.finding.program)"] + lines).joined(separator: "\n") + "\n"
    }
    let absent = absent(from: checks)
    if !absent.isEmpty { text += "\nnot in this home: \(absent.joined(separator: ", "))\n" }
    return text
  }

  private var verdict: String {
    let unread = unread.count
    guard unread > 0 || skippedCount > 0 else { return "all understood" }
    let parts = [(unread, "not understood"), (skippedCount, "skipped")].filter { $0.0 > 0 }
    return parts.map { "\(NumberText.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// The programs that have places, and nothing there.
  static func absent(from checks: [AssistantCheck]) -> [String] {
    let found = Set(checks.map(\.finding.program))
    var names: [String] = []
    for entry in ImportFormats.assistants where !entry.places.isEmpty && !found.contains(entry.program) {
      if !names.contains(entry.program) { names.append(entry.program) }
    }
    return names
  }
}

/// How the sessions in a home are understood.
package struct VerificationAnswer: Codable, Hashable, Sendable {
  /// The places with sessions.
  package var verified: [VerifiedPlaceAnswer]
  /// The programs of which nothing was found.
  package var absent: [String]
}

/// How the sessions at one place are understood.
package struct VerifiedPlaceAnswer: Codable, Hashable, Sendable {
  package var program: String
  /// The format that reads them.
  package var format: String
  /// The folder or file; `*` in it stands for several folders.
  package var path: String
  package var sessions: Int
  package var messages: Int
  /// The records and files that were skipped.
  package var skipped: Int
  /// The shapes of the records that were not understood, the most frequent one first.
  package var notUnderstood: [UnreadShapeAnswer]
  /// Why a part of it was not read.
  package var trouble: String?
}

/// Records of one shape that were not understood.
package struct UnreadShapeAnswer: Codable, Hashable, Sendable {
  /// The keys and the types of their values, without contents.
  package var shape: String
  package var count: Int
}

extension VerificationAnswer {
  init(_ checks: [AssistantCheck]) {
    verified = checks.map { check in
      VerifiedPlaceAnswer(
        program: check.finding.program, format: check.finding.format,
        path: PathBytes.shown(check.finding.path), sessions: check.sessionCount,
        messages: check.messageCount, skipped: check.skippedCount,
        notUnderstood: check.unread.shapes.flatMap { shapes in
          let rest = shapes.others > 0 ? [UnreadShapeAnswer(shape: "…", count: shapes.others)] : []
          return shapes.rows.map { UnreadShapeAnswer(shape: $0.text, count: $0.count) } + rest
        }, trouble: check.trouble.map(PathBytes.shown))
    }
    absent = AssistantCheck.absent(from: checks)
  }
}
