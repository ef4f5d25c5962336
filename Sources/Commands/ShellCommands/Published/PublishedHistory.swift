internal import ChatSession
internal import Foundation
internal import HistoryPublishing
internal import HistoryQueries
internal import MessageModel
internal import MessagePostgres
internal import MessageStorage

struct PublishedHistory: QueryNames {
  let archive: PostgresArchive

  func senderIDs(named name: String) throws(StoreError) -> Set<Sender.ID> {
    Set(try archive.senders(named: name).map(\.id))
  }

  func knownSenders() throws(StoreError) -> [KnownSender] {
    try archive.senders().map { KnownSender(id: $0.id, name: $0.name) }
  }

  func conversationID(named name: String) throws(StoreError) -> Conversation.ID? {
    try archive.conversation(named: name)?.id
  }

  func conversationNames() throws(StoreError) -> [String] {
    try archive.conversationNames().values.sorted()
  }

  func peopleNames() throws(StoreError) -> [String] { [] }

  func predicate(ofPersonNamed name: String) throws(StoreError) -> MessagePredicate {
    throw notPublished("people")
  }

  func threadStart(of id: Message.ID) throws(StoreError) -> Message.ID { try archive.threadStart(of: id) }

  func savedPredicate(named name: String) throws(StoreError) -> MessagePredicate? {
    throw notPublished("saved filters")
  }

  func savedFilterNames() throws(StoreError) -> [String] { [] }

  func sessionIDs(where predicate: SessionPredicate) throws(StoreError) -> Set<Conversation.ID> {
    throw notPublished("sessions of assistants")
  }

  func sessionWords(_ sort: SessionWord.Sort) throws(StoreError) -> [String] {
    throw notPublished("sessions of assistants")
  }

  func senderIDs(onPlatforms externals: [String]) throws(StoreError) -> Set<Sender.ID> {
    throw notPublished("sessions of assistants")
  }

  func unreadConversations() throws(StoreError) -> [UnreadConversation] {
    throw notPublished("unread messages")
  }

  func me() throws(StoreError) -> Set<Sender.ID> { [] }

  private func notPublished(_ what: String) -> StoreError {
    StoreError(
      .invalidRequest, "cannot ask a published archive for \(what)",
      cause: "those stay in the store that it was published from",
      remedy: "the same with --store and that store")
  }

  /// Throws ``UsageError`` for an unknown name (with the nearest one), or if there is not exactly one
  /// conversation for `only`.
  func selection(_ choice: ConversationChoice) throws -> Selection {
    switch choice {
    case .all: return .everything
    case .named(let names): return Selection(.some(Set(try names.map { try conversation(named: $0).id })))
    case .only:
      let all = try conversationNames()
      if all.count == 1 { return Selection(try conversation(named: all[0]).id) }
      let names = all.prefix(5).map { VisibleText.of($0) }.joined(separator: ", ")
      throw UsageError(
        all.isEmpty ? "there are no conversations yet" : "which conversation?",
        cause: all.isEmpty ? nil : "the archive has \(all.count): \(names)\(all.count > 5 ? ", …" : "")",
        remedy: all.isEmpty ? "scrollback publish" : "-c NAME")
    }
  }

  private func conversation(named name: String) throws -> Conversation {
    if let found = try archive.conversation(named: name) { return found }
    let near = Nearest.name(to: name, among: try conversationNames())
    throw UsageError(
      "no conversation '\(VisibleText.of(name))'",
      cause: near.map { "did you mean '\(VisibleText.of($0))'?" },
      remedy: near == nil ? "scrollback conversations" : nil, status: .nothingFound)
  }

  func isOfSeveral(_ selection: Selection, mayGrow: Bool = false) throws -> Bool {
    if case .some(let ids) = selection.conversations { return ids.count > 1 }
    return try mayGrow || archive.conversationNames().count > 1
  }
}

extension CommonOptions {
  /// Opens the archive named in place of a store; `nil` if a file is named.
  func archive(in shell: Shell) throws -> PublishedHistory? {
    guard let address = address(in: shell) else { return nil }
    let archive = try PostgresArchive(PostgresAddress(address))
    try noteRole(of: archive, in: shell)
    return PublishedHistory(archive: archive)
  }

  /// Opens a store file, or an archive as a read-only store.
  func opened(in shell: Shell, readerCount: Int = 1) throws -> SynchronousMessageStore {
    guard let address = address(in: shell) else {
      return try readableStore(in: shell, readerCount: readerCount)
    }
    var options = PostgresOptions()
    options.connectionLimit = readerCount
    let archive = try PostgresArchive(PostgresAddress(address), options: options)
    try noteRole(of: archive, in: shell)
    return try SynchronousMessageStore(reading: PostgresHistory(archive))
  }

  private func noteRole(of archive: PostgresArchive, in shell: Shell) throws {
    let console = console(in: shell)
    if console.errorsAreTerminal, try archive.roleMayWrite() {
      console.note("this role may also change the archive: one that may only read it is enough")
    }
  }

  /// The path of a store file, or the address of an archive.
  func place(in shell: Shell) throws -> String { try address(in: shell) ?? path(in: shell) }

  /// The address of an archive named in place of a store; `nil` if a file is named.
  func address(in shell: Shell) -> String? {
    let place = StoreLocation.path(option: store, environment: shell.environment)
    return PostgresAddress.isAddress(place) ? place : nil
  }

  /// Throws ``UsageError`` if an archive is named, with `otherwise` before the usual remedy.
  func refuseArchive(in shell: Shell, toWrite: Bool, otherwise: String = "") throws {
    guard let address = address(in: shell) else { return }
    let shown = (try PostgresAddress(address)).shown
    if toWrite {
      throw UsageError(
        "cannot write to '\(shown)'", cause: "it is a published archive, which commands only read",
        remedy: .words(
          "\(otherwise)change the store that it comes from, then: scrollback publish '\(shown)'"))
    }
    throw UsageError(
      "this command needs a store in a file, and '\(shown)' is a published archive",
      cause: """
        an archive is read by conversations, export, files, links, mcp, open --view, pictures, query, search, serve, \
        show, stats, tail and threads
        """,
      remedy: "one of these, or --store with a file")
  }

  func predicate(
    _ query: MessageQuery?, in history: PublishedHistory, _ shell: Shell
  ) throws -> MessagePredicate {
    guard let query else { return .everything }
    var compiler = QueryCompiler(
      names: history, now: shell.now(), clock: WallClock(zone: try zone(in: shell)))
    let predicate = try compiler.predicate(query)
    if predicate.asksForWords, try !history.archive.hasWords() {
      throw UsageError(
        "words cannot be searched here", cause: "the store was published with --no-search-index",
        remedy: "--regex, which looks at each text")
    }
    return predicate
  }
}

enum PatientWork {
  /// Retries `body`, with growing pauses, while the server is unreachable; reports it once. Throws all other
  /// errors.
  static func run(_ console: Console, _ body: () throws(StoreError) -> Void) throws(StoreError) {
    var (pause, isSaid) = (firstPause, false)
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.kind == .inputOutput || error.kind == .busy else { throw error }
        if !isSaid { console.note("\(error.summary): \(error.cause ?? "no answer"); trying again") }
        isSaid = true
        Thread.sleep(forTimeInterval: pause)
        pause = min(pause * 2, longestPause)
      }
    }
  }

  /// Seconds before the first retry; each further pause is twice as long.
  private static let firstPause = 0.2
  private static let longestPause = 10.0
}
