internal import MessageModel

extension IMessageHistory {
  private static let mostPolls = 1_000

  mutating func message(_ rows: SQLiteRows, into sink: inout RecordSink) -> RichMessage? {
    guard let guid = rows.text(3), let time = Self.time(rows.integer(7)) else {
      sink.skip(reason: "row \(rows.integer(1)) has no time or id")
      return nil
    }
    var text = rows.text(4) ?? IMessageText.text(of: rows.bytes(5)) ?? ""
    text.unicodeScalars.removeAll { $0 == "\u{FFFC}" || $0 == "\u{FFFD}" }
    var message = RichMessage(time: time, text: text)
    message.sender = rows.integer(6) != 0 ? me : rows.text(2)
    message.details.senderID = rows.integer(6) != 0 ? nil : rows.text(2)
    message.details.source = Message.Source(platform: "imessage", id: guid)
    message.details.replyTo = rows.text(13).map { .external($0) }
    message.details.reactions = tapbacks.reactions(to: guid)
    readChanges(rows, into: &message)
    if rows.integer(10) != 0 {
      readGroupEvent(rows, into: &message)
    } else if message.kind == .text {
      readParts(rows, guid, into: &message)
    }
    return message
  }

  private func readChanges(_ rows: SQLiteRows, into message: inout RichMessage) {
    let changes = IMessageChanges(rows.bytes(14))
    let isChanged = rows.integer(8) != 0
    message.details.edits = changes.earlierTexts()
    message.details.isEdited = isChanged && !message.text.isEmpty || !message.details.edits.isEmpty
    if isChanged, message.details.isEdited { message.details.editedAt = Self.time(rows.integer(8)) }
    if rows.integer(9) != 0 || message.text.isEmpty && (isChanged || changes.isUnsent) {
      (message.kind, message.text) = (.system, "message deleted")
    }
  }

  /// The subject, a card of an app, a poll, the words of a recording.
  private mutating func readParts(_ rows: SQLiteRows, _ guid: String, into message: inout RichMessage) {
    var lines = [rows.text(19) ?? "", message.text]
    if let app = IMessageApp(rows.text(20), rows.bytes(21)) {
      if app.isPoll, let poll = app.poll() { return read(poll, rows, guid, into: &message) }
      lines.append(app.words(besides: message.text))
      message.word = app.id
    }
    lines.append(IMessageText.transcription(in: rows.bytes(5)) ?? "")
    message.text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private mutating func read(
    _ poll: IMessagePoll, _ rows: SQLiteRows, _ guid: String, into message: inout RichMessage
  ) {
    guard poll.isVote else {
      if polls.count >= Self.mostPolls { polls.removeAll() }
      polls[guid] = poll
      message.text = poll.text
      return
    }
    let target = rows.text(23).map(IMessageTapbacks.target)
    let chosen = (target.flatMap { polls[$0] } ?? poll).words(of: poll.votes)
    (message.kind, message.text) = (.system, chosen.isEmpty ? "removed the vote" : "voted for \(chosen)")
    message.details.replyTo = target.map { .external($0) }
  }

  private func readGroupEvent(_ rows: SQLiteRows, into message: inout RichMessage) {
    let whom = rows.text(24) ?? "a member"
    switch (rows.integer(10), rows.integer(12)) {
    case (1, 0): (message.kind, message.text) = (.join, "added \(whom)")
    case (1, _): (message.kind, message.text) = (.kick, "removed \(whom)")
    case (2, _):
      let name = rows.text(11) ?? ""
      (message.kind, message.text) = (.topic, name.isEmpty ? "removed the name of the group" : name)
    case (3, 0): (message.kind, message.text) = (.part, "left")
    case (3, 1): (message.kind, message.text) = (.system, "changed the picture of the group")
    case (3, 2): (message.kind, message.text) = (.system, "removed the picture of the group")
    case (4, _): (message.kind, message.text) = (.system, "started or stopped sharing the location")
    case (5, _): (message.kind, message.text) = (.system, "kept an audio message")
    case (6, _): (message.kind, message.text) = (.call, message.text.isEmpty ? "call" : message.text)
    default:
      message.kind = .system
      if message.text.isEmpty { message.text = "changed the conversation" }
    }
  }

  /// Nanoseconds since 2001, or seconds before 2017; 0 is none.
  private static func time(_ written: Int64) -> Timestamp? {
    guard written != 0 else { return nil }
    let isSeconds = written.magnitude < 100_000_000_000
    let milliseconds = isSeconds ? written * 1_000 : written / 1_000_000
    return Timestamp(millisecondsSince1970: milliseconds + 978_307_200_000)
  }
}
