package import MessageModel

/// Writes Scrollback's JSON Lines: an object per line, with a fixed order of keys; empty values are omitted.
///
/// Times are in UTC with three decimals at any precision, which is named unless it is the millisecond. Years
/// before 0 and after 9999 have a sign and six digits. `edited` is the time of the last edit, or `true` if
/// neither that nor an earlier text is known. Reading and writing again yields the same bytes.
public struct JSONLinesExport: ExportFormat {
  private var conversation: (name: String, identity: ConversationIdentity?, bytes: [UInt8]) = ("", nil, [])

  /// Creates a writer.
  public init() {}

  /// Writes a message without details from the bytes of its text, with the same result as ``write(_:to:)``.
  ///
  /// - Parameter session: The description of the session, with its first message.
  package mutating func write(
    _ message: RawMessage, conversation name: String, identity: ConversationIdentity? = nil,
    session: SessionNote? = nil, to bytes: inout [UInt8]
  ) {
    if conversation.bytes.isEmpty || conversation.name != name || conversation.identity != identity {
      conversation = (name, identity, [])
      JSONText.write(name, to: &conversation.bytes)
      if let identity { Self.write(identity, to: &conversation.bytes) }
    }
    bytes.append("{\"id\":\"")
    bytes.append(decimal: message.id.rawValue)
    bytes.append("\",\"conversation\":")
    bytes.append(contentsOf: conversation.bytes)
    if let session { SessionText.write(session, to: &bytes) }
    Self.write(message.time, message.precision, to: &bytes)
    Self.write(message.sender?.name, for: ",\"sender\":", to: &bytes)
    Self.write(message.senderID, for: ",\"senderID\":", to: &bytes)
    Self.write(message.kind, to: &bytes)
    if !message.text.isEmpty {
      bytes.append(",\"text\":")
      JSONText.write(message.text, to: &bytes)
    }
    Self.write(message.replyTo, for: ",\"replyTo\":\"", to: &bytes)
    Self.write(message.thread, for: ",\"thread\":\"", to: &bytes)
    bytes.append("}\n")
  }

  private static func write(_ time: Timestamp, _ precision: TimePrecision, to bytes: inout [UInt8]) {
    bytes.append(",\"time\":\"")
    ISO8601.write(time, to: &bytes)
    bytes.append("\"")
    if precision != .millisecond { write(precision.name, for: ",\"precision\":", to: &bytes) }
  }

  private static func write(_ kind: Message.Kind, to bytes: inout [UInt8]) {
    if kind == .text {
      bytes.append(",\"kind\":\"text\"")
    } else {
      write(kind.name, for: ",\"kind\":", to: &bytes)
    }
  }

  public mutating func write(_ record: ExportRecord, to bytes: inout [UInt8]) {
    bytes.append("{\"id\":\"")
    bytes.append(decimal: record.id.rawValue)
    bytes.append("\",\"conversation\":")
    JSONText.write(record.conversation, to: &bytes)
    if let identity = record.conversationIdentity { Self.write(identity, to: &bytes) }
    if let session = record.session { SessionText.write(session, to: &bytes) }
    Self.write(record.time, record.precision, to: &bytes)
    Self.write(record.sender, for: ",\"sender\":", to: &bytes)
    Self.write(record.senderID, for: ",\"senderID\":", to: &bytes)
    Self.write(record.kind, to: &bytes)
    if !record.text.isEmpty { Self.write(record.text, for: ",\"text\":", to: &bytes) }
    Self.write(record.replyTo, for: ",\"replyTo\":\"", to: &bytes)
    Self.write(record.thread, for: ",\"thread\":\"", to: &bytes)
    writeDetails(record, to: &bytes)
    bytes.append("}\n")
  }

  private func writeDetails(_ record: ExportRecord, to bytes: inout [UInt8]) {
    if let time = record.editedAt {
      bytes.append(",\"edited\":\"")
      ISO8601.write(time, to: &bytes)
      bytes.append("\"")
    } else if record.isEdited, record.edits.isEmpty {
      bytes.append(",\"edited\":true")
    }
    Self.writeList(record.edits, for: ",\"edits\":", to: &bytes) { edit, bytes in
      bytes.append("{\"time\":\"")
      ISO8601.write(edit.time, to: &bytes)
      bytes.append("\"")
      Self.write(edit.text, for: ",\"text\":", to: &bytes)
      bytes.append("}")
    }
    Self.writeList(record.reactions, for: ",\"reactions\":", to: &bytes) { reaction, bytes in
      Self.write(reaction.emoji, for: "{\"emoji\":", to: &bytes)
      Self.writeList(reaction.senders, for: ",\"senders\":", to: &bytes) { JSONText.write($0, to: &$1) }
      bytes.append("}")
    }
    Self.writeList(record.attachments, for: ",\"attachments\":", to: &bytes, Self.write(attachment:to:))
    if let forward = record.forward { Self.write(forward, to: &bytes) }
    if let deletion = record.deletion { Self.write(deletion, to: &bytes) }
    if let source = record.source { Self.write(source, to: &bytes) }
    Self.write(record.sendingState?.name, for: ",\"sendingState\":", to: &bytes)
    Self.write(record.payload.map(Base64.text(of:)), for: ",\"payload\":", to: &bytes)
    if let time = record.starredAt {
      bytes.append(",\"starred\":\"")
      ISO8601.write(time, to: &bytes)
      bytes.append("\"")
    }
    if let number = record.importNumber {
      bytes.append(",\"import\":")
      bytes.append(decimal: number)
    }
  }

  private static func write(_ identity: ConversationIdentity, to bytes: inout [UInt8]) {
    write(identity.platform, for: ",\"conversationSource\":{\"platform\":", to: &bytes)
    write(identity.key, for: ",\"id\":", to: &bytes)
    bytes.append("}")
  }

  private static func write(_ forward: Message.Forward, to bytes: inout [UInt8]) {
    var fields: [UInt8] = []
    write(forward.author, for: ",\"from\":", to: &fields)
    write(forward.authorID, for: ",\"id\":", to: &fields)
    write(forward.chat, for: ",\"chat\":", to: &fields)
    if let time = forward.time {
      fields.append(",\"time\":\"")
      ISO8601.write(time, to: &fields)
      fields.append("\"")
    }
    if forward.isFrequent { fields.append(",\"often\":true") }
    if forward.isQuoted { fields.append(",\"quoted\":true") }
    bytes.append(",\"forwarded\":{")
    bytes += fields.dropFirst()
    bytes.append("}")
  }

  private static func write(_ deletion: Message.Deletion, to bytes: inout [UInt8]) {
    bytes.append(",\"deleted\":{\"time\":\"")
    ISO8601.write(deletion.time, to: &bytes)
    bytes.append("\"")
    write(deletion.sender, for: ",\"by\":", to: &bytes)
    write(deletion.senderID, for: ",\"id\":", to: &bytes)
    bytes.append("}")
  }

  private static func write(_ source: Message.Source, to bytes: inout [UInt8]) {
    write(source.platform, for: ",\"source\":{\"platform\":", to: &bytes)
    write(source.id, for: ",\"id\":", to: &bytes)
    write(source.original, for: ",\"original\":", to: &bytes)
    bytes.append("}")
  }

  private static func write(attachment: Message.Attachment, to bytes: inout [UInt8]) {
    write(attachment.name, for: "{\"name\":", to: &bytes)
    write(attachment.mediaType, for: ",\"type\":", to: &bytes)
    if let byteCount = attachment.byteCount {
      bytes.append(",\"bytes\":")
      bytes.append(decimal: Int64(byteCount))
    }
    write(attachment.sha256, for: ",\"sha256\":", to: &bytes)
    write(attachment.path, for: ",\"path\":", to: &bytes)
    bytes.append("}")
  }

  private static func write(_ string: String?, for key: StaticString, to bytes: inout [UInt8]) {
    guard let string else { return }
    bytes.append(key)
    JSONText.write(string, to: &bytes)
  }

  private static func write(_ id: Message.ID?, for key: StaticString, to bytes: inout [UInt8]) {
    guard let id else { return }
    bytes.append(key)
    bytes.append(decimal: id.rawValue)
    bytes.append("\"")
  }

  private static func writeList<Element>(
    _ list: [Element], for key: StaticString, to bytes: inout [UInt8],
    _ write: (Element, inout [UInt8]) -> Void
  ) {
    guard !list.isEmpty else { return }
    bytes.append(key)
    bytes.append("[")
    for (index, element) in list.enumerated() {
      if index > 0 { bytes.append(",") }
      write(element, &bytes)
    }
    bytes.append("]")
  }
}
