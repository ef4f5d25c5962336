internal import GRDB
package import MessageModel

/// An attachment whose content is not in the store, and where an import said that it lies.
package struct MissingContent: Hashable, Sendable {
  package var message: Message.ID
  /// Its place among the message's attachments, from 0.
  package var place: Int
  package var conversation: Conversation.ID
  package var name: String
  package var path: String
  /// The media type that the import gave.
  package var claimedType: String?
  /// The checksum that its content must have, if it is known.
  package var sha256: String?
}

extension SynchronousMessageStore {
  /// Returns attachments of some conversations whose contents are missing, in the order of their messages.
  ///
  /// Addresses of the web are left out: nothing is fetched.
  ///
  /// - Parameter after: The last one that a call before returned.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
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
        """)
      rows.bind(after?.message.rawValue ?? .min, after?.place ?? -1)
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

  /// Gives attachments the content that was missing.
  ///
  /// - Throws: ``StoreError`` of kind `damaged` if one of them must have another content, `readOnly`, `busy`,
  ///   `inputOutput`; nothing is changed then.
  package func setContent(_ content: StagedContent, of missing: [MissingContent]) throws(StoreError) {
    let doing = "cannot take '\(missing.first?.path ?? "a file")' in"
    if let other = missing.first(where: { $0.sha256 != nil && $0.sha256 != content.key.description }) {
      throw StoreError(
        .damaged, doing, cause: "it is not the file that was attached to message #\(other.message)")
    }
    try referring(to: [content], doing) { db in
      try Attacher(db, of: self, doing: doing).put(content)
      for one in missing {
        let update = try RawStatement(
          db,
          """
          UPDATE attachment SET sha256 = ?, bytes = ?, type = ?
            WHERE message = ? AND place = ? AND (sha256 IS NULL OR sha256 = ?1)
          """)
        update.bind(
          content.key.description, content.byteCount,
          MediaType.refined(content.sniffedType, by: one.claimedType), one.message.rawValue, one.place)
        try update.run()
        try RawStatement.run(
          db, "UPDATE message SET revision = revision + 1 WHERE id = ?", one.message.rawValue)
      }
    }
  }
}
