public import MessageModel
public import Observation

/// A list for observing views: its state on the main actor.
///
/// ```swift
/// @State var model = MessageListModel(Selection(room), in: store)
///
/// List(model.messages, id: \.identity) { message in
///   MessageRow(message).onAppear {
///     if message.id == model.messages.first?.id { model.send(.scroll(.older)) }
///     if message.id == model.messages.last?.id { model.send(.scroll(.newer)) }
///   }
/// }
/// ```
///
/// Send `.scroll` at both ends: as older messages come, the newest ones are released, and without `.newer`
/// the reader could not go back.
///
/// It changes at most once a frame, and sets a property only to a different value, so that a view of messages
/// is not drawn again because older ones are being read. Releasing the model releases its list.
@MainActor @Observable
public final class MessageListModel {
  /// The messages held, oldest first.
  public private(set) var messages: [Message] = []
  /// The position of the messages in their selection.
  public private(set) var header: WindowHeader
  /// The states of loading beyond the ends of the local messages; see ``EdgeLoader``.
  public private(set) var edges = EdgeStates()
  /// Why the view thawed by itself since it was last frozen, if it did.
  public private(set) var thawed: ThawReason?
  /// All rows of the selection, with placeholders for messages that are not loaded.
  public var rows: MessageRows { MessageRows(messages, header) }

  /// The list itself, for its other methods.
  @ObservationIgnored public nonisolated let list: MessageList
  /// Called after each snapshot was applied, for views that need changes by index.
  @ObservationIgnored public var onSnapshot: (@MainActor (MessageList.Snapshot) -> Void)?
  @ObservationIgnored private var viewing: Task<Void, Never>?

  /// Creates a model of a list.
  ///
  /// - Parameters:
  ///   - list: The list to show.
  ///   - interval: The least time between two changes, such as a frame.
  ///   - clock: The clock of the interval.
  public init(
    _ list: MessageList, every interval: Duration = .milliseconds(16),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.list = list
    header = MessageWindow(.everything).header
    viewing = Task { [weak self] in
      for await snapshot in list.snapshots(every: interval, clock: clock) {
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
  ///   - anchor: Where to start.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - edgeLoader: Loads messages beyond the ends of the source from a server.
  ///   - interval: The least time between two changes, such as a frame.
  ///   - clock: The clock of the interval.
  public convenience init(
    _ selection: Selection, in source: any MessageSource, at anchor: PageAnchor = .newest,
    limits: WindowLimits = .standard, edgeLoader: EdgeLoader? = nil,
    every interval: Duration = .milliseconds(16),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let list = MessageList(selection, in: source, limits: limits, edgeLoader: edgeLoader)
    self.init(list, every: interval, clock: clock)
    list.send(.jump(to: anchor))
  }

  deinit { viewing?.cancel() }

  /// Sends the list a command, whose effects are seen here.
  public nonisolated func send(_ command: MessageWindow.Command) { list.send(command) }

  private func take(_ snapshot: MessageList.Snapshot) {
    if !IndexChanges(from: messages, to: snapshot.messages).isEmpty { messages = snapshot.messages }
    if header != snapshot.header { header = snapshot.header }
    if edges != snapshot.edges { edges = snapshot.edges }
    if thawed != snapshot.thawed { thawed = snapshot.thawed }
    onSnapshot?(snapshot)
  }
}
