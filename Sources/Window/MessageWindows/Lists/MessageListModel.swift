public import MessageModel
public import Observation

/// A list for views that observe: what it shows, on the main actor.
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
/// Both ends are told: as older messages come the newest ones are let go of, and without `.newer` the reader could not go back.
///
/// It changes at most once a frame, and each property only when it is another: a view that shows messages is not drawn
/// again because older ones are being read. It lets go of the list when nobody holds it any more.
@MainActor @Observable
public final class MessageListModel {
  /// The messages held, oldest first.
  public private(set) var messages: [Message] = []
  /// The place of the messages in their selection.
  public private(set) var header: WindowHeader
  /// The states of loading beyond the ends of what is local; see ``EdgeLoader``.
  public private(set) var edges = EdgeStates()
  /// The reason why the view thawed by itself since it was last frozen, or `nil`.
  public private(set) var thawed: ThawReason?
  /// All rows of the selection, those that are not loaded as placeholders.
  public var rows: MessageRows { MessageRows(messages, header) }

  /// The list that is shown, for all that can be done with one.
  @ObservationIgnored public nonisolated let list: MessageList
  /// Called with each snapshot after it was taken in, for views that are told of changes by index.
  @ObservationIgnored public var onSnapshot: (@MainActor (MessageList.Snapshot) -> Void)?
  @ObservationIgnored private var viewing: Task<Void, Never>?

  /// Creates a model of a list.
  ///
  /// - Parameters:
  ///   - list: The list to show.
  ///   - interval: The least time between two changes: that of a frame.
  ///   - clock: By which it is told.
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

  /// Creates a model of a new list, and has it go to where reading starts.
  ///
  /// - Parameters:
  ///   - selection: The messages to show.
  ///   - source: Where to read them. One that answers at once is given as an ``AwaitedSource``.
  ///   - anchor: Where to start.
  ///   - limits: The most to hold, and the sizes of pages.
  ///   - edgeLoader: Loads from elsewhere what lies beyond the ends of the source; `nil` if there is nothing.
  ///   - interval: The least time between two changes: that of a frame.
  ///   - clock: By which it is told.
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

  /// Has the list carry out a command; what it brings about is seen here.
  public nonisolated func send(_ command: MessageWindow.Command) { list.send(command) }

  private func take(_ snapshot: MessageList.Snapshot) {
    if !IndexChanges(from: messages, to: snapshot.messages).isEmpty { messages = snapshot.messages }
    if header != snapshot.header { header = snapshot.header }
    if edges != snapshot.edges { edges = snapshot.edges }
    if thawed != snapshot.thawed { thawed = snapshot.thawed }
    onSnapshot?(snapshot)
  }
}
