import GRDB

/// The write lock of a store, held as another process holds it.
final class WriteLock {
  private let connection: DatabaseQueue

  init(of path: String) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: path, configuration: configuration)
    try connection.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
  }

  func release() throws { try connection.inDatabase { try $0.execute(sql: "COMMIT") } }
}
