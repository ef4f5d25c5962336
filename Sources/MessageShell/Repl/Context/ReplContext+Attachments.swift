internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// Writes a message of mine with a file attached, makes its small pictures, and returns its id.
  ///
  /// - Parameter store: The store, or another opening of it.
  func attach(
    _ file: String, _ text: String, in store: SynchronousMessageStore
  ) throws(StoreError) -> Message.ID {
    let message = NewMessage(text, from: me, attachments: [NewAttachment(file: file)])
    let id = try store.append(message, to: conversation.id)
    PictureMaking.makePictures(in: store)
    return id
  }

  /// Writes what is attached to a message into a folder and returns the lines that say where.
  func save(_ id: Message.ID, to folder: String) throws -> [String] {
    let files = try store.attachments(of: id)
    guard !files.isEmpty else {
      throw UsageError("nothing is attached to message #\(id)", status: .nothingFound)
    }
    let folder = PathText.expanded(folder)
    try FolderMaking.make(folder, sparing: store.files)
    return try files.map { "saved \(SafeText.oneLine(try store.save($0, to: folder)))" }
  }
}
