internal import GRDB
internal import MessageModel

struct RecordUpdate {
  let id: Message.ID
  let kind: Message.Kind
  let text: String
  let long: LongText?
  let details: ImportDetails
  let label: HistoryLabel

  /// Whether an import may add anything; most messages of a second import equal those of the first.
  static func mayBe(
    about id: Message.ID, _ details: ImportDetails, text: UnsafeRawBufferPointer, in db: Database
  ) throws -> Bool {
    let row = try RawStatement(
      db, "SELECT text, bytes, features, reply_to, thread FROM message WHERE id = ?", id.rawValue)
    defer { row.reset() }
    guard try row.step() else { return false }
    let isSameText = row.withBytes(0) { kept in
      row.optionalInt(1) ?? Int64(kept.count) == Int64(text.count) && text.starts(with: kept)
    }
    if !isSameText || row.optionalInt(1) != nil { return true }
    let features = row.int(2)
    if details.hasBeenEdited, features & MessageRow.Feature.edit == 0 || !details.edits.isEmpty {
      return true
    }
    if !details.kept.isEmpty, features & MessageRow.Feature.payload == 0 { return true }
    if details.starredAt != nil, features & MessageRow.Feature.star == 0 { return true }
    if details.editedAt != nil, try details.editedAt != SynchronousMessageStore.editTime(of: id, in: db) {
      return true
    }
    if details.answered != nil && row.isNull(3) || details.threadStart != nil && row.isNull(4) { return true }
    if !details.reactions.isEmpty, try MessageRow.reactions(to: id, in: db).map(\.byName) != details.reactions
    {
      return true
    }
    return try !details.attachments.isEmpty
      && MessageRow.attachments(of: id, in: db) != details.attachments
  }
}
