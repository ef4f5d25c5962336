internal import Foundation
internal import MessageInterchange

/// The intervals of following, in seconds, and its share of processor time.
package enum FollowTiming {
  /// A monotonic clock, in seconds.
  package static func uptime() -> Double { ProcessInfo.processInfo.systemUptime }

  /// Lines that arrive within this time are imported together.
  static let lines = 0.05
  /// A rewritten session is read this long after its last change.
  static let session = 0.1
  static let sessionWait = 0.3
  /// An export unchanged for this long is complete.
  static let settling = 2.0
  /// An export that keeps growing is read after this time.
  static let growth = 30.0
  /// A file whose last change was this long ago when first seen is complete.
  static let rest = 10.0
  /// A last line without a line end is complete after this time.
  static let lastLine = 3_600.0
  /// The polling interval for databases and missing sources.
  static let look = 0.5
  /// The interval of full scans of folders that have events.
  static let scan = 60.0
  /// A path missing for this long is gone.
  static let absence = 5.0
  /// A log that is gone is remembered for this long after its last change: it may reappear under another
  /// name.
  static let memory = 100.0 * 86_400
  /// The most gone files remembered per source.
  static let goneFileCount = 10_000
  /// After a scan that took *t*, the next starts no sooner than `scanRest` × *t* later.
  static let scanRest = 4.0
  /// The delay after reading before positions are saved.
  static let writing = 2.0
  /// The delay before retrying a failed write to the store.
  static let store = 2.0
  /// A follower that ends by itself gives up a failing store after this time.
  static let storeTrouble = 30.0
  /// The delay before retrying an unreadable file.
  static let trouble = 30.0
  /// The least interval between full reads of a database, which find changes to old rows.
  static let wholeDatabase = 600.0
  /// After a full read that took *t*, the next starts no sooner than `wholeShare` × *t* later.
  static let wholeShare = 100.0
  /// The number of older rows read again with new ones: rows may be committed out of order.
  static let rowMargin: Int64 = 1_000
  /// At most 1/`share` of the time goes into polling.
  static let share = 500.0
  /// After a round that took *t*, the next starts `roundRest` × *t* later, and at most `soon` later.
  static let roundRest = 4.0
  /// File events wait for work that is due within this time.
  static let soon = 0.5
  static let roundFileCount = 256

  /// After a read that took *t*, a file is not read again for this factor × *t*.
  static func share(of nature: FileNature?) -> Double {
    switch nature {
    case nil, .empty, .lines: 1
    case .database, .session: 4
    case .document: 10
    }
  }
}
