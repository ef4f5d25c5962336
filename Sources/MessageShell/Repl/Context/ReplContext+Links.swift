internal import MessageInterchange
internal import MessageModel
internal import TerminalText

extension ReplContext {
  /// Returns the links in the text of a message.
  func links(in id: Message.ID) throws -> [String] {
    let links = WebLinks.addresses(in: try wholeText(of: id))
    guard !links.isEmpty else { throw UsageError("message #\(id) has no link", status: .nothingFound) }
    return links
  }

  /// The thread of a message, a line or more for each of its messages.
  func threadLines(of id: Message.ID) throws -> [String] {
    let messages = try store.thread(of: id, limit: Self.mostThreadMessages)
    guard messages.count > 1 else {
      guard messages.isEmpty else { return ["message #\(id) is in no thread, and nothing answers it"] }
      throw noMessage(id)
    }
    let rest = messages.count == Self.mostThreadMessages ? ["… and more"] : []
    return try lines(of: messages) + rest
  }

  private static let mostThreadMessages = 500

  /// The text of the messages from one to another, as an export has them.
  func text(from first: Message.ID, through last: Message.ID) throws -> String {
    let page = try store.page(
      PageRequest(
        selection, anchor: .after(first.predecessor), fetchLimit: Self.mostCopiedMessages + 1,
        wantsCounts: false))
    let messages = page.messages.filter { $0.id <= last }
    guard messages.count <= Self.mostCopiedMessages else {
      throw UsageError(
        "these are more than \(NumberText.counted(Self.mostCopiedMessages, "message"))",
        remedy: "/export FILE")
    }
    guard !messages.isEmpty else { throw noMessage(first) }
    return try lines(of: messages).joined(separator: "\n")
  }

  private static let mostCopiedMessages = 1_000

  /// The lines of messages as an export of text has them, all of their texts.
  private func lines(of messages: [Message]) throws(StoreError) -> [String] {
    var format = TextExport(timeZone: zone)
    var bytes: [UInt8] = []
    for var message in messages {
      if message.isTextCut { message.text = try store.text(of: message.id) ?? message.text }
      let record = ExportRecord(MessageRecord(message: message), conversation: conversation.name)
      format.write(record, to: &bytes)
    }
    return Self.lines(String(decoding: bytes, as: UTF8.self))
  }
}
