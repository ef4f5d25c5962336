internal import MessageModel

/// The detail tables of a `msgstore.db`, read in step with the messages.
struct WhatsAppTablesBeside {
  private let context: WhatsAppAndroidContext
  private var media: RowsAlongside
  private var quoted: RowsAlongside
  private var edits: RowsAlongside
  private var revoked: RowsAlongside
  private var notices: RowsAlongside
  private var members: RowsAlongside
  private var joins: RowsAlongside
  private var numbers: RowsAlongside
  private var places: RowsAlongside
  private var cards: RowsAlongside
  private var answers: RowsAlongside
  private var invitations: RowsAlongside
  private var calls: RowsAlongside
  private var missedCalls: RowsAlongside
  private var reactions: RowsAlongside
  private var forwards: RowsAlongside
  private let callLog: RowLookup<(isVideo: Bool, seconds: Int64)>

  private static let mostPeople = 50

  init(_ file: SQLiteFile, _ context: WhatsAppAndroidContext) throws(InterchangeError) {
    self.context = context
    func rows(
      _ table: String, _ wanted: [String], needed: Set<String> = []
    ) throws(InterchangeError) -> RowsAlongside {
      let columns = try file.columns(of: table)
      let key = "message_row_id"
      guard columns.isSuperset(of: needed.union([key])) else { return RowsAlongside(nil) }
      return RowsAlongside(
        try KeyedRows(
          file, wanted.map { columns.contains($0) ? $0 : "NULL" }, from: table, by: key,
          then: columns.contains("_id") ? "_id" : nil))
    }
    media = try rows(
      "message_media",
      [
        "file_path", "mime_type", "media_name", "media_caption", "file_size", "file_length",
        "raw_transcription_text",
      ])
    forwards = try rows("message_forwarded", ["forward_score"])
    quoted = try rows("message_quoted", ["key_id", "chat_row_id", "from_me"], needed: ["key_id"])
    edits = try rows("message_edit_info", ["original_key_id", "edited_timestamp", "sender_timestamp"])
    revoked = try rows("message_revoked", ["revoked_key_id"])
    notices = try rows("message_system", ["action_type"], needed: ["action_type"])
    members = try rows("message_system_chat_participant", ["user_jid_row_id"], needed: ["user_jid_row_id"])
    joins = try rows("message_system_group", ["is_me_joined"], needed: ["is_me_joined"])
    numbers = try rows("message_system_number_change", ["old_jid_row_id", "new_jid_row_id"])
    places = try rows("message_location", ["latitude", "longitude", "place_name", "place_address"])
    cards = try rows("message_vcard", ["vcard"], needed: ["vcard"])
    answers = try rows("message_poll_option", ["option_name", "vote_total"], needed: ["option_name"])
    invitations = try rows("message_group_invite", ["group_name"], needed: ["group_name"])
    calls = try rows("message_call_log", ["call_log_row_id"], needed: ["call_log_row_id"])
    missedCalls = try rows("missed_call_logs", ["video_call"])
    reactions = RowsAlongside(try Self.reactions(file))
    let hasLog = try file.isKeyed("call_log", by: "_id", with: ["video_call", "duration"])
    callLog = RowLookup(
      hasLog ? try file.rows("SELECT video_call, duration FROM call_log WHERE _id = ?1") : nil
    ) { ($0.integer(0) != 0, $0.integer(1)) }
  }

  private static func reactions(_ file: SQLiteFile) throws(InterchangeError) -> KeyedRows? {
    let columns = try file.columns(of: "message_add_on")
    guard columns.isSuperset(of: ["parent_message_row_id", "sender_jid_row_id"]),
      try file.isKeyed("message_add_on", by: "_id"),
      try file.columns(of: "message_add_on_reaction").isSuperset(of: ["message_add_on_row_id", "reaction"])
    else { return nil }
    return try KeyedRows(
      file, ["r.reaction", "a.sender_jid_row_id", columns.contains("from_me") ? "a.from_me" : "NULL"],
      from: "message_add_on_reaction AS r JOIN message_add_on AS a ON a._id = r.message_add_on_row_id",
      by: "a.parent_message_row_id", then: "a._id")
  }

  mutating func message(_ record: WhatsAppRecord) throws(InterchangeError) -> RichMessage? {
    let time = Timestamp(millisecondsSince1970: record.milliseconds)
    let isSecond = record.milliseconds % 1_000 == 0
    var message = RichMessage(
      time: time, precision: isSecond ? .second : .millisecond,
      text: context.people.withMentions(record.text))
    var key = record.key
    setSender(record, of: &message)
    try edits.forEach(of: record.row) { row in
      if let first = row.text(1), !first.isEmpty { key = first }
      let milliseconds = row.integer(2) != 0 ? row.integer(2) : row.integer(3)
      message.details.isEdited = true
      if milliseconds != 0 { message.details.editedAt = Timestamp(millisecondsSince1970: milliseconds) }
    }
    var isDeleted = WhatsAppKind.isDeleted(record.type)
    try revoked.forEach(of: record.row) { row in
      isDeleted = true
      if let first = row.text(1), !first.isEmpty { key = first }
    }
    message.details.source = Message.Source(
      platform: "whatsapp",
      id: WhatsAppID.id(key, in: record.chat, isFromMe: record.isFromMe, isCopy: record.isCopy))
    try addAnswered(record, to: &message)
    try addReactions(record, to: &message)
    try forwards.forEach(of: record.row) { row in
      message.details.forward = Message.Forward(isFrequent: row.integer(1) >= Self.frequentScore)
    }
    if isDeleted {
      (message.kind, message.text) = (.system, "message deleted")
      message.details.isEdited = false
      message.details.editedAt = nil
    } else if record.isNotice {
      try readNotice(record, into: &message)
    } else {
      try readContents(record, into: &message)
      if message.text.isEmpty, message.details.attachments.isEmpty {
        if WhatsAppKind.isFrame(record.type) { return nil }
        let words = WhatsAppKind.words(record.type)
        if words == nil { message.kind = .unknown }
        message.text = words ?? (record.type == 0 ? "" : "message of the kind \(record.type)")
      }
    }
    return message
  }

  /// Chains of five and more are "forwarded many times"
  /// (<https://faq.whatsapp.com/1053543185312573>).
  private static let frequentScore: Int64 = 5

  /// A message without a sender in a direct chat is the other person's.
  private func setSender(_ record: WhatsAppRecord, of message: inout RichMessage) {
    if record.isFromMe {
      message.sender = context.people.me
    } else if let sender = record.sender
      ?? (WhatsAppPeople.isDirect(record.chat) == true ? record.chat : nil)
    {
      message.sender = context.people.name(of: sender)
      message.details.senderID = sender
    }
  }

  private mutating func addAnswered(
    _ record: WhatsAppRecord, to message: inout RichMessage
  ) throws(InterchangeError) {
    let context = context
    var answered = record.answered
    try quoted.forEach(of: record.row) { row in
      guard let key = row.text(1) else { return }
      let chat = row.integer(2) > 0 ? context.chat(row.integer(2)).address : record.chat
      answered = WhatsAppID.id(
        context.firstKeys[key] ?? key, in: chat, isFromMe: row.integer(3) != 0, isCopy: false)
    }
    message.details.replyTo = answered.map { .external($0) }
  }

  private mutating func addReactions(
    _ record: WhatsAppRecord, to message: inout RichMessage
  ) throws(InterchangeError) {
    let context = context
    var given: [(emoji: String, sender: String)] = []
    try reactions.forEach(of: record.row) { row in
      // A withdrawn reaction is empty.
      guard let emoji = row.text(1), !emoji.isEmpty, given.count < Self.mostReactions else { return }
      let other = WhatsAppPeople.isDirect(record.chat) == true ? record.chat : nil
      let sender =
        row.integer(3) != 0
        ? context.people.me
        : (context.address(row.integer(2)) ?? other).map(context.people.name) ?? "somebody"
      given.append((emoji, sender))
    }
    message.details.reactions = Message.Reaction.gathered(given)
  }

  private static let mostReactions = 10_000

  // MARK: Notices

  private mutating func readNotice(
    _ record: WhatsAppRecord, into message: inout RichMessage
  ) throws(InterchangeError) {
    let context = context
    var action = record.action
    var people = record.people.prefix(Self.mostPeople).map(context.people.name)
    try notices.forEach(of: record.row) { action = $0.integer(1) }
    try members.forEach(of: record.row) { row in
      guard people.count < Self.mostPeople, let address = context.address(row.integer(1)) else { return }
      people.append(context.people.name(of: address))
    }
    try joins.forEach(of: record.row) { row in
      if row.integer(1) != 0, people.isEmpty { people = [context.people.me] }
    }
    try numbers.forEach(of: record.row) { row in
      let ends = [row.integer(1), row.integer(2)].compactMap(context.address)
      people = [ends.map { "+" + $0.prefix { $0 != "@" } }.joined(separator: " to ")]
    }
    let event = action.flatMap(WhatsAppEvent.init(android:))
    if let sender = record.sender {
      message.sender = context.people.name(of: sender)
      message.details.senderID = sender
    } else if event?.isSomebodys != true {
      message.sender = nil
      message.details.senderID = nil
    }
    let names = people.joined(separator: ", ")
    if let event {
      event.write(message.text, names, into: &message)
    } else {
      WhatsAppEvent.writeUnknown(action ?? 0, message.text, names, into: &message)
    }
  }

  // MARK: Contents

  private mutating func readContents(
    _ record: WhatsAppRecord, into message: inout RichMessage
  ) throws(InterchangeError) {
    let context = context
    if let attachment = record.attachment { message.details.attachments = [attachment] }
    try media.forEach(of: record.row) { row in
      if message.text.isEmpty {
        message.text = [row.text(4), row.text(7)].compactMap { $0 }.first { !$0.isEmpty } ?? ""
      }
      let path = row.text(1)
      let size = row.integer(5) > 0 ? row.integer(5) : row.integer(6)
      var file = message.details.attachments.first ?? Message.Attachment(name: "")
      file.name = WhatsAppKind.fileName(row.text(3) ?? file.name, path, record.type)
      file.mediaType = row.text(2) ?? file.mediaType
      file.byteCount = Int(exactly: size).flatMap { $0 > 0 ? $0 : nil } ?? file.byteCount
      file.path = path.map(context.files.path) ?? file.path
      message.details.attachments = [file]
    }
    try places.forEach(of: record.row) { row in
      message.text = WhatsAppKind.place([row.text(3), row.text(4)], row.real(1), row.real(2))
    }
    try cards.forEach(of: record.row) { row in
      guard message.details.attachments.count < Self.mostCards else { return }
      if let card = row.text(1) { VCard.attach(card, to: &message) }
    }
    if record.type == 4, message.details.attachments.isEmpty, message.text.hasPrefix("BEGIN:VCARD") {
      let card = message.text
      message.text = ""
      VCard.attach(card, to: &message)
    }
    try answers.forEach(of: record.row) { row in
      guard message.text.utf8.count < Self.longestPoll else { return }
      message.text += "\n- \(row.text(1) ?? "") (\(row.integer(2)))"
    }
    try invitations.forEach(of: record.row) { row in
      message.text = "invitation to the group “\(row.text(1) ?? "")”"
    }
    try readCall(record, into: &message)
  }

  private static let mostCards = 100
  private static let longestPoll = 1 << 16

  private mutating func readCall(
    _ record: WhatsAppRecord, into message: inout RichMessage
  ) throws(InterchangeError) {
    let callLog = callLog
    let isCall = [8, 10, 11, 90].contains(record.type)
    if isCall { message.kind = .call }
    try missedCalls.forEach(of: record.row) { row in
      (message.kind, message.text) = (.call, row.integer(1) != 0 ? "missed video call" : "missed voice call")
    }
    try calls.forEach(of: record.row) { row in
      guard let call = callLog.value(row.integer(1)) else { return }
      message.kind = .call
      message.text = WhatsAppKind.call(isVideo: call.isVideo, seconds: call.seconds)
    }
  }
}

extension Message.Reaction {
  /// Groups reactions by emoji, in the order of their first use. O(count).
  static func gathered(_ given: [(emoji: String, sender: String)]) -> [Message.Reaction] {
    var places: [String: Int] = [:]
    var reactions: [Message.Reaction] = []
    for (emoji, sender) in given {
      if let place = places[emoji] {
        reactions[place].senders.append(sender)
      } else {
        places[emoji] = reactions.count
        reactions.append(Message.Reaction(emoji: emoji, senders: [sender]))
      }
    }
    return reactions
  }
}
