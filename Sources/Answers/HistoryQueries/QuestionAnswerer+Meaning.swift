internal import Foundation
internal import MessageModel
internal import MessageStorage

/// The meaning of the names, times and words of a question: what they mean wherever somebody types them.
extension QuestionAnswerer {
  /// Returns the compiler of the words of a question.
  ///
  /// - Parameter zone: The zone of its times; `nil` for UTC.
  /// - Throws: ``StoreError`` of kind `notFound` if there is no such zone.
  func compiler(inZone zone: String? = nil) throws(StoreError) -> QueryCompiler {
    guard let known = TimeZone(named: zone ?? "UTC") else { throw Self.notFound("time zone", zone ?? "") }
    var compiler = QueryCompiler(store, now: now(), clock: WallClock(zone: known))
    compiler.advice = advice
    return compiler
  }

  /// Returns the messages that a question is about.
  func selection(
    _ references: [ConversationReference]?, with person: String? = nil, _ filter: HistoryFilter? = nil,
    zone: String? = nil
  ) throws(StoreError) -> Selection {
    var compiler = try compiler(inZone: zone)
    var selection = Selection.everything
    if let references {
      var ids: Set<Conversation.ID> = []
      for reference in references { ids.formUnion(try self.ids(of: reference, compiler)) }
      selection.conversations = .some(ids)
    }
    if let person { selection = selection.narrowed(to: try everything(with: person).predicate) }
    guard let query = try filter?.query() else { return selection }
    return selection.narrowed(to: try compiler.predicate(query))
  }

  /// Returns where a page begins.
  func anchor(_ start: PageStart?, zone: String?) throws(StoreError) -> PageAnchor {
    guard let start else { return .newest }
    guard let time = start.spokenTime else { return start.anchor }
    var compiler = try compiler(inZone: zone)
    return .time(try compiler.time(time).start)
  }

  // MARK: Conversations

  private func ids(
    of reference: ConversationReference, _ compiler: QueryCompiler
  ) throws(StoreError) -> Set<Conversation.ID> {
    switch reference {
    case .named(let name): try compiler.conversations(name)
    case .id: [try find(reference).id]
    }
  }

  /// Returns the one conversation that is meant.
  func find(_ reference: ConversationReference) throws(StoreError) -> Conversation {
    switch reference {
    case .named(let name):
      let meant = try compiler().conversations(name)
      guard meant.count < 2 else { throw try several(meant, name) }
      if let id = meant.first, let found = try store.conversation(id) { return found }
      throw Self.notFound("conversation", name)
    case .id(let id):
      if let found = try store.conversation(id) { return found }
      throw Self.notFound("conversation", "\(id.rawValue)")
    }
  }

  private func several(_ ids: Set<Conversation.ID>, _ name: String) throws(StoreError) -> StoreError {
    var names: [String] = []
    for id in ids.sorted(by: { $0.rawValue < $1.rawValue }).prefix(QueryCompiler.namedCount) {
      if let name = try store.conversationName(id) { names.append("'\(VisibleText.of(name))'") }
    }
    return StoreError(
      .invalidRequest, "'\(VisibleText.of(name))' is \(ids.count) conversations",
      cause: "one is wanted: \(names.joined(separator: ", "))\(ids.count > names.count ? " …" : "")")
  }
}
