internal import Foundation
public import MessageModel
internal import MessageStorage

/// A question about messages of some conversations, or of a person, that meet a condition.
protocol SelectingQuestion {
  var conversations: [ConversationReference]? { get }
  var person: String? { get }
  var filter: HistoryFilter? { get }
  /// The zone of times without one; `nil` for UTC.
  var timeZone: String? { get }
}

/// Names, times and words mean the same as in a typed query.
extension QuestionAnswerer {
  /// - Parameter zone: The zone of its times; `nil` for UTC. An unknown one throws `notFound`.
  func compiler(inZone zone: String? = nil) throws(StoreError) -> QueryCompiler {
    var compiler = QueryCompiler(store, now: now(), clock: WallClock(zone: try Self.zone(zone)))
    compiler.advice = advice
    return compiler
  }

  func selection(of question: some SelectingQuestion) throws(StoreError) -> Selection {
    try selection(question.conversations, with: question.person, question.filter, zone: question.timeZone)
  }

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

  func anchor(_ start: PageStart?, zone: String?) throws(StoreError) -> PageAnchor {
    guard let start else { return .newest }
    guard let time = start.spokenTime else { return start.anchor }
    var compiler = try compiler(inZone: zone)
    return .time(try compiler.time(time).start)
  }

  /// Returns everything with a person: their direct conversations, including what others wrote there, and
  /// what they wrote elsewhere.
  ///
  /// - Parameter person: The name of the person, with or without `@`; case does not matter. An unknown name
  ///   throws ``StoreError`` of kind `notFound` with the nearest names.
  /// - Complexity: As for ``StoreReading/person(named:)`` and ``StoreReading/directConversations(with:)``.
  public func everything(with person: String) throws(StoreError) -> Selection {
    let senders = try store.person(named: person).senders
    let wrote = MessagePredicate.person(senders)
    let direct = try store.directConversations(with: senders)
    return Selection(.all, where: direct.isEmpty ? wrote : .or([.conversation(direct), wrote]))
  }

  private func ids(
    of reference: ConversationReference, _ compiler: QueryCompiler
  ) throws(StoreError) -> Set<Conversation.ID> {
    switch reference {
    case .named(let name): try compiler.conversations(name)
    case .id: [try find(reference).id]
    }
  }

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
      .invalidRequest, "'\(VisibleText.of(name))' is the name of \(ids.count) conversations",
      cause: "choose one of \(names.joined(separator: ", "))\(ids.count > names.count ? " …" : "")")
  }
}
