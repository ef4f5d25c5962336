internal import Foundation
internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `imports` and `undo`: the imports that a store remembers, and taking one back.
struct ImportsCommand: Sendable {
  private let clock: WallClock

  /// Creates the command.
  ///
  /// - Parameter timeZone: The zone of the times shown.
  init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// Returns a table with a line per import: number, when, messages, format, zone, what.
  func table(of imports: [ImportBatch]) -> String {
    var clock = clock
    let rows = imports.map { batch in
      [
        String(batch.id), DateText.dateAndTime(clock.civil(at: batch.time), precision: .minute),
        NumberText.grouped(batch.addedCount), VisibleText.of(batch.description.format),
        VisibleText.of(batch.description.zone), VisibleText.of(batch.description.name, keepsTabs: false),
        batch.isFinished ? "" : "(not finished)",
      ]
    }
    return TextTable.text(rows, alignsRight: [0, 2])
  }

  /// Returns a JSON object a line.
  func json(of imports: [ImportBatch]) -> String {
    imports.map { batch in
      let description = batch.description
      let fields = [
        "\"import\":\(batch.id)", "\"time\":\(JSONString.of(ISOTime.text(batch.time)))",
        "\"messages\":\(batch.addedCount)", "\"format\":\(JSONString.of(description.format))",
        "\"timeZone\":\(JSONString.of(description.zone))", "\"name\":\(JSONString.of(description.name))",
        "\"finished\":\(batch.isFinished)",
      ]
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }

  /// Takes an import back and says how many messages went.
  static func undo(_ number: Int64, _ store: MessageStore, _ console: Console) throws {
    let count = try LongWork.run(console) { progress in
      try store.undoImport(number, progress: progress)
    }
    console.note("took back \(NumberText.counted(count, "message")) of import \(number)")
  }
}
