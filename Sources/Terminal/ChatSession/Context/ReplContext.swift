package import Foundation
internal import HistoryModel
package import MessageModel
internal import MessagePictures
package import MessageStorage
package import TerminalText

/// A REPL's place, user and settings, which a ``Session`` lends to its reader.
package struct ReplContext: Sendable {
  let store: SynchronousMessageStore
  package internal(set) var timeline: Timeline
  var personExtent = PersonTimeline.Extent.all
  let names: NameCache
  package internal(set) var me: String
  let now: @Sendable () -> Timestamp
  var clock: WallClock
  /// `nil` for all messages.
  var filter: Filter?
  var settings: [String: String] = [:]
  package var displayMode = DisplayMode.window
  /// Whether typed lines are saved for later runs.
  package var keepsHistory = true
  package internal(set) var appearance = Appearance()
  /// Shown once the reader can see it.
  package var greeting: String?
  /// Whether pictures are drawn, if there is a drawer.
  var showsPictures = false
  var theme = Theme.auto
  /// The palette for the terminal's reported background.
  package var ownPalette = Palette.dark
  var showsTopDate = true
  var showsScrollBar = true
  package var clipboard = Clipboard.terminal
  package var openLink: @Sendable (_ address: String, _ isCancelled: () -> Bool) throws -> Void = {
    try LinkOpener.open($0, isCancelled: $1)
  }
  var drawer: (any PictureDrawer)?
  package var places = KeptPlaces()
  var unwritten = ReadPositions()
  /// Known read marks where several conversations are shown; ``Message/ID/lowest`` for none.
  var readMarks: [Conversation.ID: Message.ID] = [:]
  /// Where conversations were marked as unread: what is seen of them does not count until they are opened
  /// again.
  var markedUnread: [Conversation.ID: Message.ID] = [:]
  /// The open conversation's read mark when it was opened; `nil` if unknown.
  var answersReadUpTo: Message.ID?
  var start: ReplCommand.Destination?
  var origin: Origin?
  var isDeleted = false
  var permitted: Set<Permission> = []
  var changes: [Change] = []
  /// `nil` for none.
  package var tour: Tour?

  package enum DisplayMode: String, Hashable, Sendable, CaseIterable {
    /// In a window over the whole screen.
    case window
    /// As rows in the terminal's scrollback.
    case inline
    /// As plain lines, for screen readers and simple terminals.
    case plain
  }

  /// Conditions on the messages shown, all of which hold; the last one was added last.
  struct Filter: Hashable, Sendable {
    struct Part: Hashable, Sendable {
      /// As it was typed, safe for display.
      var words: String
      /// In the query language.
      var query: String
      var predicate: MessagePredicate
      var isInverted = false
    }

    var parts: [Part]
  }

  /// A conversation's import; `found` is `nil` if it was written here.
  struct Origin: Sendable {
    let conversation: Conversation.ID
    let found: StoredImport?
  }

  /// - Parameters:
  ///   - me: The sender of written messages.
  ///   - zone: The zone for reading and showing times.
  package init(
    store: SynchronousMessageStore, conversation: Conversation, me: String, zone: TimeZone,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.init(store: store, timeline: .conversation(conversation), me: me, zone: zone, now: now)
  }

  /// See ``init(store:conversation:me:zone:now:)``.
  package init(
    store: SynchronousMessageStore, timeline: Timeline, me: String, zone: TimeZone,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.store = store
    self.timeline = timeline
    names = NameCache(store)
    self.me = me
    self.now = now
    clock = WallClock(zone: zone)
  }

  /// The reader's names: the one to write under, and those of the accounts of the person `me`.
  var ownNames: [String] {
    [me] + names.own().filter { $0 != me }.prefix(Self.mostOwnNames)
  }

  private static let mostOwnNames = 16

  package var palette: Palette { theme.palette(own: ownPalette) }

  package var zone: TimeZone { clock.zone }

  /// `nil` where several conversations are shown.
  package var openConversation: Conversation? { timeline.conversation }
  /// The timeline's messages regardless of the filter.
  var wholeSelection: Selection { timeline.selection(personExtent) }
  package var selection: Selection {
    guard let filter else { return wholeSelection }
    switch timeline {
    case .conversation(let conversation): return Selection(conversation.id, where: filter.predicate)
    case .everything, .person: return wholeSelection.narrowed(to: filter.predicate)
    }
  }
  var naming: MessageNaming { MessageNaming(cache: names, showsConversations: openConversation == nil) }

  /// Sets the place to begin at from the command line: as in `/goto`, or an id without `#`. Throws
  /// ``UsageError`` for an invalid place or an unknown id.
  ///
  /// - Parameter isFree: Whether a message may open its own conversation.
  package mutating func begin(at place: String, isFree: Bool) throws {
    let id = Message.ID(place.hasPrefix("#") ? String(place.dropFirst()) : place)
    if let id, let message = try message(id) {
      if isFree, !wholeSelection.contains(message),
        let other = try store.conversation(message.conversation)
      {
        enter(.conversation(other))
      }
      start = .message(id)
      return
    }
    guard let destination = CommandArguments.destination(place[...]) else {
      throw UsageError(
        "don't know where '\(SafeText.oneLine(place).cut(columns: 40))' is",
        remedy: "--goto with a date, a number, 50% or #ID")
    }
    if case .message(let id) = destination { throw noMessage(id) }
    start = destination
  }

  func message(_ id: Message.ID) throws(StoreError) -> Message? {
    let request = PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first { $0.id == id }
  }

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
