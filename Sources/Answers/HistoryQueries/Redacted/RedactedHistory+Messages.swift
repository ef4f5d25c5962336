internal import MessageModel
internal import MessageStorage
internal import Redaction

extension RedactedHistory {
  /// The most bytes of a text in a page, applied after redaction.
  private static let textByteLimit = 4_096

  func shown(_ messages: [Message]) throws(StoreError) -> [Message] {
    guard !messages.isEmpty else { return [] }
    let names = try names()
    return try messages.map { message throws(StoreError) in
      var shown = shown(message, try wholeText(of: message), names)
      if shown.text.utf8.count > Self.textByteLimit {
        var end = shown.text.utf8.index(shown.text.startIndex, offsetBy: Self.textByteLimit)
        while end.samePosition(in: shown.text.unicodeScalars) == nil {
          end = shown.text.utf8.index(before: end)
        }
        shown.text = String(shown.text[..<end])
      }
      return shown
    }
  }

  func shown(_ record: MessageRecord, _ names: MaskedNames) -> MessageRecord {
    var record = record
    let identity = record.conversationIdentity
    record.message = shown(record.message, Self.uncut(record.message), names)
    record.senderID = redactor.replacesNames ? nil : record.senderID.map(redactor.text)
    for index in record.edits.indices { record.edits[index].text = redactor.text(record.edits[index].text) }
    record.source = record.source.map { Message.Source(platform: $0.platform, id: $0.id.map(redactor.text)) }
    record.conversationIdentity = identity.flatMap {
      ConversationIdentity(platform: $0.platform, key: redactor.text($0.key))
    }
    // An app's data has an unknown format.
    record.payload = nil
    return record
  }

  func wholeText(of message: Message) throws(StoreError) -> String {
    guard message.isTextCut, let text = try original.text(of: message.id) else { return message.text }
    var whole = message
    whole.text = text
    return Self.uncut(whole)
  }

  /// Removes the word that a cut divides: half of it might not be recognised.
  private static func uncut(_ message: Message) -> String {
    guard message.isTextCut else { return message.text }
    let end = message.text.lastIndex(where: \.isWhitespace)
    return String(message.text[..<(end ?? message.text.startIndex)])
  }

  private func shown(_ message: Message, _ text: String, _ names: MaskedNames) -> Message {
    var message = message
    message.text = redactor.text(text)
    message.textByteCount = message.text.utf8.count
    message.sender = message.sender.map {
      Sender(id: $0.id, name: names.sender($0.id) ?? redactor.sender($0.name))
    }
    message.reactions = message.reactions.map { reaction in
      let senders = reaction.senderKeys.map { redactor.sender($0.name, id: $0.externalID) }
      let ids = redactor.replacesNames ? [] : reaction.senderIDs.map { $0.map(redactor.text) }
      return Message.Reaction(emoji: redactor.text(reaction.emoji), senders: senders, senderIDs: ids)
    }
    message.attachments = message.attachments.map { shown($0) }
    message.forward = message.forward.map { redactor.forward($0) }
    message.deletion = message.deletion.map { redactor.deletion($0) }
    message.payload = nil
    return message
  }

  private func shown(_ file: Message.Attachment) -> Message.Attachment {
    var file = file
    file.name = redactor.text(file.name)
    file.path = file.path.map(redactor.text)
    // Text files are withheld, and so are their sizes and checksums.
    if !file.mayBeGiven { (file.byteCount, file.sha256) = (nil, nil) }
    return file
  }

  func shown(_ summary: SenderSummary, _ names: MaskedNames) -> SenderSummary {
    var summary = summary
    summary.sender.name = names.sender(summary.sender.id) ?? redactor.sender(summary.sender.name)
    summary.external = redactor.replacesNames ? nil : summary.external.map(redactor.text)
    return summary
  }
}

extension Message.Attachment {
  /// Whether its content may be shown: a text file may contain anything.
  var mayBeGiven: Bool { Self.mayBeGiven(mediaType ?? "") }

  /// Whether contents of a type may be shown.
  package static func mayBeGiven(_ type: String) -> Bool {
    ["image/", "audio/", "video/"].contains(where: type.hasPrefix) && type != "image/svg+xml"
  }
}

/// The redacted names of a store at one version.
struct MaskedNames: Sendable {
  let version: SourceVersion
  /// Ordered by redacted name.
  let conversations: [Conversation]
  private let conversationPlaces: [Conversation.ID: Int]
  private let conversationNames: [String: Conversation.ID]
  private let senders: [Sender.ID: String]

  /// Assigns stand-ins in the order of ids: an order by the original names would reveal something about them.
  init(_ version: SourceVersion, of store: SynchronousMessageStore, _ redactor: Redactor) throws(StoreError) {
    self.version = version
    var senders: [Sender.ID: String] = [:]
    for sender in try store.senders().sorted(by: { $0.sender.id < $1.sender.id }) {
      senders[sender.sender.id] = redactor.sender(sender.sender.name, id: sender.external)
    }
    self.senders = senders
    var taken: Set<String> = []
    let named = try store.conversations().sorted { $0.id < $1.id }.map { conversation in
      var conversation = conversation
      conversation.name = Self.free(redactor.text(conversation.name), &taken)
      return conversation
    }
    conversations = named.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    conversationPlaces = Dictionary(
      conversations.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    conversationNames = Dictionary(
      conversations.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a unique name, since lists continue after a name.
  static func free(_ name: String, _ taken: inout Set<String>) -> String {
    var (free, number) = (name, 1)
    while !taken.insert(free).inserted {
      number += 1
      free = "\(name) (\(number))"
    }
    return free
  }

  func conversation(_ id: Conversation.ID) -> Conversation? {
    conversationPlaces[id].map { conversations[$0] }
  }

  func conversation(named name: String) -> Conversation? {
    conversationNames[name].flatMap(conversation)
  }

  /// Returns the name of a sender; `nil` for one added later.
  func sender(_ id: Sender.ID) -> String? { senders[id] }
}
