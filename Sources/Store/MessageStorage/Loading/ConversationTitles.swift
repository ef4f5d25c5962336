internal import GRDB
internal import HistoryModel
internal import MessageModel

extension Loader {
  /// Records the titles of a batch for conversations of which it has the newest messages: older exports of a
  /// conversation have older titles.
  mutating func noteTitles(of meant: BatchConversations) throws {
    let batch = meant.batch
    guard !batch.newestTitles.isEmpty else { return }
    let newest = batch.newestEntries()
    for (index, title) in batch.newestTitles {
      guard let identity = batch.identities[index],
        let id = try ConversationKeys(db: db).conversation(known: identity)
      else { continue }
      let known = try state.slotsByID[id].map { state.conversations[Int($0)] } ?? openedState(of: id)
      if let entry = newest[index] {
        let place = Placement(time: entry.time, precision: entry.precision, conversation: id)
        let end = place.interval.upperBound.placeTime.millisecondsSince1970
        let last = place.interval.upperBound
        guard try end >= known.knownThrough || isBeforeListsAlone(last, in: id) else { continue }
      }
      titles[id] = title
    }
  }
}

extension ImportBatch {
  /// The newest entry of each conversation.
  fileprivate func newestEntries() -> [Entry?] {
    var newest: [Entry?] = Array(repeating: nil, count: conversations.count)
    for entry in entries {
      let index = Int(entry.conversation)
      if let known = newest[index], known.time > entry.time { continue }
      newest[index] = entry
    }
    return newest
  }
}

/// Names conversations by their platforms' titles until a person names them.
struct ConversationTitles {
  let db: Database
  let writer: MessageWriter

  func follow(_ titles: [Int64: String]) throws {
    for (id, title) in titles.sorted(by: { $0.key < $1.key }) { try follow(title, of: id) }
  }

  /// Renames a conversation, unless a person named it or it was merged from several. Its former name still
  /// finds it.
  private func follow(_ title: String, of id: Int64) throws {
    guard let name = try name(of: id), try !isChosen(name, of: id), try keyCount(of: id) == 1,
      let new = try candidate(for: title, of: id), new != name
    else { return }
    try rename(id, to: new)
  }

  func rename(_ id: Int64, to name: String) throws {
    try SynchronousMessageStore.keepFormerNames(of: id, for: id, in: db)
    try RawStatement.run(db, "UPDATE conversation SET name = ?2 WHERE id = ?1", id, name)
    try RawStatement.run(db, "DELETE FROM former_name WHERE name = ?", name)
    try LocalIDs(db: db).forget(name)
  }

  /// The present name of a conversation is among the former ones if a person chose it.
  func noteChoice(of name: String, of id: Int64) throws { try writer.noteFormerName(name, of: id) }

  private func isChosen(_ name: String, of id: Int64) throws -> Bool {
    try writer.conversation(formerlyNamed: name) == id
  }

  private func name(of id: Int64) throws -> String? {
    try RawStatement(db, "SELECT name FROM conversation WHERE id = ?", id).first { $0.text(0) }
  }

  private func keyCount(of id: Int64) throws -> Int64? {
    try RawStatement.number(db, "SELECT count(*) FROM conversation_key WHERE conversation = ?", id)
  }

  /// The title or, if that is another's, the title with a number.
  private func candidate(for title: String, of id: Int64) throws -> String? {
    try ([title] + (2...9).map { "\(title) (\($0))" }).first { candidate in
      let owner = try writer.conversation(named: candidate) ?? writer.conversation(formerlyNamed: candidate)
      return owner == nil || owner == id
    }
  }
}
