public import MessageModel
public import MessageStorage

// A limit that is left out is `QuestionAnswerer.usualLimit`; a greater one than `maxLimit` is moved there.

/// Asks for conversations by name.
public struct ConversationsQuestion: Codable, Hashable, Sendable {
  /// The name after which to begin.
  public var after: String?
  /// The most conversations to return; `nil` for the usual limit.
  public var limit: Int?
  /// Whether unread messages are counted.
  public var unread: Bool?
  /// Whether to answer who wrote the newest message, and the beginning of its text.
  public var newest: Bool?
  /// A part of their names, or a pattern for all of them, as `*-dev`; `nil` for any.
  public var named: String?
  /// `nil` for ``ConversationOrder/name``.
  public var order: ConversationOrder?

  /// Creates a question.
  public init(
    after: String? = nil, limit: Int? = nil, unread: Bool? = nil, newest: Bool? = nil, named: String? = nil,
    order: ConversationOrder? = nil
  ) {
    self.order = order
    self.after = after
    self.limit = limit
    self.unread = unread
    self.newest = newest
    self.named = named
  }
}

/// An order of conversations.
public enum ConversationOrder: String, Codable, Hashable, Sendable, CaseIterable {
  /// By their names.
  case name
  /// Those with the newest messages first.
  case newest
  /// Those with the most messages first.
  case messages
}

/// Asks for one conversation.
public struct ConversationQuestion: Codable, Hashable, Sendable {
  /// The conversation.
  public var conversation: ConversationReference
  /// Whether to answer who wrote the newest message, and the beginning of its text.
  public var newest: Bool?
  /// The last name that a conversation given by its id was known by: where it was merged, the answer is the conversation that it
  /// was merged into.
  public var knownAs: String?

  /// Creates a question.
  public init(conversation: ConversationReference, newest: Bool? = nil, knownAs: String? = nil) {
    self.conversation = conversation
    self.newest = newest
    self.knownAs = knownAs
  }
}

/// Asks for a page.
public struct PageQuestion: Codable, Hashable, Sendable {
  /// Of which conversations; `nil` for all, interleaved by time.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place where it begins; `nil` for the newest end.
  public var at: PageStart?
  /// `nil` for the oldest first.
  public var order: PageRequest.Order?
  /// The most messages to return; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages to pass over first.
  public var offset: Int?
  /// For places within: how many messages to take from before it; `nil` for half of them.
  public var older: Int?
  /// Whether numbers and totals are wanted, as they are if this is `nil`.
  public var counts: Bool?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, person: String? = nil, filter: HistoryFilter? = nil,
    at: PageStart? = nil,
    order: PageRequest.Order? = nil, limit: Int? = nil, offset: Int? = nil, older: Int? = nil,
    counts: Bool? = nil, detail: MessageDetail? = nil, timeZone: String? = nil
  ) {
    self.conversations = conversations
    self.person = person
    self.filter = filter
    self.at = at
    self.order = order
    self.limit = limit
    self.offset = offset
    self.older = older
    self.counts = counts
    self.detail = detail
    self.timeZone = timeZone
  }
}

/// The extent to which messages are answered.
public enum MessageDetail: String, Codable, Hashable, Sendable {
  /// As much as a line of a list shows: of a long text its beginning.
  case line
  /// All that an export has.
  case whole
}

/// Asks for one message, by its id or by the id that a platform gave it.
public struct MessageQuestion: Codable, Hashable, Sendable {
  /// The id of the message.
  public var id: Message.ID?
  /// The platform, for example `slack`.
  public var platform: String?
  /// Its id on that platform.
  public var platformID: String?
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?

  /// Asks for a message by its id.
  public init(id: Message.ID) { self.id = id }

  /// Asks for a message by the id that a platform gave it.
  public init(platform: String, platformID: String) {
    self.platform = platform
    self.platformID = platformID
  }
}

/// Asks for many messages by their ids.
public struct MessagesQuestion: Codable, Hashable, Sendable {
  /// The ids of the messages.
  public var ids: [Message.ID]
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?

  /// Creates a question.
  public init(ids: [Message.ID]) { self.ids = ids }
}

/// Asks for what a search finds.
public struct HitsQuestion: Codable, Hashable, Sendable {
  /// A query as somebody types it (docs/queries.md): words, `"phrases"`, `prefixes*`, `OR`, `-without`, `from:alice`.
  public var words: String?
  /// A regular expression, instead of words.
  public var regex: String?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The place to begin at; `nil` for the newest end.
  public var at: PageStart?
  /// The most hits to return; `nil` for the usual limit.
  public var limit: Int?
  /// The number of messages of its conversation to answer on both sides of each hit.
  public var context: Int?
  /// `nil` for ``MessageDetail/line``.
  public var detail: MessageDetail?
  /// Whether to answer how many hits there are in all.
  public var counts: Bool?
  /// Whether how parts of texts look is wanted, as ``MessageAnswer/marks``.
  public var marks: Bool?
  /// The zone of times that name none; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question for words.
  public init(
    words: String? = nil, regex: String? = nil, conversations: [ConversationReference]? = nil,
    person: String? = nil,
    filter: HistoryFilter? = nil, at: PageStart? = nil, limit: Int? = nil, context: Int? = nil,
    detail: MessageDetail? = nil, counts: Bool? = nil, timeZone: String? = nil
  ) {
    self.words = words
    self.regex = regex
    self.conversations = conversations
    self.person = person
    self.filter = filter
    self.at = at
    self.limit = limit
    self.context = context
    self.detail = detail
    self.counts = counts
    self.timeZone = timeZone
  }
}

/// Asks who wrote.
public struct SendersQuestion: Codable, Hashable, Sendable {
  /// In which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// After whom to begin.
  public var after: SenderPlace?
  /// The most senders to return; `nil` for the usual limit.
  public var limit: Int?
  /// A part of their names, or a pattern for all of them, as `ali*`; `nil` for any.
  public var named: String?
  /// `nil` for ``SenderOrder/messages``.
  public var order: SenderOrder?

  /// Creates a question.
  public init(
    conversations: [ConversationReference]? = nil, after: SenderPlace? = nil, limit: Int? = nil,
    named: String? = nil, order: SenderOrder? = nil
  ) {
    self.order = order
    self.conversations = conversations
    self.after = after
    self.limit = limit
    self.named = named
  }
}

/// An order of senders.
public enum SenderOrder: String, Codable, Hashable, Sendable, CaseIterable {
  /// Those with the most messages first.
  case messages
  /// Those who wrote last first.
  case newest
}

/// Asks for the days or months that hold messages.
public struct DaysQuestion: Codable, Hashable, Sendable {
  /// In which conversation; `nil` for all together.
  public var conversation: ConversationReference?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// `nil` for days.
  public var by: HistorySection.Span?
  /// The zone whose midnights part them; `nil` for UTC.
  public var timeZone: String?
  /// The message from which on.
  public var from: Message.ID?
  /// The most days or months to return; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    conversation: ConversationReference? = nil, person: String? = nil, by: HistorySection.Span? = nil,
    timeZone: String? = nil,
    from: Message.ID? = nil, limit: Int? = nil
  ) {
    self.conversation = conversation
    self.person = person
    self.by = by
    self.timeZone = timeZone
    self.from = from
    self.limit = limit
  }
}

/// Asks for messages counted by a property.
public struct GroupsQuestion: Codable, Hashable, Sendable {
  /// By which property; `nil` for months.
  public var by: MessageGrouping?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The zone whose midnights part days, and in which times are that name none; `nil` for UTC.
  public var timeZone: String?
  /// The message from which on years, months or days are wanted.
  public var from: Message.ID?
  /// The most groups to return; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    by: MessageGrouping? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    timeZone: String? = nil, from: Message.ID? = nil, limit: Int? = nil
  ) {
    self.by = by
    self.conversations = conversations
    self.person = person
    self.filter = filter
    self.timeZone = timeZone
    self.from = from
    self.limit = limit
  }
}

/// Asks for the messages of one day of the calendar in earlier years.
public struct AnniversariesQuestion: Codable, Hashable, Sendable {
  /// The day as people say it, its year does not matter; `nil` for today.
  public var day: String?
  /// Of which conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you alone: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition that must hold for the messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The zone whose midnights part days; `nil` for UTC.
  public var timeZone: String?
  /// The most messages of each year; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(
    day: String? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    timeZone: String? = nil, limit: Int? = nil
  ) {
    self.day = day
    self.conversations = conversations
    self.person = person
    self.filter = filter
    self.timeZone = timeZone
    self.limit = limit
  }
}

/// Asks for counts and sizes, of the store or of some conversations.
public struct StatisticsQuestion: Codable, Hashable, Sendable {
  /// `nil` for the whole store.
  public var conversations: [ConversationReference]?
  /// Whether to tell what each part of the store takes on disk, which reads all of it.
  public var sizes: Bool?

  /// Creates a question.
  public init(conversations: [ConversationReference]? = nil, sizes: Bool? = nil) {
    self.conversations = conversations
    self.sizes = sizes
  }
}

/// Asks for the people whom the user has made.
public struct PeopleQuestion: Codable, Hashable, Sendable {
  /// The name after which to begin.
  public var after: String?
  /// The most people to return; `nil` for the usual limit.
  public var limit: Int?
  /// A part of their names, or a pattern for all of them, as `ali*`; `nil` for any.
  public var named: String?

  /// Creates a question.
  public init(after: String? = nil, limit: Int? = nil, named: String? = nil) {
    self.after = after
    self.limit = limit
    self.named = named
  }
}

/// Asks for the filters that were saved by name.
public struct FiltersQuestion: Codable, Hashable, Sendable {
  /// The name after which to begin.
  public var after: String?
  /// The most filters to return; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(after: String? = nil, limit: Int? = nil) {
    self.after = after
    self.limit = limit
  }
}

/// Asks for the imports.
public struct ImportsQuestion: Codable, Hashable, Sendable {
  /// The number of the import after which to begin.
  public var after: Int64?
  /// The most imports to return; `nil` for the usual limit.
  public var limit: Int?

  /// Creates a question.
  public init(after: Int64? = nil, limit: Int? = nil) {
    self.after = after
    self.limit = limit
  }
}
