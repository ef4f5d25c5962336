internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/view` and `/copy`.
extension Session {
  mutating func view(_ id: Message.ID) throws -> Effects {
    // What a script gets stays as it is: `show` has them.
    let details = try context.details(of: id, asShown: reader.traits.isAttended)
    return Effects(.listing(Listing(lines: details.lines, styles: details.styles, pictures: id)))
  }

  /// Copies the text of a message, or those from one to another with who wrote them and when.
  mutating func copy(_ first: Message.ID, through last: Message.ID?) throws -> Effects {
    guard let last else { return copying(try context.wholeText(of: first)) }
    return copying(try context.text(from: min(first, last), through: max(first, last)))
  }
}

extension ReplContext {
  /// A message whole, with all that is known of it, and the styles of lines by their places.
  ///
  /// - Parameter isShown: Whether the texts that it had before are shown, too, and changes of texts as in the window.
  mutating func details(
    of id: Message.ID, asShown isShown: Bool
  ) throws -> (lines: [String], styles: [Int: Style]) {
    guard let message = try message(id) else { throw noMessage(id) }
    let civil = clock.civil(at: message.time, knownTo: message.precision)
    var lines = [
      "#\(id) · \(DateText.dateAndTime(civil, precision: message.precision)) · \(message.kind.name)"
    ]
    if let sender = message.sender { lines[0] += " · " + SafeText.oneLine(sender.name) }
    let shown = naming.names(of: message)
    if let person = shown.person { lines[0] += " (\(SafeText.oneLine(person)))" }
    if let name = shown.conversation { lines[0] += " · in " + SafeText.oneLine(name) }
    if message.isEdited { lines[0] += " · edited" }
    if let time = message.starredAt {
      lines[0] += " · ★ \(DateText.dateAndTime(clock.civil(at: time), precision: .minute))"
    }
    if let reply = message.replyTo { lines.append("answers #\(reply)") }
    let text = Self.lines(ofText: try store.text(of: id) ?? message.text)
    let isCall = message.kind == .tool
    let changes = isShown && message.kind.isStep ? ChangedLines(text, isCall: isCall) : nil
    let styles = changes.map { Self.styles(of: $0, behind: lines.count) } ?? [:]
    lines += changes?.lines ?? text
    if message.isEdited, isShown { lines += try earlierLines(of: id) }
    for attachment in message.attachments {
      lines.append("[file] \(AttachmentText.text(of: attachment))")
    }
    for reaction in message.reactions {
      let names = reaction.senders.map { SafeText.oneLine($0) }.joined(separator: ", ")
      lines.append("\(SafeText.oneLine(reaction.emoji)) \(names)")
    }
    return (lines, styles)
  }

  private static func styles(of changes: ChangedLines, behind count: Int) -> [Int: Style] {
    var styles: [Int: Style] = [:]
    for index in changes.lines.indices { styles[count + index] = changes.style(ofLine: index) }
    return styles
  }

  /// The texts that a message had before, the last one first, each under when it was changed.
  private mutating func earlierLines(of id: Message.ID) throws(StoreError) -> [String] {
    var lines: [String] = []
    for edit in try store.edits(of: id).suffix(Self.mostEarlierTexts).reversed() {
      lines.append("until \(DateText.dateAndTime(clock.civil(at: edit.time), precision: .second))")
      lines += Self.lines(ofText: edit.text).map { "  " + $0 }
    }
    return lines
  }

  private static let mostEarlierTexts = 100

  /// The most bytes of a text that are shown at once.
  private static let mostShownBytes = 1 << 20

  /// The lines of a text; the end of one that would fill thousands of screens is left out.
  private static func lines(ofText text: String) -> [String] {
    guard text.utf8.count > mostShownBytes else { return SafeText.lines(of: text) }
    let end = text.utf8.index(text.startIndex, offsetBy: mostShownBytes)
    let shown = text[..<(end.samePosition(in: text) ?? text.index(before: end))]
    let rest = NumberText.bytes(text.utf8.count - shown.utf8.count)
    return SafeText.lines(of: shown) + ["… \(rest) more: /export has all of it"]
  }

  /// Returns the text of a message.
  func wholeText(of id: Message.ID) throws -> String {
    guard let text = try store.text(of: id) else { throw noMessage(id) }
    return text
  }

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
  ///
  /// - Parameter isShown: Whether those who wrote them have the names that people have, as where they are shown.
  func lines(of messages: [Message], asShown isShown: Bool = false) throws(StoreError) -> [String] {
    var format = TextExport(timeZone: zone)
    var lines: [String] = []
    for message in messages {
      lines += Self.lines(try line(of: isShown ? naming.named(message) : message, &format))
    }
    return lines
  }

  /// The line of a message as an export of text has it, all of its text; where several conversations are shown, behind the
  /// name of its own.
  func line(of message: Message, _ format: inout TextExport) throws(StoreError) -> String {
    var message = message
    if message.isTextCut { message.text = try store.text(of: message.id) ?? message.text }
    let name = openConversation?.name ?? names.conversation(message.conversation)
    var bytes: [UInt8] = []
    format.write(ExportRecord(MessageRecord(message: message), conversation: name), to: &bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    return openConversation == nil
      ? "\(SafeText.oneLine(name).cut(columns: Self.mostNameColumns))  \(text)" : text
  }

  /// The most columns of the name of a conversation before a line.
  private static let mostNameColumns = 40
}
