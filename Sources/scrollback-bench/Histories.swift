import Foundation
import MessageModel
import MessageStorage
import TestSupport

/// Made-up histories as files, and stores of them, kept between runs.
struct Histories {
  let folder: URL
  let size: Int

  func generator(conversations: Int, isLater: Bool = false) -> HistoryGenerator {
    var options = HistoryGenerator.Options(count: size, conversations: conversations)
    // After all of a store that was filled from the usual start.
    if isLater { options.start = Timestamp(utc: CivilTime(year: 2200, month: 1, day: 1)) }
    return HistoryGenerator(options)
  }

  /// Returns a file of JSON Lines.
  func jsonLines(conversations: Int, isLater: Bool = false) throws -> String {
    let path = place("history-\(size)-\(conversations)\(isLater ? "-later" : "").jsonl")
    if isThere(path) { return path }
    var generator = generator(conversations: conversations, isLater: isLater)
    let file = try OutputFile(creating: path + ".part")
    var hasMore = true
    while hasMore {
      var buffer: [UInt8] = []
      hasMore = generator.appendJSONLines(to: &buffer, upTo: 1 << 20, withIDs: false)
      try file.write(buffer)
    }
    try file.close()
    rename(path + ".part", path)
    return path
  }

  /// Returns a folder of daily IRC logs.
  func dailyLogs() throws -> String {
    let path = place("logs-\(size)")
    if isThere(path) { return path }
    var generator = generator(conversations: 12)
    try DailyLogs(folder: path + ".part").write(&generator)
    rename(path + ".part", path)
    return path
  }

  /// Returns a new copy of a store that holds `count` messages, or an empty one.
  func store(of count: Int, named name: String, conversations: Int = 12) throws -> String {
    let path = place(name)
    for end in ["", "-wal", "-shm"] { unlink(path + end) }
    guard count > 0 else { return path }
    let filled = place("store-\(count)-\(conversations).db")
    if !isThere(filled) { try StoreFilling(size: count, conversations: conversations).fill(filled) }
    try FileManager.default.copyItem(atPath: filled, toPath: path)
    return path
  }

  func place(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}
