package import Foundation
package import MessageModel
internal import MessagePictures
package import MessageStorage
package import TerminalText

/// The place, the user and the settings of a REPL, which a ``Session`` lends to its reader.
package struct ReplContext: Sendable {
  let store: SynchronousMessageStore
  /// The messages that are open, as one history.
  package internal(set) var timeline: Timeline
  /// Which messages of a person are shown.
  var personExtent = PersonTimeline.Extent.all
  /// The names under which messages are shown.
  let names: NameCache
  /// The name under which messages are written.
  package internal(set) var me: String
  /// Tells the time.
  let now: @Sendable () -> Timestamp
  var clock: WallClock
  /// Which messages are shown; `nil` for all.
  var filter: Filter?
  /// The settings that were made, by name; for the next run.
  var settings: [String: String] = [:]
  /// The manner in which messages are shown to somebody at a terminal.
  package var displayMode = DisplayMode.window
  /// Whether lines that are typed are kept for later runs.
  package var keepsHistory = true
  /// The looks of the window.
  package internal(set) var appearance = Appearance()
  /// The text that is shown as soon as somebody can see it.
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
  /// The way to the clipboard.
  package var clipboard = Clipboard.terminal
  /// Has a link be opened.
  package var openLink: @Sendable (_ address: String, _ isCancelled: () -> Bool) throws -> Void = {
    try LinkOpener.open($0, isCancelled: $1)
  }
  /// The drawer of pictures; `nil` if there is none.
  var drawer: (any PictureDrawer)?
  /// The place of the reader in each conversation.
  package var places = KeptPlaces()
  /// The read positions that are not in the store yet.
  var unwritten = ReadPositions()
  /// The last messages read where those of several conversations are shown, as far as they are known;
  /// ``Message/ID/lowest`` for nothing.
  var readMarks: [Conversation.ID: Message.ID] = [:]
  /// The message of the open conversation that was read last when it was opened; `nil` if none is known.
  var answersReadUpTo: Message.ID?
  /// The place to begin at; `nil` for the newest message.
  var start: ReplCommand.Destination?
  /// The import that the open conversation came with, as far as it is known.
  var origin: Origin?
  /// Whether the open conversation was deleted meanwhile.
  var isDeleted = false
  /// The changes of imported conversations to which somebody has agreed.
  var permitted: Set<Permission> = []
  /// The changes that were made here, the last one last.
  var changes: [Change] = []

  /// The manner in which messages are shown to somebody at a terminal.
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

  /// The import that a conversation came with; of `nil` if it was written here.
  struct Origin: Sendable {
    let conversation: Conversation.ID
    let found: StoredImport?
  }

  /// Creates a context in which a conversation is open.
  ///
  /// - Parameters:
  ///   - me: The name under which messages are written.
  ///   - zone: In which times are read and shown.
  ///   - now: Tells the time.
  package init(
    store: SynchronousMessageStore, conversation: Conversation, me: String, zone: TimeZone,
    now: @escaping @Sendable () -> Timestamp
  ) {
    self.init(store: store, timeline: .conversation(conversation), me: me, zone: zone, now: now)
  }

  /// Creates a context; see ``init(store:conversation:me:zone:now:)``.
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

  /// The colours of what is shown.
  package var palette: Palette { theme.palette(own: ownPalette) }

  /// The zone in which times are read and shown.
  package var zone: TimeZone { clock.zone }

  /// The conversation that is open; `nil` where messages of several are shown.
  package var openConversation: Conversation? { timeline.conversation }
  /// The messages of the timeline, whatever a filter hides of them.
  var wholeSelection: Selection { timeline.selection(personExtent) }
  /// The messages that are shown.
  package var selection: Selection {
    guard let filter else { return wholeSelection }
    switch timeline {
    case .conversation(let conversation): return Selection(conversation.id, where: filter.predicate)
    case .everything, .person: return wholeSelection.narrowed(to: filter.predicate)
    }
  }
  /// The manner in which messages are named.
  var naming: MessageNaming { MessageNaming(cache: names, showsConversations: openConversation == nil) }

  /// Has the session begin at a place that was named on the command line: as `/goto` takes it, or an id without its sign.
  ///
  /// - Parameter isFree: Whether the conversation of a message that is named is opened, whichever is open now.
  /// - Throws: ``UsageError`` if it is no place, or no message has the id; ``StoreError`` if the store cannot be read.
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

  /// Returns a message with what a line of the list shows of it; `nil` if it is not there.
  func message(_ id: Message.ID) throws(StoreError) -> Message? {
    let request = PageRequest(.everything, anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    return try store.page(request).messages.first { $0.id == id }
  }

  static func lines(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
  }
}
