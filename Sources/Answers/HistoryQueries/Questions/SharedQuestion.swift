internal import MessageMarkup
public import MessageModel
internal import MessageStorage

/// What to list: links, files or pictures.
public enum SharedSort: String, Codable, Hashable, Sendable, CaseIterable {
  /// Web addresses in texts.
  case links
  /// Files attached to messages.
  case files
  /// Attached pictures.
  case pictures

  /// Reads its word.
  ///
  /// - Throws: `DecodingError` for another word.
  public init(from decoder: any Decoder) throws { self = try decoder.wordOfSeveral() }

  var feature: MessagePredicate.Feature {
    switch self {
    case .links: .link
    case .files, .pictures: .attachment
    }
  }
}

/// Asks for links, files or pictures, newest first.
public struct SharedQuestion: HistoryQuestion, ListQuestion, SelectingQuestion {
  /// Its word in JSON.
  public static let word = "shared"

  /// What to list; `nil` for links.
  public var sort: SharedSort?
  /// The conversations; `nil` for all.
  public var conversations: [ConversationReference]?
  /// The name of a person, for everything between them and you: docs/json.md. `nil` for all.
  public var person: String?
  /// The condition on messages; `nil` for all.
  public var filter: HistoryFilter?
  /// The message before which to begin; `nil` for the newest end.
  public var before: Message.ID?
  /// The number of links or files after which to end; `nil` for the usual limit.
  public var limit: Int?
  /// The time zone of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    sort: SharedSort? = nil, conversations: [ConversationReference]? = nil, person: String? = nil,
    filter: HistoryFilter? = nil,
    before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.sort, self.conversations, self.person, self.filter) = (sort, conversations, person, filter)
    (self.before, self.limit, self.timeZone) = (before, limit, timeZone)
  }
}

extension SharedQuestion {
  /// Returns the things.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> SharedAnswer {
    try queries.shared(
      sort ?? .links, in: queries.selection(of: self), before: before, limit: QuestionAnswerer.limit(limit),
      isCancelled: queries.isCancelled)
  }

  package var isSearch: Bool { true }
  package var isOfMessagesAlone: Bool { person == nil && filter.isOfMessagesAlone }
}

/// Links, files or pictures, newest first.
public struct SharedAnswer: HistoryAnswer, ServedAnswer {
  /// The links or files: all of a message or none, so that there may be more than asked for.
  public var shared: [SharedThingAnswer]
  /// The message before which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { shared.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
}

/// A link or file, and its message.
public struct SharedThingAnswer: Codable, Hashable, Sendable {
  /// The id of the message.
  public var id: Message.ID
  /// The name of its conversation.
  public var conversation: String
  /// When it was written.
  public var time: Timestamp
  /// The precision of the time; `nil` for milliseconds.
  public var precision: TimePrecision?
  /// The name of the sender; `nil` if it has none.
  public var sender: String?
  /// The URL; `nil` for a file.
  public var url: String?
  /// For a link its line of the text, if it contains more; for a file the first line of the text.
  public var text: String?
  /// The index of a file in its message.
  public var index: Int?
  /// The facts of a file.
  public var attachment: AttachmentAnswer?

  init(_ message: Message, conversation: String) {
    id = message.id
    self.conversation = conversation
    time = message.time
    precision = message.precision == .millisecond ? nil : message.precision
    sender = message.sender?.name
  }
}

extension QuestionAnswerer {
  /// The most messages examined for pictures among their files.
  private static let sharedMessageLimit = 10_000
  private static let sharedTextLimit = 200

  /// Returns the links, files or pictures of a selection, newest first.
  ///
  /// - Parameters:
  ///   - sort: Whether to list links, files or pictures.
  ///   - selection: Where to look.
  ///   - id: The message before which to begin; `nil` for the newest end.
  ///   - limit: The number after which to end; those of one message stay together.
  ///   - isCancelled: Called between pages.
  /// - Complexity: That of pages filtered by a feature; for pictures also of the files before them.
  public func shared(
    _ sort: SharedSort, in selection: Selection = .everything, before id: Message.ID? = nil,
    limit: Int = QuestionAnswerer.usualLimit,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> SharedAnswer {
    let chosen = selection.narrowed(to: .has(sort.feature))
    var names = ConversationNames(store)
    var dialects = ConversationDialects(store)
    var answer = SharedAnswer(shared: [])
    var place = id
    var seen = 0
    while answer.shared.count < limit, seen < Self.sharedMessageLimit {
      if isCancelled() { throw StoreError(.cancelled, "cannot list \(sort.rawValue)") }
      let page = try store.page(
        PageRequest(
          chosen, order: .newestFirst, anchor: place.map { .before($0) } ?? .newest,
          fetchLimit: min(limit - answer.shared.count, 200), wantsCounts: false))
      for message in page.messages where answer.shared.count < limit {
        let name = try names.name(of: message.conversation)
        let dialect = try dialects.dialect(of: message)
        answer.shared += try things(sort, of: message, conversation: name, as: dialect)
        place = message.id
        seen += 1
      }
      let isAll = page.messages.last.map { $0.id == place } ?? true
      if isAll, case .before(let reached)? = page.nextAnchor { place = reached }
      guard !isAll || page.hasOlder else { return answer }
    }
    answer.next = place
    return answer
  }

  private func things(
    _ sort: SharedSort, of message: Message, conversation: String, as dialect: MarkupDialect
  ) throws(StoreError) -> [SharedThingAnswer] {
    let base = SharedThingAnswer(message, conversation: conversation)
    switch sort {
    case .links:
      let text = message.isTextCut ? try store.text(of: message.id) ?? message.text : message.text
      return Self.links(in: text, as: dialect).map { link in
        var thing = base
        (thing.url, thing.text) = link
        return thing
      }
    case .files, .pictures:
      let text = Self.shownLine(message.text.prefix { !$0.isNewline }, as: dialect)
      return message.attachments.enumerated().compactMap { index, file in
        guard sort == .files || file.isPicture else { return nil }
        var thing = base
        (thing.index, thing.text, thing.attachment) = (index, text, AttachmentAnswer(file))
        return thing
      }
    }
  }

  /// Returns the URLs in a text, each once, with their lines.
  private static func links(
    in text: String, as dialect: MarkupDialect
  ) -> [(url: String?, text: String?)] {
    var known: Set<Substring> = []
    return WebLinks.ranges(in: text[...]).compactMap { range in
      let url = text[range]
      guard url.prefix(4).lowercased() == "http", known.insert(url).inserted else { return nil }
      let start = text[..<range.lowerBound].lastIndex(where: \.isNewline).map { text.index(after: $0) }
      let end = text[range.upperBound...].firstIndex(where: \.isNewline)
      let line = text[(start ?? text.startIndex)..<(end ?? text.endIndex)]
      let shown = shownLine(line, as: dialect)
      return (String(url), shown == String(url) ? nil : shown)
    }
  }

  private static func shownLine(_ line: Substring, as dialect: MarkupDialect) -> String? {
    Markup.beginning(of: String(line), as: dialect, length: readLength).inOneLine(limit: sharedTextLimit)
  }
}

extension Message.Attachment {
  /// Whether it is a picture, by media type, or else by name.
  fileprivate var isPicture: Bool {
    if let type = mediaType { return type.hasPrefix("image/") }
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return pixelSize != nil || ending.map { NamePattern.pictureEndings.contains($0) } ?? false
  }
}
