internal import GRDB
internal import MessageModel

/// Turns ids into ordinals and back through counts per block and per super-block of blocks.
///
/// A scope is a conversation (its id) or the whole store (0). A block counts the messages from its `first_id` to the
/// next block's; a super-block sums its blocks. Both directions cost O(super-blocks + blocks in one + messages in one
/// block): 0.3 ms and 0.07 ms over ten million messages, where `OFFSET` and `COUNT` take hundreds.
struct Ordinals {
  let db: Database
  /// A conversation's id, or 0 for the whole store.
  let scope: Int64

  /// Returns how many messages of the scope have an id less than `id`.
  func ordinal(of id: Message.ID) throws -> Int {
    let before = try reach("superblock", in: Int64.min...Int64.max, until: id)
    let block = try reach("block", in: before.span, until: id)
    let within = try count(in: block.span.lowerBound, below: id)
    return before.count + block.count + within
  }

  /// Returns the id of the message with `ordinal`, counted from 0; `nil` if the scope has no such message.
  func id(at ordinal: Int) throws -> Message.ID? {
    guard ordinal >= 0 else { return nil }
    guard let upper = try descend("superblock", in: Int64.min...Int64.max, to: ordinal),
      let block = try descend("block", in: upper.span, to: upper.rest)
    else { return nil }
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT id FROM message WHERE id >= ? ORDER BY id LIMIT 1 OFFSET ?"
        : "SELECT id FROM message WHERE id >= ? AND conversation = ?3 ORDER BY id LIMIT 1 OFFSET ?2")
    statement.bind(block.span.lowerBound, at: 1)
    statement.bind(block.rest, at: 2)
    if scope != 0 { statement.bind(scope, at: 3) }
    defer { statement.reset() }
    return try statement.step() ? Message.ID(rawValue: statement.int(0)) : nil
  }

  /// Returns the number of messages in the scope.
  func total() throws -> Int {
    let total = try RawStatement.number(db, "SELECT inserted - deleted FROM tally WHERE scope = ?", scope)
    return Int(total ?? 0)
  }

  /// Sums the counts of the entries of `table` in `span` that lie wholly before `id`, and returns the span of the
  /// entry that holds it.
  private func reach(
    _ table: String, in span: ClosedRange<Int64>, until id: Message.ID
  ) throws -> (count: Int, span: ClosedRange<Int64>) {
    var sum = 0
    var last: (first: Int64, count: Int)?
    let entries = try entries(of: table, in: span)
    defer { entries.reset() }
    while try entries.step() {
      let first = entries.int(0)
      if first > id.rawValue {
        return (sum, (last?.first ?? span.lowerBound)...(first - 1))
      }
      sum += last?.count ?? 0
      last = (first, Int(entries.int(1)))
    }
    return (sum, (last?.first ?? span.lowerBound)...span.upperBound)
  }

  /// Finds the entry of `table` in `span` that holds the message `ordinal` steps from the span's start.
  private func descend(
    _ table: String, in span: ClosedRange<Int64>, to ordinal: Int
  ) throws -> (rest: Int, span: ClosedRange<Int64>)? {
    var rest = ordinal
    var found: Int64?
    let entries = try entries(of: table, in: span)
    defer { entries.reset() }
    while try entries.step() {
      if let found { return (rest, found...(entries.int(0) - 1)) }
      let count = Int(entries.int(1))
      if rest < count { found = entries.int(0) } else { rest -= count }
    }
    return found.map { (rest, $0...span.upperBound) }
  }

  private func entries(of table: String, in span: ClosedRange<Int64>) throws -> RawStatement {
    let statement = try RawStatement(
      db,
      "SELECT first_id, count FROM \(table) WHERE scope = ? AND first_id BETWEEN ? AND ? ORDER BY first_id")
    statement.bind(scope, at: 1)
    statement.bind(span.lowerBound, at: 2)
    statement.bind(span.upperBound, at: 3)
    return statement
  }

  /// Counts the messages of one block below `id`: at most 1,024 steps.
  private func count(in first: Int64, below id: Message.ID) throws -> Int {
    let statement = try RawStatement(
      db,
      scope == 0
        ? "SELECT count(*) FROM message WHERE id >= ? AND id < ?"
        : "SELECT count(*) FROM message WHERE id >= ? AND id < ? AND conversation = ?")
    statement.bind(first, at: 1)
    statement.bind(id.rawValue, at: 2)
    if scope != 0 { statement.bind(scope, at: 3) }
    defer { statement.reset() }
    return try statement.step() ? Int(statement.int(0)) : 0
  }
}
