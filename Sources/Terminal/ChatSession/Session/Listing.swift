internal import HistoryQueries
internal import MessageModel
internal import TerminalText

/// Lines that are shown in place of messages, or printed: help, lists, a message whole.
package struct Listing: Hashable, Sendable {
  /// The thing that a line without a slash chooses in a listing.
  enum Choice: Hashable {
    case nothing, place, conversation, mark, thread, exchange, session, command

    /// Whether what is listed is in the store, and may change there.
    var isOfStore: Bool {
      switch self {
      case .place, .conversation, .mark, .thread, .exchange, .session: true
      case .nothing, .command: false
      }
    }

    /// The way to choose, in a few words.
    var hint: String? {
      switch self {
      case .nothing: nil
      case .place: "↑ ↓ or a date goes there"
      case .conversation: "↑ ↓ or a name opens it"
      case .mark: "↑ ↓ or a name goes there"
      case .thread: "↑ ↓ or words of one go there"
      case .exchange: "↑ ↓ and Enter go there"
      case .session: "↑ ↓ or words of one open it"
      case .command: "type a word to search"
      }
    }
  }

  var lines: [String]
  var choice = Choice.nothing
  /// The command by which it is made again when the store has changed; `nil` if it stays as it is.
  var command: ReplCommand?
  /// The names by which lines are chosen; none where nothing is chosen.
  var names: [String] = []
  /// The number of lines that make a screen alone: the others are shown once something is typed. 0 if all are shown.
  var screenCount = 0
  /// The text that was typed to narrow it.
  private(set) var typed = ""
  /// The place of the chosen line among those shown; `nil` as long as no key has chosen one.
  private(set) var chosen: Int?
  /// Whether the last of the lines are seen first.
  var showsEnd = false
  /// Whether a single line is but a notice.
  var isBrief = false
  /// The styles of lines that are not shown as others are, by their places.
  var styles: [Int: Style] = [:]
  /// The message whose pictures follow.
  var pictures: Message.ID?

  /// Whether a line only puts a listing away: what one types to leave a pager.
  private static func closes(_ words: some StringProtocol) -> Bool {
    ["", "q", ":q", "quit", "exit"].contains(words.lowercased())
  }

  /// The error that says that a line names nothing here.
  private static func noChoice(_ words: some StringProtocol, _ remedy: Remedy) -> UsageError {
    UsageError(
      "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this list (nothing was sent)",
      remedy: remedy)
  }

  /// Returns what a line chooses; `nil` if it puts the listing away.
  ///
  /// - Throws: ``UsageError`` if it names nothing: it is not written, either.
  func command(choosing line: String) throws -> ReplCommand? {
    let words = line.trimming(while: \.isWhitespace)
    if words.isEmpty, let name = chosenName { return command(naming: name) }
    if Self.closes(words) { return nil }
    guard choice != .nothing else { throw Self.noChoice(words, "q, then the message") }
    if names.contains(String(words)) { return command(naming: String(words)) }
    // In a list of dates a number is a year, not that of a message.
    if choice == .place, let place = TimeExpression(words).map(ReplCommand.Destination.time) {
      return .goto(place)
    }
    if words == typed, let name = chosenName { return command(naming: name) }
    if choice == .command {
      guard (try? HelpText.lines(about: String(words))) != nil else {
        throw Self.noChoice(words, "q, then the message")
      }
      return .help(String(words))
    }
    let shown = isChoice ? lines(naming: words) : []
    if shown.count == 1 { return command(naming: names[shown[0]]) }
    if shown.count > 1 {
      let some = shown.prefix(3).map { SafeText.oneLine(names[$0]).cut(columns: 24) }.joined(separator: ", ")
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' fits several names here (nothing was sent)",
        remedy: "↑ ↓, or more of a name: \(some)\(shown.count > 3 ? ", …" : "")")
    }
    switch choice {
    case .nothing, .command: return nil
    case .place:
      if let place = CommandArguments.destination(words) { return .goto(place) }
      let dates = TimeExpression.dates(perhapsMeantBy: words)
      throw Self.noChoice(
        words, dates.isEmpty ? "a date like 2024-05-01, or q" : .words(dates.joined(separator: " or ")))
    // What is not there is said with the nearest name.
    case .exchange: throw Self.noChoice(words, "↑ ↓ and Enter, or q")
    case .conversation, .mark: return command(naming: String(words))
    case .thread: throw Self.noChoice(words, "↑ ↓, or words of a thread")
    case .session: throw Self.noChoice(words, "↑ ↓, or words of a session")
    }
  }

  /// The beginning of the name of the line that goes on with older threads.
  static let olderThreads = "older"

  /// The command that goes to a thread by its id, which its name begins with, or on with older ones.
  private static func thread(named name: String) -> ReplCommand? {
    let words = name.split(separator: " ")
    let isOlder = words.first.map(String.init) == olderThreads
    guard let id = words.dropFirst(isOlder ? 1 : 0).first.flatMap({ Message.ID(String($0.dropFirst())) })
    else {
      return nil
    }
    return isOlder ? .threads(before: id) : .goto(.message(id))
  }

  /// The command that opens a session by the id of its newest message, which its name begins with, or goes on with older ones.
  private static func session(named name: String) -> ReplCommand? {
    let words = name.split(separator: " ", maxSplits: 2)
    let isOlder = words.first.map(String.init) == olderThreads
    guard let id = words.dropFirst(isOlder ? 1 : 0).first.flatMap({ Message.ID(String($0.dropFirst())) })
    else {
      return nil
    }
    if isOlder { return .sessions(words.count > 2 ? String(words[2]) : "", before: id) }
    return .open(.message(id))
  }

  /// The command that goes to what a name stands for.
  private func command(naming name: String) -> ReplCommand? {
    switch choice {
    case .nothing: nil
    case .exchange: Self.place(named: name).map { .exchange($0) }
    case .place: TimeExpression(name[...]).map { .goto(.time($0)) }
    case .conversation: .open(.conversation(name))
    case .mark: .goto(.mark(name.hasPrefix("'") ? String(name.dropFirst()) : name))
    case .thread: Self.thread(named: name)
    case .session: Self.session(named: name)
    case .command: name.isEmpty ? nil : .help(String(name.dropFirst().prefix { $0 != " " }))
    }
  }
}

extension Listing {
  /// The name of a message in a list of exchanges: the text that narrows the list, and behind it the id.
  static func name(of id: Message.ID, _ text: String) -> String { "\(text) #\(id)" }

  private static func place(named name: String) -> Message.ID? {
    name.split(separator: "#").last.flatMap { Message.ID(String($0)) }
  }
}

// MARK: Choosing

extension Listing {
  /// Whether keys choose in it, and what is typed narrows it.
  var isChoice: Bool { choice != .nothing && names.count == lines.count && !names.isEmpty }

  /// Whether keys choose in it now: on a screen that stands alone they move that.
  var isChoosing: Bool { isChoice && (screenCount == 0 || !typed.isEmpty) }

  /// The places of the lines that have what was typed in their names.
  ///
  /// - Complexity: O(letters of all names).
  var shown: [Int] {
    isChoice && !typed.isEmpty ? lines(naming: typed) : Array(lines.indices.prefix(linesAlone.count))
  }

  /// The lines that are shown as long as nothing is typed.
  var linesAlone: ArraySlice<String> { screenCount > 0 ? lines.prefix(screenCount) : lines[...] }

  private func lines(naming words: some StringProtocol) -> [Int] {
    let wanted = words.lowercased()
    return lines.indices.filter { names[$0].lowercased().contains(wanted) }
  }

  /// The name of the chosen line; `nil` if none is chosen.
  var chosenName: String? {
    guard let chosen else { return nil }
    let shown = shown
    return shown.indices.contains(chosen) ? names[shown[chosen]] : nil
  }

  /// Chooses another line, so many on; the first time the one that is seen first.
  mutating func choose(_ count: Int) {
    let last = shown.count - 1
    guard isChoosing, last >= 0 else { return }
    chosen = chosen.map { min(max(0, $0.adding(count)), last) } ?? (showsEnd ? last : 0)
  }

  /// Chooses the line of a name, if keys choose here and it is shown.
  mutating func choose(named name: String?) {
    guard isChoosing, let name, let place = shown.firstIndex(where: { names[$0] == name }) else { return }
    chosen = place
  }

  /// Takes over the lines that its command makes by now. The chosen one stays chosen, or the next one if it is gone.
  mutating func renew(with other: Listing) {
    let (name, place) = (chosenName, chosen)
    var new = other
    new.typed = typed
    if let place, !new.shown.isEmpty { new.chosen = min(place, new.shown.count - 1) }
    new.choose(named: name)
    self = new
  }

  /// Shows only the lines that have this in their names; all for nothing, and for what begins with a slash.
  mutating func narrow(by line: String) {
    let words = line.hasPrefix("/") ? "" : String(line.trimming(while: \.isWhitespace))
    guard words != typed else { return }
    (typed, chosen) = (words, nil)
  }
}
