internal import Foundation
internal import MessageInterchange

/// The waits of following, in seconds, and the part of a processor that it may use.
package enum FollowTiming {
  /// The clock that it is measured by.
  package static func uptime() -> Double { ProcessInfo.processInfo.systemUptime }

  /// Lines that come shortly after each other are taken in together.
  static let lines = 0.05
  /// A session that its program writes anew is looked at so long after a change, and at the latest so long after the first of
  /// many.
  static let session = 0.1
  static let sessionWait = 0.3
  /// An export that has not changed for so long is whole.
  static let settling = 2.0
  /// An export that goes on growing for so long is read as it is.
  static let growth = 30.0
  /// One that had not changed for so long when it was first seen was whole before.
  static let rest = 10.0
  /// A last line without an end that has waited for so long is whole.
  static let lastLine = 3_600.0
  /// Databases, and sources that are not there, are looked at so often.
  static let look = 0.5
  /// Folders of which the system tells all changes are gone through so often nevertheless.
  static let scan = 60.0
  /// The time after which something that is not there counts as gone.
  static let absence = 5.0
  /// The time after its last change for which a log that is gone is remembered: it may turn up under another name.
  static let memory = 100.0 * 86_400
  /// So many files of a source that are gone are remembered.
  static let goneFileCount = 10_000
  /// So many times as long as going through a folder takes it is not done again.
  static let scanRest = 4.0
  /// The time after something was read at which it is written down how far files were read.
  static let writing = 2.0
  /// A store that took nothing is tried again after so long.
  static let store = 2.0
  /// The time after which a follower that is to end by itself gives up a store that has taken nothing.
  static let storeTrouble = 30.0
  /// A file that could not be read is tried again after so long.
  static let trouble = 30.0
  /// All of a database is read again after so long at the soonest: what has changed in old messages is found then.
  static let wholeDatabase = 600.0
  /// So many times as long as reading all of a database takes it is not done again.
  static let wholeShare = 100.0
  /// So many rows before the newest are read again with the news: some may have been written later than younger ones.
  static let rowMargin: Int64 = 1_000
  /// Looking for changes takes one part in so many of the time.
  static let share = 500.0
  /// So many readers are kept.
  static let liveFileCount = 256
  /// So many files are taken in by one round.
  static let roundFileCount = 64

  /// So many times as long as a file was read it is not read again.
  static func share(of nature: FileNature?) -> Double {
    switch nature {
    case nil, .empty, .lines: 1
    case .database, .session: 4
    case .document: 10
    }
  }
}
