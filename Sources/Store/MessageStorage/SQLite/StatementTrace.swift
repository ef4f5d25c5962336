internal import GRDB

/// Reports a store's statements to a test, on the thread that runs them.
package final class StatementTrace: Hashable, Sendable {
  private let tell: @Sendable (_ sql: String) -> Void

  package init(_ tell: @escaping @Sendable (_ sql: String) -> Void) { self.tell = tell }

  func listen(to db: Database) {
    db.trace { [tell] event in
      if case .statement(let statement) = event { tell(statement.sql) }
    }
  }

  package static func == (a: StatementTrace, b: StatementTrace) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
