internal import ArgumentParser
internal import ChatSession
internal import Foundation
internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import WordForms

struct Search: ShellCommand {
  static let configuration = CommandConfiguration.ofShell(
    commandName: "search",
    abstract: "Find messages, newest first; or what answers a question best.",
    discussion: """
      A query is words that must all be there, "phrases", prefixes*, OR, -without, parentheses, and terms: from: in: \
      since: until: on: before: after: has: kind: thread: regex: filter:, also with a hyphen in front. Names take the \
      wildcards * and ?, times are as people say them. Case and accents do not matter. Put quotes around words that \
      look like a term. docs/queries.md has all of it. Exit code 1: nothing was found.

      With --best a query is a question in your own words: some may be missing, rare ones count more, other forms of \
      a word count. It lists exchanges, the best first: the line that matches the question best begins with '>', the \
      messages around it with two spaces.

      Examples:
        scrollback search 'release notes'
        scrollback search '"release notes" -draft' -c general --context 3
        scrollback search 'tea from:al* on:"may 2024" -has:link'
        scrollback search --ids tea
        scrollback search --best 'what did Ann say about the plumber' since:2023
        scrollback search --regex 'v[0-9]+\\.[0-9]+'
      """)

  @Argument(help: "What to look for; several arguments are one query.")
  var query: [String]

  @Flag(help: "Look for a regular expression (Perl's) instead of words.")
  var regex = false

  @Flag(help: "Rank exchanges by how well they answer a question.")
  var best = false

  @Option(
    help: ArgumentHelp(
      "The language of a question (\(WordLanguage.allCases.map(\.rawValue).joined(separator: ", "))).",
      valueName: "language"), transform: Search.language)
  var language: WordLanguage?

  @Option(help: ArgumentHelp("Only hits that this full-text query finds, too.", valueName: "query"))
  var matching: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show this many messages around each hit.", valueName: "n"))
  var context = 0

  @Option(parsing: .unconditional, help: ArgumentHelp("At most this many hits.", valueName: "n"))
  var limit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Skip this many first.", valueName: "n"))
  var offset = 0

  @Flag(exclusivity: .exclusive)
  var direction = WindowOptions.Direction.newestFirst

  @Flag(help: "Begin each line with the id of its message, for `show` and `open --goto`.")
  var ids = false

  @OptionGroup var pager: PagerOption
  @OptionGroup var json: JSONOption
  @OptionGroup var filter: FactFilterOptions
  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if context < 0 { throw ValidationError("--context must be 0 or more") }
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more") }
    if language != nil, !best { throw ValidationError("--language needs --best") }
    if best, regex || context > 0 || direction == .oldestFirst || offset > 0 {
      throw ValidationError("--best cannot be combined with --regex, --context, --offset or --oldest-first")
    }
    if offset < 0 { throw ValidationError("--offset must be 0 or more") }
    if context > 0, direction == .oldestFirst {
      throw ValidationError("--context cannot be combined with --oldest-first")
    }
  }

  func run(in shell: Shell) throws -> ExitStatus {
    if let archive = try common.archive(in: shell) { return try run(archive, in: shell) }
    let threads = regex ? shell.processorCount : 1
    let store = try common.readableStore(in: shell, readerCount: threads)
    defer { store.close() }
    shell.listenForInterruption()
    let text = query.joined(separator: " ")
    if best { return try runBest(text, of: store, in: shell) }
    let command = SearchCommand(
      choice: conversation.choice(otherwise: .all),
      wanted: regex ? .regex(text) : try common.predicate(MessageQuery(text), in: store, shell),
      predicate: try common.predicate(filter.query(matching: matching), in: store, shell),
      order: direction.order,
      limit: limit,
      offset: offset, context: context, showsIDs: ids)
    let console = pager.console(common, in: shell)
    let status =
      json.json
      ? try command.runJSON(store, console)
      : try command.run(store, zone: try common.zone(in: shell), console)
    // A script sees the exit status.
    if status == .nothingFound, console.errorsAreTerminal {
      let searched = try command.choice.selection(in: store).narrowed(to: command.predicate)
      let error = NothingFound(in: searched, of: store).error(text, command.wanted)
      console.note([error.summary, error.cause].compactMap(\.self).joined(separator: "; "))
    }
    return DamageReport.status(status, after: store, console)
  }
}

struct SearchCommand: Sendable {
  var choice: ConversationChoice
  /// The predicate whose matches are highlighted.
  var wanted: MessagePredicate
  var predicate: MessagePredicate
  var order: PageRequest.Order
  var limit: Int?
  var offset: Int
  var context: Int

  var showsIDs: Bool

  /// With context, hits begin with `>` and `--` separates groups.
  func run(_ store: SynchronousMessageStore, zone: TimeZone, _ console: Console) throws -> ExitStatus {
    let selection = try choice.selection(in: store).narrowed(to: predicate)
    let naming: PrintedText.Naming = try choice.isOfSeveral(in: store) ? .inLines : .none
    let format = PrintedText(console.printing(zone: zone, naming: naming, partsDays: false))
    var writer = HitWriter(
      store: store, format: format, console: console, context: context, showsIDs: showsIDs)
    let status = try run(store, selection, console) { try writer.write($0) }
    try writer.finish()
    console.flush()
    return status
  }

  func runJSON(_ store: SynchronousMessageStore, _ console: Console) throws -> ExitStatus {
    let selection = try choice.selection(in: store).narrowed(to: predicate)
    let queries = QuestionAnswerer(store)
    return try run(store, selection, console) { hits in
      var rest = hits[...]
      while !rest.isEmpty {
        let answers = try queries.answers(rest, context: context, detail: .whole)
        try console.write(answers: answers)
        rest = rest.dropFirst(answers.count)
      }
    }
  }

  private func run(
    _ store: SynchronousMessageStore, _ selection: Selection, _ console: Console,
    _ write: ([SearchHit]) throws -> Void
  ) throws -> ExitStatus {
    var (rest, skipped) = (limit ?? .max, offset)
    var found = false
    guard rest > 0 else { return .done }
    try search(store, selection) { hits in
      let shown = Array(hits.dropFirst(skipped).prefix(rest))
      skipped -= min(skipped, hits.count)
      rest -= shown.count
      found = found || !shown.isEmpty
      try write(shown)
      // Hits appear while the search continues.
      console.flush()
      return rest > 0
    }
    console.flush()
    return CostlyMessages.tell(of: store, console, else: found ? .done : .nothingFound)
  }

  /// Calls `body` with batches of hits in order until it returns `false`.
  private func search(
    _ store: SynchronousMessageStore, _ selection: Selection, _ body: ([SearchHit]) throws -> Bool
  ) throws {
    let isCancelled = { @Sendable in Interruption.isAskedFor }
    if order == .newestFirst {
      return try store.search(for: wanted, in: selection, isCancelled: isCancelled, body)
    }
    var place = Message.ID.lowest
    while true {
      let ids = try store.nextHits(wanted, in: selection, after: place, limit: 200, isCancelled: isCancelled)
      guard let last = ids.last, try body(ids.compactMap { try store.hit($0, of: wanted) }) else { return }
      place = last
    }
  }
}

extension Search {
  static func language(_ name: String) throws -> WordLanguage {
    if let language = WordLanguage(rawValue: name.lowercased()) { return language }
    throw ValidationError(
      "There is no '\(name)', only \(WordLanguage.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  func runBest(_ question: String, of store: SynchronousMessageStore, in shell: Shell) throws -> ExitStatus {
    let query = try BestQuery(question)
    let choice = conversation.choice(otherwise: .all)
    var selection = try choice.selection(in: store)
      .narrowed(to: common.predicate(filter.query(matching: matching), in: store, shell))
    if let restriction = query.restriction {
      selection = selection.narrowed(to: try common.predicate(restriction, in: store, shell))
    }
    let console = pager.console(common, in: shell)
    let ranked = try store.exchanges(
      answering: query.words, in: selection, limit: limit ?? QuestionAnswerer.usualExchangeCount,
      language: language
    ) { Interruption.isAskedFor }
    if json.json {
      try console.write(answers: QuestionAnswerer(store).answer(ranked).exchanges)
    } else {
      let naming: PrintedText.Naming = try choice.isOfSeveral(in: store) ? .inLines : .none
      let format = PrintedText(
        console.printing(zone: try common.zone(in: shell), naming: naming, partsDays: false))
      var writer = HitWriter(store: store, format: format, console: console, context: 1, showsIDs: ids)
      for exchange in ranked.exchanges { try writer.write(exchange) }
    }
    console.flush()
    for note in ranked.noteTexts { console.note(note) }
    let isFound = !ranked.exchanges.isEmpty
    if !isFound, console.errorsAreTerminal { console.note("no message has a word of the question") }
    return DamageReport.status(isFound ? .done : .nothingFound, after: store, console)
  }
}
