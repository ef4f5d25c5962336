internal import ArgumentParser
internal import MessageModel
internal import MessageShell
internal import MessageStorage

/// Options that let only some messages through.
struct FilterOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only messages found by this full-text query.", valueName: "query"))
  var matching: String?

  @Option(help: ArgumentHelp("Only messages that this regular expression finds.", valueName: "pattern"))
  var regex: String?

  @OptionGroup var facts: FactFilterOptions

  /// The options as they were put.
  var meaning: MessageFilter { facts.meaning(query: matching, pattern: regex) }

  /// Returns what the options mean in a store.
  func predicate(in store: SynchronousMessageStore, _ common: CommonOptions, _ shell: Shell) throws
    -> MessagePredicate
  {
    try facts.predicate(in: store, common, shell, query: matching, pattern: regex)
  }
}

/// Options that let only some messages through, whatever their text. (`search` has its own way to say what to look
/// for.)
struct FactFilterOptions: ParsableArguments {
  @Option(
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
    help: ArgumentHelp("Only what this saved filter lets through; see `filters`.", valueName: "saved"),
    completion: ValueCompletions.savedFilters)
  var filter: [String] = []

  /// Returns what the options mean in a store.
  ///
  /// - Parameters:
  ///   - query: A full-text query that must find a message, too.
  ///   - pattern: A regular expression that must find a message, too.
  func predicate(
    in store: SynchronousMessageStore, _ common: CommonOptions, _ shell: Shell, query: String? = nil,
    pattern: String? = nil
  ) throws -> MessagePredicate {
    var clock = WallClock(zone: try common.zone(in: shell))
    return try meaning(query: query, pattern: pattern).predicate(in: store, now: shell.now(), clock: &clock)
  }

  /// The options as they were put.
  func meaning(query: String?, pattern: String?) -> MessageFilter {
    var meaning = MessageFilter()
    meaning.senders = from
    meaning.since = since
    meaning.until = until
    meaning.query = query
    meaning.pattern = pattern
    meaning.kinds = kind
    meaning.isTextOnly = textOnly
    meaning.features = has
    meaning.saved = filter
    return meaning
  }
}
