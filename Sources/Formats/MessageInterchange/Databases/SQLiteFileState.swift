internal import Foundation
internal import MessageModel

enum SQLiteLog {
  case none
  /// Shared with the program that writes it.
  case shared
  /// Left behind or copied: no program has it open.
  case left

  init(of path: String) {
    var facts = stat()
    guard PathBytes.withBytes(of: path + "-wal", { stat($0, &facts) }) == 0, facts.st_size > 0 else {
      self = .none
      return
    }
    self = PathBytes.withBytes(of: path + "-shm") { stat($0, &facts) } == 0 ? .shared : .left
  }
}

/// A fingerprint of a database that is read without a lock, so that writers are not blocked: if it is
/// unchanged afterwards, no program has written.
struct SQLiteFileState: Equatable {
  private let log: SQLiteLog
  private let facts: FileFacts
  /// The counters in the header, which every change increments
  /// (https://sqlite.org/fileformat2.html#file_change_counter).
  private let counters: [UInt8]

  /// The first bytes of a journal while the database file is written; otherwise it is missing, empty or
  /// zeroed (https://sqlite.org/fileformat2.html#the_rollback_journal).
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  /// In nanoseconds. Changes within one step of the file system's clock may have the same time.
  private static let step: Int64 = 20_000_000

  private init?(of path: String, _ log: SQLiteLog, _ facts: FileFacts) {
    let journal = try? FileProducer(path: path + "-journal")
    guard journal?.bytes(at: 0, count: Self.journalMagic.count) != Self.journalMagic else { return nil }
    let header = (try? FileProducer(path: path))?.bytes(at: 0, count: 100) ?? []
    counters = Array(header.dropFirst(24).prefix(8) + header.dropFirst(92))
    self.log = log
    self.facts = facts
  }

  func isPresent(at path: String) -> Bool {
    guard let facts = FileFacts(of: path, hasLog: true) else { return false }
    return Self(of: path, SQLiteLog(of: path), facts) == self
  }

  /// Waits at most `patience` milliseconds until no program is changing the file; `nil` reads it as it is.
  /// Returns the log to read, and the fingerprint; `nil` if it is read under a lock or is missing.
  static func settled(
    _ path: String, _ patience: Int32?
  ) throws(InterchangeError) -> (log: SQLiteLog, state: SQLiteFileState?) {
    guard var left = patience else { return (SQLiteLog(of: path), nil) }
    while true {
      let log = SQLiteLog(of: path)
      guard log != .shared, let facts = FileFacts(of: path, hasLog: true) else { return (log, nil) }
      if let state = Self(of: path, log, facts), !isRecent(facts) || left <= 0 { return (log, state) }
      guard left > 0 else {
        throw InterchangeError(
          .unreadable, "cannot read '\(path)'", cause: "a program has not ended a change of it",
          remedy: "open it with its program, which completes the change or undoes it")
      }
      usleep(UInt32(pause) * 1_000)
      left -= pause
    }
  }

  private static let pause: Int32 = 25

  private static func isRecent(_ facts: FileFacts) -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- facts.changedAt
    return (0..<step).contains(age)
  }
}
