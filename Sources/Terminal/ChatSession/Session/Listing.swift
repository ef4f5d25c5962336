internal import HistoryQueries
internal import MessageModel
internal import MessageWindows
internal import TerminalText

/// Lines shown in place of messages, or printed: help, lists, a whole message.
package struct Listing: Hashable, Sendable {
  enum Choice: Hashable {
    case nothing, place, conversation, mark, thread, exchange, session, command

    var isOfStore: Bool {
      switch self {
      case .place, .conversation, .mark, .thread, .exchange, .session: true
      case .nothing, .command: false
      }
    }

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
  /// The command that renews it when the store changes; `nil` if it is static.
  var command: ReplCommand?
  /// Names to choose lines by; empty if there is no choice.
  var names: [String] = []
  /// The number of lines on the first screen; typing searches the others, too. 0 if all are shown.
  var screenCount = 0
  private(set) var typed = ""
  /// The chosen line's place among those shown; `nil` until a key chooses one.
  private(set) var chosen: Int?
  var showsEnd = false
  /// Whether a single line may be a notice.
  var isBrief = false
  var styles: [Int: Style] = [:]
  var pictures: Message.ID?
  /// What to find first in a text: the words of a search.
  var finds: [String] = []

  private static func closes(_ words: some StringProtocol) -> Bool {
    ["", "q", ":q", "quit", "exit"].contains(words.lowercased())
  }

  /// The words to find in a text without choices, `/words` and `?words` as in less; `nil` for a command, and for what
  /// closes the listing.
  func wordsToFind(in line: String) -> (words: String, direction: ScrollDirection)? {
    let words = line.trimming(while: \.isWhitespace)
    guard choice == .nothing, !Self.closes(words) else { return nil }
    if words.hasPrefix("?") { return (String(words.dropFirst()), .older) }
    guard CommandParser.isCommand(line) else { return (String(words), .newer) }
    let name = words.dropFirst().prefix { !$0.isWhitespace }
    let isCommand = CommandTable.aliases[name] != nil || CommandTable.entries.contains { $0.name == name }
    return isCommand ? nil : (String(words.dropFirst()), .newer)
  }

  private static func noChoice(_ words: some StringProtocol, _ remedy: Remedy) -> UsageError {
    UsageError(
      "'\(SafeText.oneLine(words).cut(columns: 24))' is not in this list (not sent)",
      remedy: remedy)
  }

  /// As ``ListCover/command(choosing:)``.
  func command(choosing line: String) throws -> ReplCommand? {
    let words = line.trimming(while: \.isWhitespace)
    if words.isEmpty, let name = chosenName { return command(naming: name) }
    if Self.closes(words) { return nil }
    guard choice != .nothing else { throw Self.noChoice(words, "q, then the message") }
    if names.contains(String(words)) { return command(naming: String(words)) }
    // A number in a list of dates is a year, not a message number.
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
    let shown = isChoice ? lines(meantBy: words) : []
    if shown.count == 1 { return command(naming: names[shown[0]]) }
    if shown.count > 1 {
      let some = shown.prefix(3).map { SafeText.oneLine(names[$0]).cut(columns: 24) }.joined(separator: ", ")
      throw UsageError(
        "'\(SafeText.oneLine(words).cut(columns: 24))' fits several names here (not sent)",
        remedy: "↑ ↓, or more of a name: \(some)\(shown.count > 3 ? ", …" : "")")
    }
    switch choice {
    case .nothing, .command: return nil
    case .place:
      if let place = CommandArguments.destination(words) { return .goto(place) }
      let dates = TimeExpression.dates(perhapsMeantBy: words)
      throw Self.noChoice(
        words, dates.isEmpty ? "a date like 2024-05-01, or q" : .words(dates.joined(separator: " or ")))
    // An unknown name gets a suggestion.
    case .exchange: throw Self.noChoice(words, "↑ ↓ and Enter, or q")
    case .conversation, .mark: return command(naming: String(words))
    case .thread: throw Self.noChoice(words, "↑ ↓, or words of a thread")
    case .session: throw Self.noChoice(words, "↑ ↓, or words of a session")
    }
  }

  static let olderThreads = "older"

  /// A thread's name begins with its id, or with the prefix for older ones.
  private static func thread(named name: String) -> ReplCommand? {
    let words = name.split(separator: " ")
    let isOlder = words.first.map(String.init) == olderThreads
    guard let id = words.dropFirst(isOlder ? 1 : 0).first.flatMap({ Message.ID(String($0.dropFirst())) })
    else {
      return nil
    }
    return isOlder ? .threads(before: id) : .goto(.message(id))
  }

  /// A session's name begins with its newest message's id, or with the prefix for older ones.
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
  /// An exchange's name: the text for narrowing, then the id.
  static func name(of id: Message.ID, _ text: String) -> String { "\(text) #\(id)" }

  private static func place(named name: String) -> Message.ID? {
    name.split(separator: "#").last.flatMap { Message.ID(String($0)) }
  }
}

extension Listing {
  /// Whether keys choose in it, and typing narrows it.
  var isChoice: Bool { choice != .nothing && names.count == lines.count && !names.isEmpty }

  /// Whether keys choose now; on a first screen they scroll.
  var isChoosing: Bool { isChoice && (screenCount == 0 || !typed.isEmpty) }

  /// The places of lines that the typed text names. O(letters of all names).
  var shown: [Int] {
    isChoice && !typed.isEmpty ? lines(naming: typed) : Array(lines.indices.prefix(linesAlone.count))
  }

  var linesAlone: ArraySlice<String> { screenCount > 0 ? lines.prefix(screenCount) : lines[...] }

  /// The places of lines by what is typed: names by letters in order, the best first; texts by their words.
  private func lines(naming words: some StringProtocol) -> [Int] {
    switch choice {
    case .conversation, .mark: return FuzzyName(words).places(among: names)
    case .command:
      let containing = lines(containing: words)
      let named = names.map { String($0.prefix { $0 != " " }) }
      return containing + FuzzyName(words).places(among: named).filter { !containing.contains($0) }
    case .nothing, .place, .thread, .exchange, .session: return lines(containing: words)
    }
  }

  private func lines(containing words: some StringProtocol) -> [Int] {
    let wanted = words.lowercased()
    return lines.indices.filter { names[$0].lowercased().contains(wanted) }
  }

  /// The lines that an entered text means: the only one that contains it, else all that it names.
  private func lines(meantBy words: some StringProtocol) -> [Int] {
    let containing = lines(containing: words)
    return containing.count == 1 ? containing : lines(naming: words)
  }

  var chosenName: String? {
    guard let chosen else { return nil }
    let shown = shown
    return shown.indices.contains(chosen) ? names[shown[chosen]] : nil
  }

  /// Moves the choice; the first time chooses the line seen first.
  mutating func choose(_ count: Int) {
    let last = shown.count - 1
    guard isChoosing, last >= 0 else { return }
    chosen = chosen.map { min(max(0, $0.adding(count)), last) } ?? (showsEnd ? last : 0)
  }

  /// Chooses a line by its place among those shown.
  mutating func choose(place: Int) {
    if isChoosing { chosen = place }
  }

  mutating func choose(named name: String?) {
    guard isChoosing, let name, let place = shown.firstIndex(where: { names[$0] == name }) else { return }
    chosen = place
  }

  /// Replaces the lines. The chosen one stays chosen, or its successor if it is gone.
  mutating func renew(with other: Listing) {
    let (name, place) = (chosenName, chosen)
    var new = other
    new.typed = typed
    if let place, !new.shown.isEmpty { new.chosen = min(place, new.shown.count - 1) }
    new.choose(named: name)
    self = new
  }

  /// Shows lines that the text names; all for a command.
  mutating func narrow(by line: String) {
    let words = line.hasPrefix("/") ? "" : String(line.trimming(while: \.isWhitespace))
    guard words != typed else { return }
    (typed, chosen) = (words, nil)
  }
}
