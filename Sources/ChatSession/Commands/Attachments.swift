internal import HistoryTransfer
internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

/// `/attach` and `/save`.
extension Session {
  /// Writes what is attached to a message into a folder, and says where.
  func save(_ id: Message.ID, to folder: String) throws -> Effects {
    let store = context.store
    let files = try store.attachments(of: id)
    guard !files.isEmpty else {
      throw UsageError("nothing is attached to message #\(id)", status: .nothingFound)
    }
    let folder = PathText.expanded(folder)
    try store.files.makeFolder(folder)
    let saved = try files.map { "saved \(SafeText.oneLine(try store.save($0, to: folder)))" }
    return list(saved, isBrief: true)
  }
}

extension ReplContext {
  /// The work of attaching a file to a message of mine: it may be large.
  ///
  /// - Throws: ``UsageError`` where messages of several conversations are shown.
  func attaching(_ file: String, _ text: String) throws(UsageError) -> Job {
    let conversation = try conversationToWriteTo().id
    return Job(.transfer) { report, _ in
      let other = try store.reopened()
      defer { other.close() }
      report(.written(try attach(file, text, to: conversation, in: other)))
      report(.ended(.notice("attached \(SafeText.oneLine(file))")))
    }
  }

  /// Writes a message of mine with a file attached, makes its small pictures, and returns its id.
  ///
  /// - Parameter store: The store, or another opening of it.
  private func attach(
    _ file: String, _ text: String, to conversation: Conversation.ID, in store: SynchronousMessageStore
  ) throws(StoreError) -> Message.ID {
    let message = NewMessage(text, from: me, attachments: [NewAttachment(file: file)])
    let id = try store.append(message, to: conversation)
    store.makeMissingPictures(by: PictureSupport.maker)
    return id
  }
}
