import GRDB
import GRDBSQLite

@testable import MessageStorage

extension SynchronousMessageStore {
  /// Returns how many steps the writing connection takes in `body`, in hundreds.
  func steps(_ body: () throws -> Void) throws -> Int {
    let connection = (database as? DatabasePool)?.writeWithoutTransaction { $0.sqliteConnection }
    return try Self.steps(of: [connection], body)
  }

  /// Returns how many steps a reading connection takes in `body`, in hundreds, if this store has one only.
  func readingSteps(_ body: () throws -> Void) throws -> Int {
    let connection = try database.read { $0.sqliteConnection }
    return try Self.steps(of: [connection], body)
  }

  /// Returns how many steps connections take in `body`, in hundreds.
  static func steps(of connections: [OpaquePointer?], _ body: () throws -> Void) throws -> Int {
    let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    counter.initialize(to: 0)
    defer { counter.deallocate() }
    for connection in connections {
      sqlite3_progress_handler(
        connection, 100,
        { counter in
          counter?.assumingMemoryBound(to: Int.self).pointee += 1
          return 0
        }, counter)
    }
    defer { for connection in connections { sqlite3_progress_handler(connection, 0, nil, nil) } }
    try body()
    return counter.pointee
  }
}
