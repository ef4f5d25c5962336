internal import MessageModel
internal import MessageStorage
internal import TerminalText

extension ReplContext {
  /// Writes a message of mine with a file attached, makes its small pictures, and returns its id.
  ///
  /// - Parameter store: The store, or another opening of it.
  func attach(_ file: String, _ text: String, in store: any ReplStore) throws -> Message.ID {
    let id = try store.append(text, file: file, from: me, to: conversation.id)
    if let store = store as? SynchronousMessageStore { PictureMaking.makePictures(in: store) }
    return id
  }

  /// Writes what is attached to a message into a folder and returns the lines that say where.
  func save(_ id: Message.ID, to folder: String) throws -> [String] {
    let files = try store.attachments(of: id)
    guard !files.isEmpty else {
      throw UsageError("nothing is attached to message #\(id)", status: .nothingFound)
    }
    let folder = PathText.expanded(folder)
    try store.makeFolder(folder)
    return try files.map { "saved \(SafeText.oneLine(try store.save($0, to: folder)))" }
  }
}
