public import MessageModel

/// The loading, from a server, of what lies beyond the ends of what is local, and in its gaps.
///
/// ```swift
/// let gapLoader = EdgeLoader(at: []) { request in
///   guard let gap = request.gap else { return .endReached }
///   let answer = try await server.messages(request.edge, of: request.key, limit: request.limit)
///   try await store.fillGap(gap, answer.isLast ? .all : request.part, with: answer.messages)
///   return .loaded
/// }
/// ```
///
/// A source that keeps gaps (`MessageStore.setGap(in:after:before:token:size:)`) knows what is missing, at its ends, too. For one
/// that does not, a loader names the ends at which there may be more:
///
/// ```swift
/// let loader = EdgeLoader(at: [.older]) { request in
///   let answer = try await server.messages(before: request.key, limit: request.limit)
///   try await store.append(answer.messages, to: room)
///   return answer.isLast ? .endReached : .loaded
/// }
/// let list = MessageList(Selection(room), in: store, edgeLoader: loader)
/// ```
///
/// A list calls it when its reader comes near to a gap, from either side, or to an end at which its source has no more. It holds
/// nothing of what lies beyond, so a gap is always at an end of what is shown. The loader writes what it gets
/// into the source; the list reads it from there, so the reader's place is kept as after any other change. Both ends may
/// be loading at once, each once at a time. The state of each is told in ``MessageList/Snapshot/edges``.
///
/// A failed load at a gap is shown again when the reader comes back there. A load is called off (its task is cancelled) when the list shows another selection, is closed, or is told to
/// (``MessageList/cancelEdgeLoads(at:)``). After a failure nothing more is loaded at that end until
/// ``MessageList/retryEdges(_:)`` or ``MessageWindow/Command/retry``.
public struct EdgeLoader: Sendable {
  /// The ends at which there may be more elsewhere though the source says nothing of a gap.
  public let edges: Set<MessageWindow.Direction>
  let load: @Sendable (EdgeRequest) async throws -> EdgeOutcome

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - edges: The ends at which there may be more elsewhere though the source says nothing of a gap; none where it keeps gaps.
  ///   - load: Loads what a request asks for, writes it into the source of the list, and then returns. An ``EdgeError``
  ///     that it throws is told as it is; another error as one of kind `failed`, with the error in it.
  public init(
    at edges: Set<MessageWindow.Direction> = [.older, .newer],
    load: @escaping @Sendable (EdgeRequest) async throws -> EdgeOutcome
  ) {
    self.edges = edges
    self.load = load
  }
}

/// A request to load what lies beyond an end of what is local, or in a gap.
public struct EdgeRequest: Sendable {
  /// The end of what is shown beyond which to load: messages older than ``key``, or newer.
  public let edge: MessageWindow.Direction
  /// The selection that is shown.
  public let selection: Selection
  /// The oldest or the newest message of those that are shown; `nil` if there is none, which is asked at the older
  /// end: the newest messages that the server has are wanted then.
  public let key: Message.ID?
  /// The time when the message of ``key`` was written, by which a server finds what lies beyond it; `nil` if there is none.
  public let time: Timestamp?
  /// The gap to be filled, from the side of ``key``; `nil` at an end where the source says nothing of one.
  public let gap: MessageGap?
  /// The part of the gap that is wanted.
  public var part: MessageGap.Part { edge == .older ? .newest : .oldest }
  /// The number of messages that the list would read next. It may be more or fewer.
  public let limit: Int
  /// The number of requests in a row with the same key before this one: 0 at first. What a load brought may not be in
  /// the selection; a server that pages by a token of its own goes on from there.
  public let attempt: Int
  let report: @Sendable (Double) -> Void

  /// Tells the list how far the loading has come, 0 to 1, to be shown. Only what is greater than before is.
  public func report(progress: Double) { report(progress) }
}

/// The outcome of loading beyond an end.
public enum EdgeOutcome: Hashable, Sendable {
  /// Something was loaded and written, and there may be more.
  case loaded
  /// There is no more beyond this end; what there was has been written. The list does not ask again before
  /// ``MessageList/retryEdges(_:)``. At a gap it counts as ``loaded``: one that is filled is there no more.
  case endReached
}

/// The state of loading beyond an end of what is local, or in a gap; one that is filled is there no more.
public enum EdgeState: Hashable, Sendable {
  /// Nothing is being loaded.
  case idle
  /// Something is being loaded: how much of it, 0 to 1, if the loader has said so.
  case loading(progress: Double?)
  /// Loading failed. Nothing more is loaded at this end until ``MessageList/retryEdges(_:)`` or
  /// ``MessageWindow/Command/retry``.
  case failed(EdgeError)
  /// There is no more beyond this end.
  case endReached
}

/// The states of loading beyond both ends of what is shown, be it in gaps.
public struct EdgeStates: Hashable, Sendable {
  /// That of the older end.
  public var older = EdgeState.idle
  /// That of the newer end.
  public var newer = EdgeState.idle

  /// Creates the states of a list that has loaded nothing.
  public init() {}

  /// The state of one end.
  public subscript(edge: MessageWindow.Direction) -> EdgeState {
    get {
      switch edge {
      case .older: older
      case .newer: newer
      }
    }
    set {
      switch edge {
      case .older: older = newValue
      case .newer: newer = newValue
      }
    }
  }
}

/// A reason why nothing could be loaded beyond an end.
public struct EdgeError: ExplainedError, Hashable {
  /// A kind of error, for code to branch on; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// The server cannot be reached.
    case unreachable
    /// The server does not give this to this user.
    case refused
    /// The answer of the server makes no sense.
    case unusable
    /// The result of the load could not be written: see ``EdgeError/storeError``.
    case unsaved
    /// The loader was asked several times in a row and brought nothing of the selection, without saying that there is no
    /// more.
    case fruitless
    /// It was called off.
    case cancelled
    /// Something else: see ``EdgeError/underlying``.
    case failed
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  public var summary: String
  public var cause: String?
  public var remedy: Remedy?
  /// The error of the store, if what was loaded could not be written.
  public var storeError: StoreError?
  /// The error that the loader threw, if it was none of these. Errors are equal whatever this is.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
  }

  /// Creates the error of a load at an end of whatever the loader threw.
  init(_ error: any Error, at edge: MessageWindow.Direction) {
    let summary = edge == .older ? "cannot load older messages" : "cannot load newer messages"
    switch error {
    case let error as EdgeError: self = error
    case let error as StoreError where error.kind != .cancelled:
      self.init(.unsaved, summary, cause: error.description)
      storeError = error
    case is StoreError, is CancellationError: self.init(.cancelled, summary, remedy: "again")
    default:
      self.init(.failed, summary, cause: "\(error)")
      underlying = error
    }
  }

  public static func == (a: EdgeError, b: EdgeError) -> Bool {
    a.kind == b.kind && a.summary == b.summary && a.cause == b.cause && a.remedy == b.remedy
      && a.storeError == b.storeError
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(summary)
    hasher.combine(cause)
  }
}
