public import Foundation
public import MessageModel
internal import MessageStorage

/// Asks which calls of assistants last changed lines of a file or, without lines, which sessions changed the file.
public struct FileChangesQuestion: HistoryQuestion, ListQuestion {
  /// Its word in JSON.
  public static let word = "fileChanges"

  /// The path; of a relative one, folders above it may be missing.
  public var file: String
  /// The texts of neighbouring lines as they are now; `nil` for the whole file.
  public var lines: [String]?
  /// The number of the first of these lines; `nil` for 1.
  public var firstLine: Int?
  /// A typed query for sessions (docs/sessions.md); `nil` for all sessions and the agents in them.
  public var words: String?
  /// The message before which to begin; `nil` for the newest end.
  public var before: Message.ID?
  /// The most changes; `nil` for the usual limit.
  public var limit: Int?
  /// The time zone of times without one; `nil` for UTC.
  public var timeZone: String?

  /// Creates a question.
  public init(
    file: String, lines: [String]? = nil, firstLine: Int? = nil, words: String? = nil,
    before: Message.ID? = nil, limit: Int? = nil, timeZone: String? = nil
  ) {
    (self.file, self.lines, self.firstLine, self.words) = (file, lines, firstLine, words)
    (self.before, self.limit, self.timeZone) = (before, limit, timeZone)
  }
}

extension FileChangesQuestion {
  /// Returns the changes.
  public func answer(by queries: QuestionAnswerer) throws(StoreError) -> FileChangesAnswer {
    try queries.fileChanges(
      to: file, lines: lines ?? [], firstLine: firstLine ?? 1, matching: words, before: before,
      limit: QuestionAnswerer.limit(limit), timeZone: QuestionAnswerer.zone(timeZone),
      isCancelled: queries.isCancelled)
  }

  package static var isServed: Bool { false }
  package var isSearch: Bool { true }
}

/// Changes of a file by assistants, newest first.
public struct FileChangesAnswer: HistoryAnswer, ServedAnswer {
  /// The changes.
  public var changes: [FileChangeAnswer]
  /// The message before which to continue; `nil` at the end.
  public var next: Message.ID?

  package var count: Int { changes.count }
  package var continuations: [Continuation] { [Continuation](next: next.map { .beforeMessage($0) }) }
  package var shortened: FileChangesAnswer {
    var short = self
    for index in changes.indices { short.changes[index].change = nil }
    return short
  }
}

/// A call that changed a file.
public struct FileChangeAnswer: Codable, Hashable, Sendable {
  /// How it was found.
  public enum Match: String, Codable, Hashable, Sendable {
    /// It wrote lines with the text of those asked for.
    case text
    /// It changed the file: no call is known to have written the lines, or none were asked for.
    case file
  }

  /// The name of its conversation.
  public var conversation: String
  /// The program, by the platform of its sessions as `import --format` names it; `nil` if unknown.
  public var program: String?
  /// The id of the session in the program; `nil` if unknown.
  public var session: String?
  /// The path of the session's working folder; `nil` if unknown.
  public var project: String?
  /// The title of the session; `nil` if unknown.
  public var title: String?
  /// The id of the call.
  public var id: Message.ID
  /// The time of the call.
  public var time: Timestamp
  /// The precision of the time; `nil` for milliseconds.
  public var precision: TimePrecision?
  /// The name of the tool.
  public var tool: String
  /// The path in the call.
  public var file: String
  /// How it was found.
  public var found: Match
  /// The numbers of the lines that it wrote; `nil` unless it was found by them.
  public var lines: [Int]?
  /// The beginning of the change, a line each, with `+`, `-` or a space before it; `nil` if the call does not
  /// contain it.
  public var change: String?

  fileprivate init(
    _ change: FoundChange, _ found: Match, in conversation: String, _ place: SessionPlaces.Place
  ) {
    self.conversation = conversation
    (program, session, project, title) = (place.program, place.session, place.project, place.title)
    let message = change.record.message
    id = message.id
    time = message.time
    precision = message.precision.unlessMillisecond
    tool = SessionSteps.tool(called: message)
    file = change.edit.path
    self.found = found
  }
}

private struct FoundChange {
  var record: MessageRecord
  var edit: FileEdit
  /// The indices of the lines that it wrote last.
  var written: Set<Int>
}

/// Collects the calls that changed a file from messages, newest first.
private struct FileChangeSearch {
  let path: WantedPath
  let lines: [String]
  let limit: Int
  let store: SynchronousMessageStore
  private(set) var byText: [FoundChange] = []
  /// The newest change of each session.
  private(set) var byFile: [FoundChange] = []
  private(set) var hasMoreSessions = false
  private var written: Set<Int> = []
  private var seen: Set<Conversation.ID> = []
  private var folders: [Conversation.ID: String?] = [:]

  init(_ path: WantedPath, _ lines: [String], limit: Int, in store: SynchronousMessageStore) {
    (self.path, self.lines, self.limit, self.store) = (path, lines, limit, store)
  }

  var hasAllLines: Bool { !lines.isEmpty && written.count == lines.count }

  /// Returns whether to continue.
  mutating func take(_ record: MessageRecord) throws(StoreError) -> Bool {
    let message = record.message
    let folder = folder(of: message.conversation)
    let edits = EditCall(message.text).edits.filter { path.isMeant(by: $0.path, in: folder) }
    guard let first = edits.first else { return true }
    var edit = FileEdit(first.path, hunks: edits.flatMap(\.hunks))
    let isOfNewSession = !seen.contains(message.conversation)
    let mayWrite = edit.hunks.isEmpty ? !lines.isEmpty : !newlyWritten(by: edit).isEmpty
    guard isOfNewSession || mayWrite else { return true }
    if let result = try SessionSteps(store: store).result(of: message) {
      if SessionSteps.isWithoutEffect(result) { return true }
      edit = edit.completed(by: try store.text(of: result.id) ?? result.text)
    }
    let news = newlyWritten(by: edit)
    guard isOfNewSession || !news.isEmpty else { return true }
    if isOfNewSession {
      seen.insert(message.conversation)
      hasMoreSessions = byFile.count == limit
      if !hasMoreSessions { byFile.append(FoundChange(record: record, edit: edit, written: [])) }
    }
    if !news.isEmpty {
      written.formUnion(news)
      byText.append(FoundChange(record: record, edit: edit, written: news))
    }
    return lines.isEmpty ? byFile.count < limit : !hasAllLines && byText.count < limit
  }

  private func newlyWritten(by edit: FileEdit) -> Set<Int> { edit.written(of: lines).subtracting(written) }

  private mutating func folder(of conversation: Conversation.ID) -> String? {
    if let known = folders[conversation] { return known }
    // A redacted history shows none here: then the ends of paths are compared.
    let folder = (try? store.sessionNotes(of: CollectionOfOne(conversation)))?[conversation]?.folder
    folders[conversation] = .some(folder)
    return folder
  }
}

extension QuestionAnswerer {
  /// Returns the calls of assistants that last wrote lines with the texts of some lines, newest first. If none is
  /// known, or without lines, returns the newest change of the file in each session.
  ///
  /// A failed call changes nothing, and neither does a line that an edit has in its old text, too.
  ///
  /// - Parameters:
  ///   - file: The path; of a relative one, folders above it may be missing.
  ///   - lines: The texts of neighbouring lines as they are now.
  ///   - firstLine: The number of the first of them.
  ///   - query: A typed query for sessions (docs/sessions.md); `nil` for all, and the agents in them.
  ///   - id: The message before which to begin; `nil` for the newest end.
  ///   - limit: The most changes.
  ///   - zone: The time zone of times without one.
  ///   - isCancelled: Called between pages.
  /// - Complexity: O(calls that contain the file's name, back to those returned), at most some thousand in one
  ///   answer, whatever the size of the store.
  public func fileChanges(
    to file: String, lines: [String] = [], firstLine: Int = 1, matching query: String? = nil,
    before id: Message.ID? = nil, limit: Int = QuestionAnswerer.usualLimit, timeZone zone: TimeZone = .gmt,
    isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
  ) throws(StoreError) -> FileChangesAnswer {
    guard let path = WantedPath(file), let words = Self.phrase(path.name) else {
      throw StoreError(
        .invalidRequest, "cannot look for the file '\(VisibleText.of(file))'",
        cause: "there is no letter or digit in its name")
    }
    guard limit > 0 else { return FileChangesAnswer(changes: []) }
    let selection = try selection(
      ofSessions: query, where: .and([.kind([.tool]), .matching(words)]), zone: zone)
    var search = FileChangeSearch(path, lines, limit: limit, in: store)
    var scan = SessionScan(store, isCancelled: isCancelled)
    var next = try scan.run(selection, before: id) { (record) throws(StoreError) in try search.take(record) }
    if search.hasAllLines { next = nil }
    if !search.byText.isEmpty {
      return try answer(search.byText, .text, lines, firstLine, next: next)
    }
    if !lines.isEmpty, search.hasMoreSessions { next = search.byFile.last?.record.message.id }
    return try answer(search.byFile, .file, lines, firstLine, next: next)
  }

  private func answer(
    _ changes: [FoundChange], _ found: FileChangeAnswer.Match, _ lines: [String], _ firstLine: Int,
    next: Message.ID?
  ) throws(StoreError) -> FileChangesAnswer {
    let places = try SessionPlaces(changes.map(\.record), in: store)
    var names = ConversationNames(store)
    var answer = FileChangesAnswer(changes: [], next: next)
    for change in changes {
      let conversation = change.record.message.conversation
      var shown = FileChangeAnswer(
        change, found, in: try names.name(of: conversation), places[conversation])
      let written = change.written.sorted()
      shown.lines = written.isEmpty ? nil : written.map { $0.adding(firstLine) }
      shown.change = change.edit.shown(around: written.map { lines[$0] })
      answer.changes.append(shown)
    }
    return answer
  }

  /// Returns the words of a text as a phrase for a search; `nil` if there are none.
  static func phrase(_ text: String) -> String? {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    return words.isEmpty ? nil : "\"\(words.joined(separator: " "))\""
  }

  /// Returns messages of the sessions that a query finds; without one, of all conversations.
  func selection(
    ofSessions query: String?, where predicate: MessagePredicate, zone: TimeZone
  ) throws(StoreError) -> Selection {
    guard let query, let read = try MessageQuery(reading: query) else {
      return Selection(.all, where: predicate)
    }
    var compiler = QueryCompiler(store, now: now(), clock: WallClock(zone: zone))
    let sessions = try compiler.sessions(read)
    return Selection(.some(try store.sessionIDs(where: sessions)), where: predicate)
  }
}
