internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/view` and `/copy`.
extension Session {
  mutating func view(_ id: Message.ID) throws -> Effects {
    // Script output stays stable; `show` has these facts.
    let details = try context.details(of: id, asShown: reader.traits.isAttended)
    return Effects(.listing(Listing(lines: details.lines, styles: details.styles, pictures: id)))
  }

  mutating func copy(_ first: Message.ID, through last: Message.ID?) throws -> Effects {
    guard let last else { return copying(try context.wholeText(of: first)) }
    return copying(try context.text(from: min(first, last), through: max(first, last)))
  }
}

extension ReplContext {
  ///
  /// - Parameter isShown: Whether to include former texts, and render changes as the window does.
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
    if let reply = message.replyTo { lines.append("reply to #\(reply)") }
    if let forward = message.forward {
      let time = forward.time.map { " · \(DateText.dateAndTime(clock.civil(at: $0), precision: .minute))" }
      lines.append(SafeText.oneLine(forward.line) + (time ?? ""))
    }
    if let deletion = message.deletion {
      let time = DateText.dateAndTime(clock.civil(at: deletion.time), precision: .minute)
      lines.append("\(SafeText.oneLine(deletion.line)) · \(time)")
    }
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

  private mutating func earlierLines(of id: Message.ID) throws(StoreError) -> [String] {
    var lines: [String] = []
    for edit in try store.edits(of: id).suffix(Self.mostEarlierTexts).reversed() {
      lines.append("until \(DateText.dateAndTime(clock.civil(at: edit.time), precision: .second))")
      lines += Self.lines(ofText: edit.text).map { "  " + $0 }
    }
    return lines
  }

  private static let mostEarlierTexts = 100

  private static let mostShownBytes = 1 << 20

  private static func lines(ofText text: String) -> [String] {
    guard text.utf8.count > mostShownBytes else { return SafeText.lines(of: text) }
    let end = text.utf8.index(text.startIndex, offsetBy: mostShownBytes)
    let shown = text[..<(end.samePosition(in: text) ?? text.index(before: end))]
    let rest = NumberText.bytes(text.utf8.count - shown.utf8.count)
    return SafeText.lines(of: shown) + ["… \(rest) more: /export has all of it"]
  }

  func wholeText(of id: Message.ID) throws -> String {
    guard let text = try store.text(of: id) else { throw noMessage(id) }
    return text
  }

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

  /// - Parameter isShown: Whether senders appear under people's names, as on the screen.
  func lines(of messages: [Message], asShown isShown: Bool = false) throws(StoreError) -> [String] {
    var format = TextExport(timeZone: zone)
    var lines: [String] = []
    for message in messages {
      lines += Self.lines(try line(of: isShown ? naming.named(message) : message, &format))
    }
    return lines
  }

  /// A message with its whole text, as in a text export; prefixed by its conversation if several are shown.
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

  private static let mostNameColumns = 40
}
