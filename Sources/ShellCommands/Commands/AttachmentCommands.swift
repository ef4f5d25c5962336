internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `attach` and `save`: files on their way to messages, and from there to folders.
enum AttachmentCommands {
  /// Attaches files to a message.
  static func attach(
    _ store: MessageStore, _ id: Message.ID, files: [String], _ console: Console
  ) throws {
    let before = Set(try store.attachments(of: id).indices)
    let facts = try store.attach(files.map { NewAttachment(file: $0) }, to: id)
    for file in facts.dropFirst(before.count) { console.note("attached \(AttachmentText.text(of: file))") }
    PictureMaking.makePictures(in: store)
  }

  /// Writes what is attached to messages into a folder, which is made if need be, and prints the paths.
  static func save(
    _ store: MessageStore, _ ids: [Message.ID], to folder: String, _ console: Console
  ) throws -> ExitStatus {
    var (count, failedCount) = (0, 0)
    for id in ids {
      let attachments = try store.attachments(of: id)
      if !attachments.isEmpty { try FolderMaking.make(folder, sparing: store.files) }
      for attachment in attachments {
        do throws(StoreError) {
          console.write("\(VisibleText.of(try store.save(attachment, to: folder), keepsTabs: false))\n")
          count += 1
        } catch {
          guard error.kind == .notFound || error.kind == .damaged else { throw error }
          failedCount += 1
          console.complain("scrollback: \(error.description)")
        }
      }
    }
    console.flush()
    if count + failedCount == 0 { console.complain("scrollback: nothing is attached") }
    return failedCount > 0 ? .incomplete : count == 0 ? .nothingFound : .done
  }
}
