public import MessageModel
public import Observation

/// A list for observing views: its rows and its state on the main actor.
///
/// ```swift
/// @State var model = MessageListModel(Selection(room), in: store, startingWith: store.synchronous)
///
/// ScrollViewReader { view in
///   List(model.rows) { row in
///     ChatRow(row)
///       .onAppear { visible.insert(row.id) }
///       .onDisappear { visible.remove(row.id) }
///   }
///   .onChange(of: visible) { model.readerSees(visible) }
///   .onChange(of: model.landing) { _, landing in
///     if let landing { view.scrollTo(landing.row, anchor: landing.isAtEnd ? .bottom : .top) }
///   }
/// }
/// ```
///
/// Report the rows in view: the list then reads ahead at both ends, releases messages that are far away, and
/// follows new messages while the reader is at the end. A simpler view sends `.scroll` when its first or last
/// row appears.
///
/// It changes at most once a frame, and sets a property only to a different value, so that a view of messages
/// is not drawn again because older ones are being read. Releasing the model releases its list.
@MainActor @Observable
public final class MessageListModel {
  /// The rows of the chat: messages, and lines for days, unread messages, gaps, loading and failures.
  public private(set) var rows: MessageRows
  /// The messages held, oldest first.
  public private(set) var messages: [Message] = []
  /// The position of the messages in their selection.
  public private(set) var header: WindowHeader
  /// The states of loading beyond the ends of the local messages; see ``EdgeLoader``.
  public private(set) var edges = EdgeStates()
  /// Why the view thawed by itself since it was last frozen, if it did.
  public private(set) var thawed: ThawReason?
  /// Where a view must scroll to: after a jump, and with each message that comes while the reader is at the
  /// end.
  public private(set) var landing: Landing?
  /// All rows of the selection, with placeholders for messages that are not loaded.
  public var placeholderRows: PlaceholderRows { PlaceholderRows(messages, header) }

  /// The list itself, for its other methods.
  @ObservationIgnored public nonisolated let list: MessageList
  /// Called after each snapshot was applied, with the changes of ``rows`` by index, for views that need them
  /// (``IndexChanges/batch``, ``IndexChanges/steps``).
  @ObservationIgnored public var onSnapshot: (@MainActor (MessageList.Snapshot, IndexChanges) -> Void)?
  @ObservationIgnored private var viewing: Task<Void, Never>?
  @ObservationIgnored private var latest: MessageList.Snapshot?

  /// A row that a view must scroll to.
  public struct Landing: Hashable, Sendable {
    /// The number of landings before this one, which makes each a new value.
    public let number: Int
    /// The row.
    public let row: MessageRows.Row.ID
    /// Whether the row is the last, to be shown at the bottom, and else at the top.
    public let isAtEnd: Bool
  }

  /// Creates a model of a list.
  ///
  /// - Parameters:
  ///   - list: The list to show.
  ///   - rows: Empty rows, with the grouping and the time zone to use.
  ///   - interval: The least time between two changes, such as a frame.
  ///   - clock: The clock of the interval.
  public init(
    _ list: MessageList, rows: MessageRows = MessageRows(), every interval: Duration = .milliseconds(16),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.list = list
    self.rows = rows
    header = MessageWindow(.everything).header
    let snapshots = list.snapshots(every: interval, clock: clock)
    if let first = snapshots.takeFirst() { take(first) }
    viewing = Task { [weak self] in
      for await snapshot in snapshots {
        guard let self else { return }
        take(snapshot)
      }
    }
  }

  /// Creates a model of a new list, and jumps to an anchor.
  ///
  /// - Parameters:
  ///   - selection: The messages to show.
  ///   - source: Where to read them. A synchronous source is wrapped in an ``AwaitedSource``.
  ///   - first: A source of the same messages from which the first rows are read at once, on the main thread:
  ///     `store.synchronous`. Without one, and after an error, they come later.
  ///   - anchor: Where to start.
  ///   - rows: Empty rows, with the grouping and the time zone to use.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - edgeLoader: Loads messages beyond the ends of the source from a server.
  ///   - interval: The least time between two changes, such as a frame.
  ///   - clock: The clock of the interval.
  public convenience init(
    _ selection: Selection, in source: any MessageSource,
    startingWith first: (any SynchronousMessageSource)? = nil, at anchor: PageAnchor = .newest,
    rows: MessageRows = MessageRows(), limits: WindowLimits = .standard, edgeLoader: EdgeLoader? = nil,
    every interval: Duration = .milliseconds(16),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let empty = MessageWindow(selection, limits: limits)
    let window = first.flatMap { empty.reading($0, at: anchor) }
    let list = MessageList(window ?? empty, in: source, edgeLoader: edgeLoader)
    self.init(list, rows: rows, every: interval, clock: clock)
    list.send(window == nil ? .jump(to: anchor) : .sourceChanged)
  }

  deinit { viewing?.cancel() }

  /// The message below the line of unread messages; see ``MessageRows/firstUnread``.
  public var firstUnread: Message.ID? {
    get { rows.firstUnread }
    set {
      guard newValue != rows.firstUnread else { return }
      rows.firstUnread = newValue
      if let latest { take(latest.withoutChanges) }
    }
  }

  /// Sends the list a command, whose effects are seen here.
  public nonisolated func send(_ command: ListCommand) { list.send(command) }

  /// Reports the rows in view, by index.
  ///
  /// - Parameters:
  ///   - rows: Their indices in ``rows``.
  ///   - rowOffset: How much of the first message in view is hidden above the screen; ``WindowPosition`` and
  ///     ``MessageListScroll`` return it.
  public func readerSees(_ rows: Range<Int>, rowOffset: Int = 0) {
    let seen = self.rows.messageIndices(in: rows)
    guard let first = seen.first, let last = seen.last else { return }
    send(
      .readerMoved(
        first: self.rows.messages[first].id, last: self.rows.messages[last].id, rowOffset: rowOffset,
        seesEnd: rows.upperBound >= self.rows.count || last < self.rows.messages.count - 1))
  }

  /// Reports the rows in view, by identity: what `onScrollTargetVisibilityChange` of SwiftUI passes.
  ///
  /// - Complexity: O(*rows*).
  public func readerSees(_ rows: some Sequence<MessageRows.Row.ID>) {
    let visible = Set(rows)
    guard let first = self.rows.firstIndex(where: { visible.contains($0.id) }),
      let last = self.rows.lastIndex(where: { visible.contains($0.id) })
    else { return }
    readerSees(first..<(last + 1))
  }

  private func take(_ snapshot: MessageList.Snapshot) {
    var rows = self.rows
    let changes = rows.update(with: snapshot)
    if !changes.isEmpty { self.rows = rows }
    if !IndexChanges(from: messages, to: snapshot.messages).isEmpty { messages = snapshot.messages }
    if header != snapshot.header { header = snapshot.header }
    if edges != snapshot.edges { edges = snapshot.edges }
    if thawed != snapshot.thawed { thawed = snapshot.thawed }
    land(snapshot, after: changes)
    latest = snapshot
    onSnapshot?(snapshot, changes)
  }

  /// A reader at the end stays there only if rows have come or gone.
  private func land(_ snapshot: MessageList.Snapshot, after changes: IndexChanges) {
    let number = landing.map { $0.number + 1 } ?? 0
    switch snapshot.scroll {
    case .keep: break
    case .end:
      guard !changes.isEmpty || landing?.isAtEnd != true, let last = rows.last else { return }
      landing = Landing(number: number, row: last.id, isAtEnd: true)
    case .row(let id, _):
      guard let row = rows.index(of: id) else { return }
      landing = Landing(number: number, row: rows[row].id, isAtEnd: false)
    }
  }
}

extension MessageWindow {
  /// A window that has read the messages at an anchor; `nil` if that failed.
  fileprivate func reading(_ source: any SynchronousMessageSource, at anchor: PageAnchor) -> MessageWindow? {
    var window = self
    do throws(StoreError) {
      // The second page, if the anchor is in a gap.
      try window.perform(.jump(to: anchor), in: source, mostReads: 2)
      return window
    } catch {
      return nil
    }
  }
}
