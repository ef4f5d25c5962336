internal import GRDB

/// Counts messages that were inserted with triggers off; triggers count one message at a time.
struct ArrivalCounts {
  let db: Database
  let newestBefore: Int64
  private(set) var entries: [OrdinalIndex.Entry] = []
  private(set) var conversations: [Int64] = []

  init(_ db: Database, after newestBefore: Int64) {
    self.db = db
    self.newestBefore = newestBefore
  }

  mutating func add(_ new: [OrdinalIndex.Entry], to conversation: Int64, after newest: Int64) throws {
    guard !new.isEmpty else { return }
    var new = new
    new.sortByID()
    try count(new, in: conversation, after: newest)
    entries += new
    conversations.append(conversation)
  }

  mutating func finish() throws {
    entries.sortByID()
    try count(entries, in: 0, after: newestBefore)
    try FilterMembers.wait(entries.lazy.map(\.id), db)
  }

  private func count(_ new: [OrdinalIndex.Entry], in scope: Int64, after newest: Int64) throws {
    try OrdinalIndex(db: db, scope: scope).add(new, after: newest)
    try RawStatement.run(
      db, "UPDATE tally SET inserted = inserted + ? WHERE scope = ?", Int64(new.count), scope)
  }
}

extension [OrdinalIndex.Entry] {
  fileprivate mutating func sortByID() {
    let isSorted = !zip(self, dropFirst()).contains { $0.id > $1.id }
    if !isSorted { sort { $0.id < $1.id } }
  }
}
