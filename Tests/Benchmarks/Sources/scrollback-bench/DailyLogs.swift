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
      let day = generator.line.id.placeTime.utc.daysSince1970
      if let today, today != day { try close(&logs, of: today, names: generator.conversationNames) }
      today = day
      generator.appendIRCLine(to: &logs[generator.line.conversation])
    }
    if let today { try close(&logs, of: today, names: generator.conversationNames) }
  }

  private func close(_ logs: inout [[UInt8]], of day: Int, names: [String]) throws {
    let date = CivilTime(daysSince1970: day)
    for index in logs.indices where !logs[index].isEmpty {
      let file = try OutputFile(creating: "\(folder)/\(names[index])/\(date.year)/\(date.dateText)")
      try file.write(logs[index])
      try file.close()
      logs[index].removeAll(keepingCapacity: true)
    }
  }
}
