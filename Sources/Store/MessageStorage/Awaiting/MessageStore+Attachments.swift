public import MessageModel

extension MessageStore {
  /// Returns the bytes of a content; see ``SynchronousMessageStore/content(_:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if it is not in the store, `damaged` if it is not what it was, `busy`,
  ///   `inputOutput`.
  public nonisolated(nonsending) func content(_ sha256: String) async throws -> [UInt8] {
    try await read { try $0.content(sha256) }
  }

  /// Gives an attachment the content that was missing; see
  /// ``SynchronousMessageStore/setContent(_:ofAttachment:of:)``.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such attachment, `damaged` if it has or must have another
  ///   content, and as ``attach(_:to:)``; nothing is changed then.
  public nonisolated(nonsending) func setContent(
    _ content: NewAttachment.Content, ofAttachment place: Int, of id: Message.ID
  ) async throws {
    try await write { store in
      try store.setContent(content, ofAttachment: place, of: id)
    }
  }

  /// Returns a small picture of a content; `nil` if there is none (yet).
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  public nonisolated(nonsending) func picture(
    _ kind: PictureKind, of sha256: String
  ) async throws -> StoredRendition? {
    try await read { try $0.picture(kind, of: sha256) }
  }

  /// Writes a content into a folder, under a name made safe, and returns the path of the file.
  ///
  /// - Throws: ``StoreError`` of kind `notFound` if the content is not in the store, `damaged` if it is not what it was,
  ///   `noSuchFile` if there is no such folder, `notPermitted`, `inputOutput`; no file is left then.
  public nonisolated(nonsending) func save(
    _ attachment: Message.Attachment, to folder: String
  ) async throws -> String {
    try await read { try $0.save(attachment, to: folder) }
  }

  /// Makes the small pictures that are missing, one after the other, and returns how many pictures were looked at.
  ///
  /// - Parameters:
  ///   - maker: Makes them, one call at a time.
  ///   - limits: How large they are, and what making one may cost.
  ///   - sha256: Of which contents; `nil` for all that wait.
  ///   - progress: Called before each picture with the number done; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`. A picture of which none can be made is no error: its
  ///   reason is written down.
  @discardableResult
  public nonisolated(nonsending) func makePictures(
    by maker: some PictureMaker & Sendable, limits: PictureLimits = PictureLimits(),
    of sha256: [String]? = nil,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.makePictures(by: maker, limits: limits, of: sha256) {
        !SynchronousMessageStore.isCalledOff && progress($0)
      }
    }
  }
}
