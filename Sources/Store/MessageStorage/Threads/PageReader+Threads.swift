internal import GRDB
internal import MessageModel
internal import Synchronization

/// A thread's messages are found once, for pages, ordinals and totals, without walking blocks.
extension PageReader {
  /// Returns the selection's messages, ascending, if it names a thread and no words.
  static func listed(_ selection: Selection, in db: Database, names: SenderNames) throws -> [Int64]? {
    guard let (root, rest) = selection.predicate.thread else { return nil }
    return try names.threads.ids(of: selection, in: db) {
      let root = try SynchronousMessageStore.placed(root, in: db)
      let members = try ThreadTree(db: db).members(of: root.rawValue, in: selection.conversations)
      let condition = try PredicateSQL(.all(of: rest))
      guard let test = condition.test else { return members }
      let statement = try RawStatement(db, "SELECT 1 FROM message WHERE id = ?1 AND \(test)")
      condition.bind(to: statement)
      defer { statement.reset() }
      return try members.filter { id in
        statement.reset()
        statement.bind(id, at: 1)
        return try statement.step()
      }
    }
  }

  func run(_ direction: Direction, from id: Message.ID, limit: Int, of listed: [Int64]) throws -> Run {
    let rows = try RawStatement(
      db, "SELECT \(MessageRow.columns) FROM message WHERE id = ?1")
    defer { rows.reset() }
    let split = listed.lowerBound(direction == .older ? id.successor.rawValue : id.rawValue)
    let isLast = direction == .older && id == .highest
    let places =
      direction == .older
      ? Array((0..<(isLast ? listed.count : split)).reversed()) : Array(split..<listed.count)
    var run = Run()
    for place in places.prefix(limit) {
      rows.reset()
      rows.bind(listed[place], at: 1)
      if try rows.step() { run.messages.append(try MessageRow.message(from: rows, in: db, names: names)) }
    }
    return run
  }
}

extension MessagePredicate {
  /// The thread and the other conditions; `nil` if words are among these, since an index finds them.
  var thread: (root: Message.ID, rest: [MessagePredicate])? {
    var rest = conjuncts
    for (index, part) in rest.enumerated() {
      guard case .thread(let root) = part else { continue }
      rest.remove(at: index)
      let hasWords = rest.contains { part in
        if case .matching = part { true } else { false }
      }
      return hasWords ? nil : (root, rest)
    }
    return nil
  }
}

extension [Int64] {
  func lowerBound(_ value: Int64) -> Int {
    var range = 0..<count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if self[middle] < value {
        range = (middle + 1)..<range.upperBound
      } else {
        range = range.lowerBound..<middle
      }
    }
    return range.lowerBound
  }
}

/// A cache of threads for one state of the store.
final class ListedThreads: Sendable {
  private struct Known {
    var version: SourceVersion?
    var ids: [Selection: [Int64]] = [:]
  }

  private let known = Mutex(Known())
  private static let (mostSelections, mostMessages) = (4, 1_000_000)

  func ids(of selection: Selection, in db: Database, find: () throws -> [Int64]) throws -> [Int64] {
    let version = try SourceVersion(of: .everything, in: db)
    if let ids = known.withLock({ $0.version == version ? $0.ids[selection] : nil }) { return ids }
    let ids = try find()
    known.withLock { known in
      if known.version != version || known.ids.count >= Self.mostSelections {
        known = Known(version: version)
      }
      if ids.count <= Self.mostMessages { known.ids[selection] = ids }
    }
    return ids
  }
}
