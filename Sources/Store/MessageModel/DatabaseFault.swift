/// SQLite failures that people meet, in plain words.
package enum DatabaseFault: Hashable, Sendable {
  case notPermitted, busy, readOnly, full, inputOutput, damaged

  /// Reads a result code of SQLite (<https://sqlite.org/rescode.html>), extended or its last byte; `nil` for
  /// others, whose message is clearer.
  package init?(resultCode: Int32) {
    // A full disk has no room for the index of the log: SQLITE_IOERR_SHMSIZE.
    if resultCode == 10 | 19 << 8 {
      self = .full
      return
    }
    switch resultCode & 0xFF {
    case 3, 14, 23: self = .notPermitted
    case 5, 6: self = .busy
    case 8: self = .readOnly
    case 10: self = .inputOutput
    case 11: self = .damaged
    case 13: self = .full
    default: return nil
    }
  }

  /// - Parameter message: SQLite's own message, added where it is more specific.
  package func sentence(_ message: String) -> String {
    switch self {
    case .notPermitted: "you may not open this file, or what lies beside it"
    case .busy: "another process has been writing to it for too long"
    case .readOnly: "you may not write this file"
    case .full: "the disk is full"
    case .inputOutput: "the disk reports an error: \(message)"
    case .damaged: "the file is damaged: \(message)"
    }
  }
}
