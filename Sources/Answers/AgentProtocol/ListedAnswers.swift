internal import HistoryQueries

extension ConversationsAnswer: CompactAnswer {
  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    try container.encode(conversations.map(ListedConversation.init), forKey: .conversations)
  }
}

extension SendersAnswer: CompactAnswer {
  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    try container.encode(senders.map(ListedSender.init), forKey: .senders)
  }
}

extension SharedAnswer: CompactAnswer {
  var conversationNames: [String] { shared.map(\.conversation) }

  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    try container.encode(
      shared.map { ListedThing(thing: $0, hasConversation: conversation == nil) }, forKey: .shared)
  }
}

extension ThreadsAnswer: CompactAnswer {
  var conversationNames: [String] { threads.map(\.conversation) }

  func encode(to container: inout KeyedEncodingContainer<CompactKey>, in conversation: String?) throws {
    try container.encode(
      threads.map { ListedThread(thread: $0, hasConversation: conversation == nil) }, forKey: .threads)
  }
}

struct ListedConversation: Encodable {
  let conversation: ConversationAnswer

  private enum CodingKeys: CodingKey {
    case name, messages, first, last, senders, id, unread, direct, lastSender, lastText
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(conversation.name, forKey: .name)
    try container.encode(conversation.messages, forKey: .messages)
    let first = conversation.first.map { MessageLine.minute($0, conversation.firstPrecision) }
    let last = conversation.last.map { MessageLine.minute($0, conversation.lastPrecision) }
    try container.encodeIfPresent(first, forKey: .first)
    try container.encodeIfPresent(last, forKey: .last)
    try container.encodeIfPresent(conversation.senders, forKey: .senders)
    try container.encode(conversation.id, forKey: .id)
    try container.encodeIfPresent(conversation.unread, forKey: .unread)
    if conversation.direct == true { try container.encode(true, forKey: .direct) }
    try container.encodeIfPresent(conversation.lastSender, forKey: .lastSender)
    try container.encodeIfPresent(conversation.lastText, forKey: .lastText)
  }
}

struct ListedSender: Encodable {
  let sender: SenderAnswer

  private enum CodingKeys: CodingKey { case name, messages, last, senderID, aliasOf }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(sender.name, forKey: .name)
    try container.encode(sender.messages, forKey: .messages)
    try container.encodeIfPresent(
      sender.last.map { MessageLine.minute($0, sender.lastPrecision) }, forKey: .last)
    try container.encodeIfPresent(sender.senderID, forKey: .senderID)
    try container.encodeIfPresent(sender.aliasOf, forKey: .aliasOf)
  }
}

struct ListedThing: Encodable {
  let thing: SharedThingAnswer
  let hasConversation: Bool

  private enum CodingKeys: CodingKey {
    case id, conversation, time, sender, url, text, index, attachment
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(thing.id, forKey: .id)
    if hasConversation { try container.encode(thing.conversation, forKey: .conversation) }
    try container.encode(MessageLine.minute(thing.time, thing.precision), forKey: .time)
    try container.encodeIfPresent(thing.sender, forKey: .sender)
    try container.encodeIfPresent(thing.url, forKey: .url)
    try container.encodeIfPresent(thing.text, forKey: .text)
    try container.encodeIfPresent(thing.index, forKey: .index)
    try container.encodeIfPresent(thing.attachment.map(ListedFile.init), forKey: .attachment)
  }
}

struct ListedFile: Encodable {
  private let name: String
  private let type: String?
  private let bytes: Int?

  init(_ file: AttachmentAnswer) { (name, type, bytes) = (file.name, file.type, file.bytes) }

  private enum CodingKeys: CodingKey { case name, type, bytes }
}

struct ListedThread: Encodable {
  let thread: ThreadAnswer
  let hasConversation: Bool

  private enum CodingKeys: CodingKey {
    case id, conversation, time, sender, text, missing, answers, exact, unread, newestTime, newestSender
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(thread.id, forKey: .id)
    if hasConversation { try container.encode(thread.conversation, forKey: .conversation) }
    try container.encode(MessageLine.minute(thread.time, thread.precision), forKey: .time)
    try container.encodeIfPresent(thread.sender, forKey: .sender)
    try container.encodeIfPresent(thread.text, forKey: .text)
    try container.encodeIfPresent(thread.missing, forKey: .missing)
    try container.encode(thread.answers, forKey: .answers)
    try container.encodeIfPresent(thread.exact, forKey: .exact)
    try container.encodeIfPresent(thread.unread, forKey: .unread)
    try container.encode(MessageLine.minute(thread.newestTime, thread.newestPrecision), forKey: .newestTime)
    try container.encodeIfPresent(thread.newestSender, forKey: .newestSender)
  }
}
