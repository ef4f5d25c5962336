import MessageModel
import TestSupport

/// A folder of IRC logs: one file a day and conversation, `CONVERSATION/YEAR/DATE`.
struct DailyLogs {
  let folder: String

  /// Writes all that is left of a history. Memory holds a day of it at most.
  func write(_ generator: inout HistoryGenerator) throws {
    var logs = Array(repeating: [UInt8](), count: generator.conversationNames.count)
    var today: Int?
    while generator.advance() {
      let day = generator.line.id.time.utc.daysSince1970
      if let today, today != day { try close(&logs, of: today, names: generator.conversationNames) }
      today = day
      generator.appendIRCLine(to: &logs[generator.line.conversation])
    }
    if let today { try close(&logs, of: today, names: generator.conversationNames) }
  }

  private func close(_ logs: inout [[UInt8]], of day: Int, names: [String]) throws {
    let civil = CivilTime(daysSince1970: day)
    let date = "\(civil.year)-\(padded(civil.month))-\(padded(civil.day))"
    for index in logs.indices where !logs[index].isEmpty {
      let file = try OutputFile(creating: "\(folder)/\(names[index])/\(civil.year)/\(date)")
      try file.write(logs[index])
      try file.close()
      logs[index].removeAll(keepingCapacity: true)
    }
  }

  private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
