internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage
internal import TerminalText

/// `/view`, `/copy` and `/quote`.
extension Session {
  mutating func view(_ id: Message.ID) throws -> Effects {
    // Script output stays stable; `show` has these facts.
    let details = try context.details(of: id, asShown: reader.traits.isAttended)
    var listing = Listing(lines: details.lines, styles: details.styles, pictures: id)
    if reader.traits.hasWindow, let search, search.place == id { listing.finds = search.marks }
    return Effects(.listing(listing))
  }

  mutating func copy(_ messages: ReplCommand.CopiedMessages) throws -> Effects {
    let ends = try ends(of: messages)
    let text =
      if let format = messages.format {
        try context.text(from: ends.lowerBound, through: ends.upperBound, as: format)
      } else if isOne(messages, ends) {
        try context.wholeText(of: ends.lowerBound)
      } else {
        try context.text(from: ends.lowerBound, through: ends.upperBound)
      }
    if messages.first == nil { reader.endPicking() }
    guard let command = messages.command else { return copying(text) }
    return try begin(context.giving(text, to: command), "copying …")
  }

  /// Puts a quotation into the line, which is empty after a command.
  mutating func quote(_ messages: ReplCommand.CopiedMessages) throws -> Effects {
    guard reader.traits.hasLine, context.openConversation != nil else {
      throw UsageError("nothing is written here", remedy: "/copy LETTER")
    }
    let ends = try ends(of: messages)
    let text =
      isOne(messages, ends)
      ? try context.wholeText(of: ends.lowerBound)
      : try context.said(from: ends.lowerBound, through: ends.upperBound)
    if messages.first == nil { reader.endPicking() }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var effects = Effects()
    effects.line = lines.map { $0.isEmpty ? ">\n" : "> \($0)\n" }.joined()
    return effects
  }

  /// Saves a text that covers the messages: all of a message's own text, else the lines as they are shown.
  mutating func saveText(of listing: Listing, to file: String) throws -> Effects {
    let text =
      try listing.pictures.map { try context.wholeText(of: $0) } ?? listing.lines.joined(separator: "\n")
    let name = "'\(SafeText.oneLine(file))'"
    do {
      let end = text.hasSuffix("\n") ? "" : "\n"
      try Data((text + end).utf8).write(to: URL(fileURLWithPath: file), options: .withoutOverwriting)
    } catch CocoaError.fileWriteFileExists {
      throw UsageError("\(name) already exists", remedy: "s and another name", status: .cannotCreate)
    } catch {
      throw UsageError("cannot write \(name)", cause: error.localizedDescription, status: .cannotCreate)
    }
    return try emit(Effects(.notice("saved \(NumberText.bytes(text.utf8.count)) to \(name)")))
  }

  /// Whether a message is named, or a single one is selected.
  private func isOne(_ messages: ReplCommand.CopiedMessages, _ ends: ClosedRange<Message.ID>) -> Bool {
    messages.first == nil ? ends.lowerBound == ends.upperBound : messages.last == nil
  }

  private func ends(of messages: ReplCommand.CopiedMessages) throws(UsageError) -> ClosedRange<Message.ID> {
    guard let wanted = messages.first else {
      if let picked = reader.pickedMessages { return picked }
      throw UsageError("no messages are selected", remedy: "/copy LETTER, or Alt-v and the arrows")
    }
    let first = try id(of: wanted)
    guard let last = messages.last else { return first...first }
    let other = try id(of: last)
    return min(first, other)...max(first, other)
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
    let changes = isShown ? ChangedLines(text, isCall: isCall) : nil
    let fenced = isShown && changes == nil ? CodeStyles.styles(ofFenced: text) : [:]
    let styles =
      changes.map { Self.styles(of: $0, behind: lines.count) }
      ?? Dictionary(uniqueKeysWithValues: fenced.map { ($0.key + lines.count, $0.value) })
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
    try lines(of: messages(from: first, through: last)).joined(separator: "\n")
  }

  /// The messages in an export format.
  fileprivate func text(from first: Message.ID, through last: Message.ID, as name: String) throws -> String {
    var format = try ExportFormats.named(name, options: ExportOptions(timeZone: zone))
    var bytes: [UInt8] = []
    format.writeHeader(to: &bytes)
    for message in try messages(from: first, through: last) {
      var message = message
      if message.isTextCut { message.text = try store.text(of: message.id) ?? message.text }
      let name = openConversation?.name ?? names.conversation(message.conversation)
      format.write(ExportRecord(MessageRecord(message: message), conversation: name), to: &bytes)
    }
    format.writeFooter(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Who said what, without times.
  fileprivate func said(from first: Message.ID, through last: Message.ID) throws -> String {
    try messages(from: first, through: last).map { message in
      let text = try store.text(of: message.id) ?? message.text
      return naming.named(message).sender.map { "\(SafeText.oneLine($0.name)): \(text)" } ?? text
    }.joined(separator: "\n")
  }

  /// Gives a text to a command of the shell, and shows what that prints.
  fileprivate func giving(_ text: String, to command: String) -> Job {
    Job(.transfer) { report, isCancelled in
      let pipe = try CommandPipe(command)
      try? pipe.write(Array(text.utf8), isCancelled: isCancelled)
      let (lines, status) = pipe.finish(isCancelled: isCancelled)
      let name = "'\(SafeText.oneLine(command).cut(columns: 40))'"
      guard status == 0 else {
        throw UsageError(
          "\(name) ended with status \(status)", cause: lines.last.map { SafeText.oneLine($0) })
      }
      let shown = lines.map { SafeText.oneLine($0) }
      let given = "gave \(NumberText.counted(text.count, "character")) to \(name)"
      report(.ended(shown.isEmpty ? .summary(Reply.Summary(text: given)) : .listing(Listing(lines: shown))))
    }
  }

  private func messages(from first: Message.ID, through last: Message.ID) throws -> [Message] {
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
    return messages
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
