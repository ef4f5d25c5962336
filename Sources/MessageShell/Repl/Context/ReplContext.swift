package import Foundation
internal import HistoryQueries
package import MessageModel
internal import MessagePictures
package import MessageStorage
package import TerminalText

/// Where a REPL is and as whom, apart from who reads: what a ``Session`` lends to its reader.
package struct ReplContext: Sendable {
  let store: SynchronousMessageStore
  /// The conversation that is open.
  package internal(set) var conversation: Conversation
  /// The name under which messages are written.
  package internal(set) var me: String
  /// Tells the time.
  let now: @Sendable () -> Timestamp
  var clock: WallClock
  /// Which messages are shown; `nil` for all.
  var filter: Filter?
  /// What was set, by name; for the next run.
  var settings: [String: String] = [:]
  /// How messages are shown to somebody at a terminal.
  package var displayMode = DisplayMode.window
  /// Whether lines that are typed are kept for later runs.
  package var keepsHistory = true
  /// The looks of the window.
  package internal(set) var appearance = Appearance()
  /// What is told as soon as somebody can see it.
  package var greeting: String?
  /// Whether pictures are drawn, where somebody can.
  var showsPictures = false
  /// The ground that colours are to be read on.
  var theme = Theme.auto
  /// The colours of a terminal that tells its ground by itself.
  package var ownPalette = Palette.dark
  /// Whether the date stays at the top of the screen.
  var showsTopDate = true
  /// Whether a bar shows which part of the history is in view.
  var showsScrollBar = true
  /// Has a link be opened.
  package var openLink: @Sendable (_ address: String, _ isCancelled: () -> Bool) throws -> Void = {
    try LinkOpener.open($0, isCancelled: $1)
  }
  /// Who draws pictures; `nil` if nobody can.
  var drawer: (any PictureDrawer)?
  /// Where the reader was in each conversation.
  package var places = KeptPlaces()
  /// How far was read, as long as that is not in the store.
  var unwritten = ReadPositions()
  /// The place to begin at; `nil` for the newest message.
  var start: ReplCommand.Destination?
  /// The imported conversations that may be written to: somebody has agreed.
  var permitted: Set<Conversation.ID> = []
  /// What was changed here, the last change last.
  var changes: [Change] = []

  /// How messages are shown to somebody at a terminal.
  package enum DisplayMode: String, Hashable, Sendable, CaseIterable {
    /// In a window over the whole screen.
    case window
    /// As rows that stay in the scrollback of the terminal.
    case inline
    /// As lines without any style: for those who have the screen read aloud, and for terminals that know no more.
    case plain
  }

  /// A filter as it was typed, and what it means.
  struct Filter: Hashable, Sendable {
    /// Safe to be shown.
    var words: String
    var predicate: MessagePredicate
  }

  /// Creates a context.
  ///
  /// - Parameters:
  ///   - me: The name under which messages are written.
  ///   - zone: In which times are read and shown.
  ///   - now: Tells the time.
  package init(
    store: SynchronousMessageStore, conversation: Conversation, me: String, zone: TimeZone,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.conversation = conversation
    self.me = me
    self.now = now
    clock = WallClock(zone: zone)
  }

  /// The colours of what is shown.
  package var palette: Palette { theme.palette(own: ownPalette) }

  /// The zone in which times are read and shown.
  package var zone: TimeZone { clock.zone }

  /// The messages that are shown.
  var selection: Selection { Selection(conversation.id, where: filter?.predicate ?? .everything) }

  /// Returns the anchor of a place that was asked for.
  ///
  /// - Parameter view: What is in view.
  /// - Returns: `nil` if nothing lies where a step goes.
  mutating func anchor(for destination: ReplCommand.Destination, from view: InView?) throws -> PageAnchor? {
    switch destination {
    case .mark(let name): .around(try open(mark: name).message)
    case .time(let expression): try anchor(for: expression, from: view)
    case .number(let number): .ordinal(number - 1)
    case .percent(let percent): .percent(percent)
    case .message(let id): .around(id)
    case .unread: .firstUnread
    case .oldest: .oldest
    case .newest: .newest
    }
  }

  /// Returns what to tell somebody who asked for a place and got another; `nil` if they got what they asked for.
  func remark(on destination: ReplCommand.Destination, _ resolution: Page.Resolution) -> String? {
    switch resolution.match {
    case .nothing: return "there are no messages here"
    case .clamped:
      return ["there are not so many messages: this is the last one", yearMeant(by: destination)]
        .compactMap { $0 }.joined(separator: "; ")
    case .nearestOlder, .nearestNewer:
      switch destination {
      case .message(let id): return "message #\(id) is not here: this is its neighbour"
      case .mark: return "the message marked is not here: this is its neighbour"
      default: return nil
      }
    case .exact: return nil
    }
  }

  /// Opens another conversation.
  mutating func open(_ name: String) throws {
    guard let found = try store.conversation(named: name) else {
      let names = try store.conversationNames()
      let near = Nearest.name(to: name, among: names)
      throw UsageError(
        "no conversation '\(SafeText.oneLine(name))'",
        cause: near.map { "did you mean '\(SafeText.oneLine($0))'?" },
        remedy: near == nil ? "/conversations" : nil, status: .nothingFound)
    }
    enter(found)
  }

  /// Has the session begin at a place that was named on the command line: as `/goto` takes it, or an id without its sign.
  ///
  /// - Parameter isFree: Whether the conversation of a message that is named is opened, whichever is open now.
  /// - Throws: ``UsageError`` if it is no place, or no message has the id; ``StoreError`` if the store cannot be read.
  package mutating func begin(at place: String, isFree: Bool) throws {
    let id = Message.ID(place.hasPrefix("#") ? String(place.dropFirst()) : place)
    if let id, let message = try message(id) {
      if isFree, message.conversation != conversation.id,
        let other = try store.conversation(message.conversation)
      {
        enter(other)
      }
      start = .message(id)
      return
    }
    guard let destination = CommandArguments.destination(place[...]) else {
      throw UsageError(
        "'\(SafeText.oneLine(place).cut(columns: 40))' is no place",
        remedy: "--goto with a date, a number, 50% or #ID")
    }
    if case .message(let id) = destination { throw noMessage(id) }
    start = destination
  }

  /// Has another conversation open, all of it.
  mutating func enter(_ other: Conversation) {
    conversation = other
    if let id = unwritten[other.id] { conversation.readUpTo = max(id, other.readUpTo ?? id) }
    filter = nil
  }

  // MARK: Lists

  /// All conversations to choose from, in so many columns.
  func conversationListing(columns: Int) throws(StoreError) -> Listing {
    let all = try store.conversations().map { conversation in
      var conversation = conversation
      conversation.readUpTo = unwritten[conversation.id] ?? conversation.readUpTo
      return conversation
    }
    let unread = try store.unreadCounts(of: all)
    let newest = try store.newestMessages(of: all, ConversationAnswer.Newest.init)
    let answers = zip(all, unread).map { ConversationAnswer($0, unread: $1, newest: newest[$0.id]) }
    let lines = Self.lines(ConversationTable(timeZone: zone).overview(of: answers, columns: columns))
    return Listing(lines: lines, choice: .conversation, names: all.map(\.name))
  }

  /// The name of the conversation, safe to be shown.
  var shownName: String { "'\(SafeText.oneLine(conversation.name).cut(columns: 40))'" }

  /// Counts and sizes.
  func figureLines() throws -> [String] {
    Self.lines(StatisticsTable.text(of: try HistoryQueries(store).statistics()))
  }

  /// A message whole, with all that is known of it.
  ///
  /// - Parameter withEarlierTexts: Whether the texts that it had before are shown, too.
  mutating func details(of id: Message.ID, withEarlierTexts: Bool) throws -> [String] {
    guard let message = try message(id) else { throw noMessage(id) }
    let civil = message.precision == .day ? message.time.utc : clock.civil(at: message.time)
    var lines = [
      "#\(id) · \(DateText.dateAndTime(civil, precision: message.precision)) · \(message.kind.name)"
    ]
    if let sender = message.sender { lines[0] += " · " + SafeText.oneLine(sender.name) }
    if message.isEdited { lines[0] += " · edited" }
    if let reply = message.replyTo { lines.append("answers #\(reply)") }
    lines += Self.lines(ofText: try store.text(of: id) ?? message.text)
    if message.isEdited, withEarlierTexts { lines += try earlierLines(of: id) }
    for attachment in message.attachments {
      lines.append("[file] \(AttachmentText.text(of: attachment))")
    }
    for reaction in message.reactions {
      let names = reaction.senders.map { SafeText.oneLine($0) }.joined(separator: ", ")
      lines.append("\(SafeText.oneLine(reaction.emoji)) \(names)")
    }
    return lines
  }

  /// The texts that a message had before, the last one first, each under when it was changed.
  private mutating func earlierLines(of id: Message.ID) throws(StoreError) -> [String] {
    var lines: [String] = []
    for edit in try store.edits(of: id).suffix(Self.mostEarlierTexts).reversed() {
      lines.append("until \(DateText.dateAndTime(clock.civil(at: edit.time), precision: .second))")
      lines += Self.lines(ofText: edit.text).map { "  " + $0 }
    }
    return lines
  }

  private static let mostEarlierTexts = 100

  /// Returns a message with what a line of the list shows of it; `nil` if it is not there.
  func message(_ id: Message.ID) throws(StoreError) -> Message? {
    let request = PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first { $0.id == id }
  }

  /// The most bytes of a text that are shown at once.
  private static let mostShownBytes = 1 << 20

  /// The lines of a text; the end of one that would fill thousands of screens is left out.
  private static func lines(ofText text: String) -> [String] {
    guard text.utf8.count > mostShownBytes else { return SafeText.lines(of: text) }
    let end = text.utf8.index(text.startIndex, offsetBy: mostShownBytes)
    let shown = text[..<(end.samePosition(in: text) ?? text.index(before: end))]
    let rest = NumberText.bytes(text.utf8.count - shown.utf8.count)
    return SafeText.lines(of: shown) + ["… \(rest) more: /export has all of it"]
  }

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
