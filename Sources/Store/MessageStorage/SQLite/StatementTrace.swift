internal import GRDB

/// A listener to the statements of a store, told of each on the thread that runs it: tests count what a keystroke costs,
/// and hold one up.
package final class StatementTrace: Hashable, Sendable {
  private let tell: @Sendable (_ sql: String) -> Void

  package init(_ tell: @escaping @Sendable (_ sql: String) -> Void) { self.tell = tell }

  /// Listens to what a connection runs from now on.
  func listen(to db: Database) {
    db.trace { [tell] event in
      if case .statement(let statement) = event { tell(statement.sql) }
    }
  }

  package static func == (a: StatementTrace, b: StatementTrace) -> Bool { a === b }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
