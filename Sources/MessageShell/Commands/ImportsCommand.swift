public import Foundation
internal import MessageModel
public import MessageStorage
internal import TerminalText

/// `imports` and `undo`: the imports that a store remembers, and taking one back.
public struct ImportsCommand: Sendable {
  private let clock: WallClock

  /// Creates the command.
  ///
  /// - Parameter timeZone: The zone of the times shown.
  public init(timeZone: TimeZone) { clock = WallClock(zone: timeZone) }

  /// Returns a table with a line per import: number, when, messages, format, zone, what.
  public func table(of imports: [ImportBatch]) -> String {
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
  public func json(of imports: [ImportBatch]) -> String {
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
  public static func undo(_ number: Int64, _ store: MessageStore, _ console: Console) throws {
    let count = try LongWork.run(console) { progress in
      try store.undoImport(number, progress: progress)
    }
    console.note("took back \(NumberText.counted(count, "message")) of import \(number)")
  }
}

/// Times in the JSON that commands print.
enum ISOTime {
  static func text(_ time: Timestamp) -> String {
    let civil = time.utc
    func two(_ number: Int) -> String { NumberText.twoDigits(number) }
    let millisecond = String(civil.millisecond + 1_000).dropFirst()
    return
      "\(DateText.date(civil))T\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second)).\(millisecond)Z"
  }
}

/// Work on many messages that shows its progress and stops, at a whole piece, when Ctrl-C is pressed.
enum LongWork {
  /// Runs `work`, which tells how many messages it has done and is answered whether to go on.
  static func run<Value>(
    _ console: Console, _ work: ((Int) -> Bool) throws -> Value
  ) throws -> Value {
    var meter = ProgressMeter(console)
    Interruption.listen()
    defer { meter.clear() }
    return try work { count in
      meter.show(count, unit: "messages", done: 0, of: nil)
      return !Interruption.isAskedFor
    }
  }
}
