internal import HistoryTransfer
internal import MessageModel
internal import MessagePictures
internal import MessageStorage
internal import TerminalText

/// `/attach` and `/save`.
extension Session {
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
  /// Appends my message with an attachment, and makes its thumbnails. Throws ``UsageError`` where several
  /// conversations are shown.
  func attaching(_ file: String, _ text: String) throws(UsageError) -> Job {
    let conversation = try conversationToWriteTo().id
    return Job(.transfer) { report, _ in
      let other = try store.reopened()
      defer { other.close() }
      let message = NewMessage(text, from: me, attachments: [NewAttachment(file: file)])
      for id in try other.append([message], to: conversation) {
        report(.written(message, as: id, in: conversation))
      }
      other.makeMissingPictures(by: PictureSupport.maker)
      report(.ended(.notice("attached \(SafeText.oneLine(file))")))
    }
  }
}
