internal import MessageMarkup
public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// The most messages that one answer looks at for pictures among their files.
  private static let sharedMessageLimit = 10_000
  /// The most characters of a line of text beside a link or a file.
  private static let sharedTextLimit = 200

  /// Returns links, files or pictures of a selection, newest first.
  ///
  /// - Parameters:
  ///   - sort: Whether links, files or pictures.
  ///   - selection: The messages that have them.
  ///   - id: The message before which to begin; `nil` for the newest end.
  ///   - limit: The number of things after which it ends; those of one message stay together.
  ///   - isCancelled: Asked between pages whether to stop.
  /// - Throws: ``StoreError`` of kind `invalidRequest` for a wrong expression, `cancelled`, else what reading threw.
  /// - Complexity: That of pages under a filter by a feature; for pictures as many as there are files before them.
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

  /// Returns the web addresses of a text, each once, with the lines that they stand in.
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

  /// Returns what is shown of a line, without the signs that mark it.
  private static func shownLine(_ line: Substring, as dialect: MarkupDialect) -> String? {
    Markup.beginning(of: String(line), as: dialect, length: readLength).inOneLine(limit: sharedTextLimit)
  }

  func answer(
    _ question: SharedQuestion, isCancelled: @escaping @Sendable () -> Bool
  ) throws(StoreError) -> SharedAnswer {
    try shared(
      question.sort ?? .links,
      in: selection(
        question.conversations, with: question.person, question.filter, zone: question.timeZone),
      before: question.before, limit: Self.limit(question.limit), isCancelled: isCancelled)
  }
}

extension Message.Attachment {
  /// Whether it is a picture, by its media type or, without one, by its name.
  fileprivate var isPicture: Bool {
    if let type = mediaType { return type.hasPrefix("image/") }
    let ending = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
    return pixelSize != nil || ending.map { NamePattern.pictureEndings.contains($0) } ?? false
  }
}
