internal import GRDB
public import MessageModel

/// An attachment whose content is not in the store, and the place that its import named.
package struct MissingContent: Hashable, Sendable {
  package var message: Message.ID
  /// Its place among the message's attachments, from 0.
  package var place: Int
  package var conversation: Conversation.ID
  package var name: String
  package var path: String
  /// The media type that the import gave.
  package var claimedType: String?
  /// The checksum that its content must have, if known.
  package var sha256: String?
}

extension StoreWriting {
  /// Stores the missing content of an attachment, for example one that an app has downloaded.
  ///
  /// - Parameters:
  ///   - content: The bytes, or the file with them.
  ///   - place: The place of the attachment among those of the message, from 0.
  ///   - id: The message.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such attachment, `damaged` if it has or must
  ///   have another content, and as ``attach(_:to:)``.
  /// - Complexity: O(bytes of the content).
  public func setContent(
    _ content: NewAttachment.Content, ofAttachment place: Int, of id: Message.ID
  ) throws(StoreError) {
    let doing = "cannot set a content of message #\(id)"
    let missing = try store.missingContent(at: place, of: id, doing)
    let staged = try store.stage(
      NewAttachment(content, name: missing.name, claimedType: missing.claimedType), doing: doing)
    try store.setContent(staged, of: [missing])
  }
}

extension SynchronousMessageStore {
  /// Returns attachments of some conversations whose contents are missing, in the order of their messages.
  ///
  /// Web addresses are left out: nothing is downloaded.
  ///
  /// - Parameter after: The last one returned by the previous call.
  /// - Complexity: O(attachments passed over), in steps of a few microseconds.
  package func missingContents(
    in conversations: Set<Conversation.ID>, after: MissingContent? = nil, limit: Int
  ) throws(StoreError) -> [MissingContent] {
    try reading("cannot look for missing contents") { db in
      let rows = try RawStatement(
        db,
        """
        SELECT message, place, name, path, type, sha256,
          (SELECT conversation FROM message WHERE message.id = attachment.message)
          FROM attachment WHERE (message, place) > (?, ?) AND path IS NOT NULL AND instr(path, '://') = 0
            AND NOT EXISTS (SELECT 1 FROM content WHERE content.sha256 = attachment.sha256)
          ORDER BY message, place
        """, after?.message.rawValue ?? .min, after?.place ?? -1)
      defer { rows.reset() }
      var missing: [MissingContent] = []
      while missing.count < limit, try rows.step() {
        let conversation = Conversation.ID(rawValue: rows.int(6))
        guard conversations.contains(conversation) else { continue }
        missing.append(
          MissingContent(
            message: Message.ID(rawValue: rows.int(0)), place: Int(rows.int(1)), conversation: conversation,
            name: rows.text(2), path: rows.text(3), claimedType: rows.optionalText(4),
            sha256: rows.optionalText(5)))
      }
      return missing
    }
  }

  fileprivate func missingContent(
    at place: Int, of id: Message.ID, _ doing: String
  ) throws(StoreError) -> MissingContent {
    let found: MissingContent? = try reading(doing) { db in
      try RawStatement(
        db,
        """
        SELECT name, ifnull(path, name), type, sha256, conversation
          FROM attachment JOIN message ON message.id = attachment.message WHERE message = ? AND place = ?
        """, id.rawValue, place
      ).first { row in
        MissingContent(
          message: id, place: place, conversation: Conversation.ID(rawValue: row.int(4)), name: row.text(0),
          path: row.text(1), claimedType: row.optionalText(2), sha256: row.optionalText(3))
      }
    }
    guard let found else { throw StoreError(.notFound, doing, cause: "it has no such attachment") }
    return found
  }

  /// Stores the missing content of attachments.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if one of them must have another content.
  package func setContent(_ content: StagedContent, of missing: [MissingContent]) throws(StoreError) {
    let doing = "cannot take '\(missing.first?.path ?? "a file")' in"
    if let other = missing.first(where: { $0.sha256 != nil && $0.sha256 != content.key.description }) {
      throw StoreError(
        .damaged, doing, cause: "it is not the file that was attached to message #\(other.message)")
    }
    try referring(to: [content], doing) { db in
      try Attacher(db, of: self, doing: doing).put(content)
      for one in missing {
        try RawStatement.run(
          db,
          """
          UPDATE attachment SET sha256 = ?, bytes = ?, type = ?
            WHERE message = ? AND place = ? AND (sha256 IS NULL OR sha256 = ?1)
          """, content.key.description, content.byteCount,
          MediaType.refined(content.sniffedType, by: one.claimedType), one.message.rawValue, one.place)
        try RawStatement.run(
          db, "UPDATE message SET revision = revision + 1 WHERE id = ?", one.message.rawValue)
      }
    }
  }
}
