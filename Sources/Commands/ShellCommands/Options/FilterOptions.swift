internal import ArgumentParser
internal import ChatSession
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage

struct FilterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only messages found by this query; see docs/queries.md.", valueName: "query"))
  var matching: String?

  @Option(help: ArgumentHelp("Only messages that this regular expression finds.", valueName: "pattern"))
  var regex: String?

  @OptionGroup var facts: FactFilterOptions

  /// Returns all conditions as one query; `nil` for none. Throws ``StoreError`` of kind `invalidRequest` if a
  /// query cannot be parsed.
  func query(with typed: MessageQuery? = nil) throws -> MessageQuery? {
    try facts.query(matching: matching, regex: regex, with: typed)
  }

  func predicate(in store: SynchronousMessageStore, _ common: CommonOptions, _ shell: Shell) throws
    -> MessagePredicate
  {
    try common.predicate(query(), in: store, shell)
  }
}

/// Conditions other than a message's text, which `search` takes as its arguments.
struct FactFilterOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only what this sender wrote; several may be named.", valueName: "name"),
    completion: ValueCompletions.senders)
  var from: [String] = []

  // A time may begin with a minus sign: -2h.
  @Option(parsing: .unconditional, help: ArgumentHelp("Only at or after this time.", valueName: "time"))
  var since: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Only before this time.", valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp("Only this kind (text, action, join …); several may be named.", valueName: "kind"),
    completion: ValueCompletions.kinds)
  var kind: [String] = []

  @Flag(help: "Only what people said and did: no events, no notices.")
  var textOnly = false

  @Option(
    help: ArgumentHelp("Only messages with an attachment, link, reply or edit.", valueName: "feature"),
    completion: ValueCompletions.features)
  var has: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only messages that this saved filter shows; see `filters`.", valueName: "saved"),
    completion: ValueCompletions.savedFilters)
  var filter: [String] = []

  /// Returns all conditions as one query; `nil` for none. Throws ``StoreError`` of kind `invalidRequest` if a
  /// query cannot be parsed.
  func query(matching: String? = nil, regex: String? = nil, with typed: MessageQuery? = nil) throws
    -> MessageQuery?
  {
    var terms = from.map { QueryTerm(.from, $0) }
    terms += since.map { [QueryTerm(.since, $0)] } ?? []
    terms += until.map { [QueryTerm(.until, $0)] } ?? []
    terms += kind.map { QueryTerm(.kind, $0) }
    terms += has.map { QueryTerm(.has, $0) }
    var parts = terms.map { QueryExpression.term($0) }
    // A condition of its own: among the kinds, one match would suffice.
    if textOnly { parts.append(.any([.term(QueryTerm(.kind, MessageQuery.said))])) }
    parts += try [matching.map { try MessageQuery($0).expression }, typed?.expression].compactMap(\.self)
    parts += regex.map { [.term(QueryTerm(.regex, $0))] } ?? []
    parts += filter.map { .term(QueryTerm(.filter, $0)) }
    return MessageQuery.all(parts)
  }
}

extension CommonOptions {
  func predicate(
    _ query: MessageQuery?, in store: SynchronousMessageStore, _ shell: Shell
  ) throws -> MessagePredicate {
    guard let query else { return .everything }
    var compiler = QueryCompiler(
      store, now: shell.now(), clock: WallClock(zone: try zone(in: shell)))
    return try compiler.predicate(query)
  }
}

struct ConversationOption: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("The conversation; several may be named.", valueName: "name"),
    completion: ValueCompletions.conversations)
  var conversation: [String] = []

  @Flag(help: "All conversations.")
  var all = false

  func choice(otherwise: ConversationChoice) -> ConversationChoice {
    if all { return .all }
    return conversation.isEmpty ? otherwise : .named(conversation)
  }
}

struct OneConversationOption: ParsableArguments {
  @Option(
    name: [.customShort("c", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp("The conversation.", valueName: "name"), completion: ValueCompletions.conversations)
  var conversation: String?
}
