internal import GRDB
public import MessageModel

extension StoreReading {
  /// Returns the source of a message: its platform, and its id there, by which a server finds its neighbours;
  /// `nil` if there is no such message, or it has none.
  ///
  /// - Complexity: O(log *n*).
  public func source(of id: Message.ID) throws(StoreError) -> Message.Source? {
    try records(of: [id][...]).records.first?.source
  }
}

extension StoreWriting {
  /// Sets the source of a message that was written here, as the server returns it after sending.
  ///
  /// ```swift
  /// let id = try await store.append([NewMessage("Tea?", from: "mira", sendingState: .sending)], to: room)[0]
  /// let answer = try await server.send("Tea?")
  /// try await store.write { try $0.setSource(Message.Source(platform: "acme", id: answer.id), of: id) }
  /// ```
  ///
  /// From then on a message with that id is this one: neither an app nor an import adds it again, and this
  /// one keeps its place, reactions and replies. Messages that waited for one with that id become replies to
  /// it. The revision rises by one.
  ///
  /// Its earlier platform id no longer leads to it; the record of an import is kept unless another is given.
  /// Setting the same source again changes nothing.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such message, `alreadyExists` if another
  ///   message has that id, or had it before it was deleted: if the server's own copy was quicker, that one
  ///   stays, and this one should be deleted.
  /// - Complexity: O(log *n* + messages that waited for it).
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
