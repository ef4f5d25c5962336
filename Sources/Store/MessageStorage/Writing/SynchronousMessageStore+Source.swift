internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns what its platform calls a message: the id by which a server is asked for what lies beside it; `nil` if there is no such
  /// message, or it comes from nowhere else.
  ///
  /// - Complexity: O(log *n*).
  public func source(of id: Message.ID) throws(StoreError) -> Message.Source? {
    try records(of: [id][...]).records.first?.source
  }
}

extension StoreWriting {
  /// Says what its platform calls a message that was written here: what a server answers when it has been sent.
  ///
  /// ```swift
  /// let id = try await store.append([NewMessage("Tea?", from: "mira", sendingState: .sending)], to: room)[0]
  /// let answer = try await server.send("Tea?")
  /// try await store.write { try $0.setSource(Message.Source(platform: "acme", id: answer.id), of: id) }
  /// ```
  ///
  /// From then on a message that comes with that id is this one: it is not written again, whether an app appends it or an import
  /// brings it, and this one keeps its place, its reactions and what answers it. What has waited for a message of that id
  /// answers this one. The revision rises by one.
  ///
  /// An id that it had before leads to it no more; the record of an import is kept unless another is given. The same source
  /// may be set again, which changes nothing.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `alreadyExists` if another
  ///   message has that id or had it before it was deleted: if the server's own copy was quicker, that one
  ///   stays, and this one is to be deleted.
  /// - Complexity: O(log *n* + messages that have waited for it).
  public func setSource(_ source: Message.Source, of id: Message.ID) throws(StoreError) {
    let doing = "cannot say what message #\(id) is called"
    try store.writing(doing) { db in
      let id = try SynchronousMessageStore.present(id, in: db, "cannot change")
      let details = DetailLoader(
        db: db, writer: try MessageWriter(db: db, previewByteCount: store.options.previewByteCount))
      if let external = source.id,
        let holder = try details.message(platform: source.platform, external: external), holder != id
      {
        throw StoreError(
          .alreadyExists, doing, cause: "'\(external)' of \(source.platform) is message #\(holder)",
          remedy: .showMessage(holder))
      }
      var source = source
      let ids = details.writer.sources
      let known = try ids.source(of: id)
      source.original = source.original ?? known?.original
      guard source != known else { return }
      try ids.remove(id)
      try details.insert(source, of: id)
      try RawStatement.run(db, "UPDATE message SET revision = revision + 1 WHERE id = ?", id.rawValue)
    }
  }
}
