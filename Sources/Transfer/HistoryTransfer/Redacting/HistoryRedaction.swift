package import Foundation
package import MessageInterchange
internal import MessageModel
package import MessageStorage
package import Redaction

/// Redacts exported messages, conversation names and attachments (docs/redact.md).
package final class HistoryRedaction {
  package let redactor: Redactor
  private var check: LeakCheck
  private var fileCheck: LeakCheck
  private let zone: TimeZone
  private var clock: WallClock
  /// The number of messages of each day with a new id, and the last new ids by their originals.
  private var dayCounts: [Int: Int64] = [:]
  private var newIDs: [Message.ID: Message.ID] = [:]
  private var newIDOrder: [Message.ID] = []
  private var oldestID = 0

  private var rules: RedactionRules { redactor.rules }

  /// The most new ids remembered: replies to older messages lose their reference.
  private static let mostNewIDs = 1 << 18

  /// Throws for an invalid expression, or if the senders cannot be read.
  ///
  /// - Parameter zone: The zone whose midnights separate days.
  package init(_ rules: RedactionRules, of store: SynchronousMessageStore, zone: TimeZone) throws {
    redactor = try Self.redactor(rules, of: store)
    check = LeakCheck(redactor)
    fileCheck = check
    self.zone = zone
    clock = WallClock(zone: zone)
  }

  package static func redactor(_ rules: RedactionRules, of store: SynchronousMessageStore) throws -> Redactor
  {
    let senders =
      rules.replacesSenders ? try store.senders().map(\.sender.name) + store.peopleNames() : []
    return try Redactor(rules, senders: senders) { pattern in
      let finder = try ExpressionFinder(pattern)
      return { finder.ranges(in: $0) }
    }
  }

  // MARK: Messages

  package func apply(to record: inout ExportRecord) {
    record.conversation = redactor.text(record.conversation)
    record.text = redactor.text(record.text)
    for index in record.edits.indices { record.edits[index].text = redactor.text(record.edits[index].text) }
    if let sender = record.sender {
      record.sender = redactor.sender(sender, id: record.senderID)
      if record.sender != sender { record.senderID = nil }
    }
    record.reactions = record.reactions.map { reaction in
      Message.Reaction(
        emoji: redactor.text(reaction.emoji), senders: reaction.senders.map { redactor.sender($0) })
    }
    record.forward = record.forward.map { redactor.forward($0) }
    record.deletion = record.deletion.map { redactor.deletion($0) }
    redactSource(of: &record)
    redactAttachments(of: &record)
    if rules.givesDays { redactTimes(of: &record) }
    // Private to the reader, or to an app, in an unknown form.
    (record.payload, record.starredAt) = (nil, nil)
  }

  private func redactSource(of record: inout ExportRecord) {
    if var session = record.session {
      session.folder = session.folder.map(redactor.text)
      session.branch = session.branch.map(redactor.text)
      record.session = session
    }
    if rules.dropsIDs {
      // Without ids, an import could not assign it to a session.
      record.session = nil
      if record.source?.id != nil || record.senderID != nil || record.conversationIdentity != nil {
        redactor.count("messages whose ids were left out")
      }
      (record.senderID, record.conversationIdentity, record.source) = (nil, nil, nil)
      record.forward?.authorID = nil
      record.deletion?.senderID = nil
      return
    }
    record.senderID = record.senderID.map(redactor.text)
    if let identity = record.conversationIdentity {
      record.conversationIdentity = ConversationIdentity(
        platform: identity.platform, key: redactor.text(identity.key))
    }
    if record.source?.original != nil { redactor.count("originals left out") }
    record.source = record.source.map {
      Message.Source(platform: $0.platform, id: $0.id.map(redactor.text))
    }
  }

  private func redactAttachments(of record: inout ExportRecord) {
    guard !rules.dropsAttachments else {
      if !record.attachments.isEmpty {
        redactor.count("attachments left out", times: record.attachments.count)
      }
      record.attachments = []
      return
    }
    for index in record.attachments.indices {
      record.attachments[index].name = redactor.text(record.attachments[index].name)
      record.attachments[index].path = record.attachments[index].path.map(redactor.text)
    }
  }

  func applyAfterFiles(to record: inout ExportRecord) {
    guard rules.dropsIDs else { return }
    for index in record.attachments.indices { record.attachments[index].sha256 = nil }
  }

  func listed(_ conversation: Conversation) -> Conversation {
    var conversation = conversation
    conversation.name = redactor.text(conversation.name)
    return conversation
  }

  // MARK: Times

  /// Gives a message an id made of its day and its number within the day.
  private func redactTimes(of record: inout ExportRecord) {
    let day = clock.civil(at: record.moment).daysSince1970
    let number = dayCounts[day, default: 0]
    dayCounts[day] = number + 1
    let new = Message.ID(rawValue: Message.ID(time: Self.time(ofDay: day)).rawValue + number)
    remember(new, inPlaceOf: record.id)
    (record.id, record.writtenAt, record.precision) = (new, nil, .day)
    record.replyTo = known(record.replyTo)
    record.thread = known(record.thread)
    record.editedAt = record.editedAt.map(dayOf)
    if let time = record.forward?.time { record.forward?.time = dayOf(time) }
    if let time = record.deletion?.time { record.deletion?.time = dayOf(time) }
    for index in record.edits.indices { record.edits[index].time = dayOf(record.edits[index].time) }
  }

  /// Noon UTC: the same day in almost all zones.
  private static func time(ofDay day: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: (Int64(day) * 24 + 12) * 3_600_000)
  }

  private func dayOf(_ time: Timestamp) -> Timestamp { Self.time(ofDay: clock.civil(at: time).daysSince1970) }

  private func known(_ id: Message.ID?) -> Message.ID? {
    guard let id else { return nil }
    if newIDs[id] == nil { redactor.count("answers without what they answer") }
    return newIDs[id]
  }

  private func remember(_ new: Message.ID, inPlaceOf old: Message.ID) {
    newIDs[old] = new
    if newIDOrder.count < Self.mostNewIDs {
      newIDOrder.append(old)
    } else {
      newIDs[newIDOrder[oldestID]] = nil
      newIDOrder[oldestID] = old
      oldestID = (oldestID + 1) % Self.mostNewIDs
    }
  }

  /// Learns the format's own words, times and ids, so that the check ignores them.
  func expect(_ format: some ExportFormat) {
    guard !rules.expressions.isEmpty else { return }
    let frame = Self.frame(of: format)
    check.expect(frame)
    fileCheck.expect(frame)
  }

  /// The output of a format for empty messages at various times.
  private static func frame(of format: some ExportFormat) -> [UInt8] {
    var format = format
    var bytes: [UInt8] = []
    format.writeHeader(to: &bytes)
    for number in Int64(0)..<100 {
      let time = Timestamp(millisecondsSince1970: number * 34_567_891_234)
      var record = ExportRecord(id: Message.ID(time: time), conversation: "", sender: "", text: "")
      (record.replyTo, record.thread) = (record.id, record.id)
      record.edits = [Message.Edit(time: time, text: "")]
      record.attachments = [Message.Attachment(name: "")]
      format.write(record, to: &bytes)
    }
    format.writeFooter(to: &bytes)
    return bytes
  }

  /// Throws ``StoreError`` of kind `invalidRequest` if bytes to be written contain something that should be
  /// redacted.
  func look(at bytes: [UInt8]) throws(StoreError) {
    do throws(LeakCheck.Leak) { try check.take(bytes) } catch { throw Self.error(error) }
  }

  func finish() throws(StoreError) {
    do throws(LeakCheck.Leak) { try check.finish() } catch { throw Self.error(error) }
  }

  func look(atFile name: String, _ bytes: [UInt8]) throws(StoreError) {
    do throws(LeakCheck.Leak) {
      var check = fileCheck
      try check.take(name.utf8)
      try check.finish()
      try check.take(bytes)
      try check.finish()
    } catch {
      throw Self.error(error)
    }
  }

  func look(atName name: String) throws(StoreError) {
    do throws(LeakCheck.Leak) { try fileCheck.look(at: name) } catch { throw Self.error(error) }
  }

  /// Whether an attachment may be written into a folder; checked with a temporary copy there, since existing
  /// files may be the user's. Throws `damaged` if its content is missing, `invalidRequest` if its name
  /// contains a redacted word.
  func mayWrite(
    _ file: Message.Attachment, of store: SynchronousMessageStore, into folder: String
  ) throws(StoreError) -> Bool {
    guard redactor.replacesTexts else { return true }
    let place = "\(folder)/.\(UUID().uuidString)"
    try store.files.makeFolder(place)
    defer { try? FileManager.default.removeItem(atPath: place) }
    // The written name begins with a part of the checksum, which may contain any digits.
    try look(atName: SafeFileName(file.name).text)
    let name = try store.place(file, in: place)
    return mayWrite(fileAt: "\(place)/\(name)", named: file.name)
  }

  /// Whether a file may be attached: text must contain nothing to redact; files that cannot be checked are
  /// kept only if the rules say so.
  func mayWrite(fileAt path: String, named name: String) -> Bool {
    guard redactor.replacesTexts else { return true }
    switch content(ofFileAt: path) {
    case .clean: return true
    case .redacted: redactor.count("attached files left out since a word stands in them")
    case .unread where rules.keepsUnreadAttachments:
      redactor.count("attached files kept that cannot be looked into")
      return true
    case .unread: redactor.count("left out since it cannot be looked into: \(name)")
    }
    return false
  }

  private func content(ofFileAt path: String) -> ContentCheck.Content {
    do {
      var encodings: [String?] = [nil]
      var next = 0
      while next < encodings.count {
        guard let file = try TextFile(path: path, encoding: encodings[next]) else { return .unread }
        let content = try content(of: file)
        guard case .clean = content else { return content }
        encodings += file.otherEncodings
        next += 1
      }
      return .clean
    } catch {
      return .unread
    }
  }

  private func content(of file: TextFile) throws -> ContentCheck.Content {
    var check = ContentCheck(redactor)
    while let part = try file.next() {
      guard !part.contains(0) else { return .unread }
      guard check.take(part) else { return .redacted }
    }
    return check.finish()
  }

  private static func error(_ leak: LeakCheck.Leak) -> StoreError {
    let cause =
      switch leak.kind {
      case .word: "perhaps it is a word of the format, or a part of another word"
      case .secret: "it is found where others of the texts stand beside it, or in a name"
      case .match: "an expression matches it there: perhaps it is of the format, or of two texts"
      }
    let remedy: Remedy =
      switch leak.kind {
      case .word:
        "'word' in place of 'name' replaces parts of words; another --format; or remove it from the rules"
      case .secret: "a rule for it: word …; or another --format"
      case .match: "another --format; an expression that finds less; or a rule for it: word …"
      }
    return StoreError(
      .invalidRequest, "cannot write without '\(VisibleText.of(leak.text))'",
      cause: "it would still stand in what is written: \(cause)", remedy: remedy)
  }
}
