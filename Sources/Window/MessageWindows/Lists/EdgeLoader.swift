public import MessageModel

/// Loads messages from a server: beyond the ends of the local messages, and in their gaps.
///
/// ```swift
/// let gapLoader = EdgeLoader { request in
///   guard let gap = request.gap else { return .endReached }
///   let answer = try await server.messages(request.edge, of: request.key, limit: request.limit)
///   try await store.write { store in
///     try store.fillGap(gap, answer.isLast ? .all : request.part, with: answer.messages)
///   }
///   return .loaded
/// }
/// ```
///
/// A source that records gaps (`MessageStore.setGap(in:after:before:token:size:)`) knows where messages are
/// missing, also at its ends. For other sources, the loader names the ends that may have more on the server:
///
/// ```swift
/// let loader = EdgeLoader(beyond: [.older]) { request in
///   let answer = try await server.messages(before: request.key, limit: request.limit)
///   try await store.append(answer.messages, to: room)
///   return answer.isLast ? .endReached : .loaded
/// }
/// let list = MessageList(Selection(room), in: store, edgeLoader: loader)
/// ```
///
/// A list calls it when its reader comes near a gap, from either side, or near an end of the source. The list
/// does not hold messages across a gap, so a gap is always at an end of the shown messages. The loader writes
/// messages into the source; the list reads them from there and keeps the reader's position, as after any
/// other change. Both ends may load at once, with one load each. ``MessageList/Snapshot/edges`` has their
/// states.
///
/// A failed load at a gap is shown again when the reader returns to it. A load is cancelled when the list
/// shows another selection or is closed, and by ``MessageList/cancelEdgeLoads(at:)``. After a failure,
/// loading at that end stops until ``MessageList/retryEdges(_:)`` or ``ListCommand/retry``.
public struct EdgeLoader: Sendable {
  /// The ends at which the server may have more, although the source has no gap there.
  public let edges: Set<ScrollDirection>
  let load: @Sendable (EdgeRequest) async throws -> EdgeOutcome

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - edges: The ends at which the server may have more, although the source has no gap there.
  ///   - load: Loads the requested messages, writes them into the list's source, and returns. If it throws,
  ///     the list reports an ``EdgeError`` unchanged, and wraps any other error in one of kind `failed`.
  public init(
    beyond edges: Set<ScrollDirection> = [],
    load: @escaping @Sendable (EdgeRequest) async throws -> EdgeOutcome
  ) {
    self.edges = edges
    self.load = load
  }
}

/// A request to load messages beyond an end of the local ones, or in a gap.
public struct EdgeRequest: Sendable {
  /// The end of the shown messages to load beyond: messages older than ``key``, or newer.
  public let edge: ScrollDirection
  /// The selection of the list.
  public let selection: Selection
  /// The oldest or newest message shown. With none, the request is for the older end and `key` is `nil`: load
  /// the server's newest messages.
  public let key: Message.ID?
  /// When the message of ``key`` was written, for servers that search by time.
  public let time: Timestamp?
  /// The gap to fill, from the side of ``key``; `nil` at an end without a gap in the source.
  public let gap: MessageGap?
  /// The part of the gap to load.
  public var part: MessageGap.Part { edge == .older ? .newest : .oldest }
  /// The number of messages that the list would read next. Loading more or fewer is fine.
  public let limit: Int
  /// The number of consecutive requests with the same key before this one, starting at 0. A load may bring no
  /// message of the selection; a server with page tokens of its own continues from the last one.
  public let attempt: Int
  let report: @Sendable (Double) -> Void

  /// Reports the progress of the load to the list, from 0 to 1. Smaller values than before are ignored.
  public func report(progress: Double) { report(progress) }
}

/// The result of a load beyond an end.
public enum EdgeOutcome: Hashable, Sendable {
  /// Messages were loaded and written, and there may be more.
  case loaded
  /// There is no more beyond this end; everything was written. The list does not ask again before
  /// ``MessageList/retryEdges(_:)``. At a gap this means ``loaded``: a filled gap no longer exists.
  case endReached
}

/// The state of loading beyond an end of the local messages, or in a gap. A filled gap no longer exists.
public enum EdgeState: Hashable, Sendable {
  /// Nothing is being waited for.
  case idle
  /// Messages are being loaded, with the progress from 0 to 1 if the loader reports it.
  ///
  /// It lasts until the list has read them, and ends in the state in which it first holds some. If the load
  /// continues, it is shown again when the reader comes near their end.
  case loading(progress: Double?)
  /// Loading failed. It stops at this end until ``MessageList/retryEdges(_:)`` or
  /// ``ListCommand/retry``.
  case failed(EdgeError)
  /// There is no more beyond this end.
  case endReached
}

/// The states of loading beyond both ends of what is shown, or in gaps there.
public struct EdgeStates: Hashable, Sendable {
  /// The state of the older end.
  public var older = EdgeState.idle
  /// The state of the newer end.
  public var newer = EdgeState.idle

  /// Creates the states of a list that has not loaded anything.
  package init() {}

  /// The state of one end.
  public subscript(edge: ScrollDirection) -> EdgeState {
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

/// A reason why loading beyond an end failed.
public struct EdgeError: ExplainedError, Hashable {
  /// A kind of error, for code; the texts are for people.
  public enum Kind: Hashable, Sendable {
    /// The server is unreachable.
    case unreachable
    /// The server refused the request to this user.
    case refused
    /// The server's response is invalid.
    case unusable
    /// The loaded messages could not be written: see ``EdgeError/storeError``.
    case unsaved
    /// Several consecutive loads brought no message of the selection, and did not report the end.
    case fruitless
    /// The load was cancelled.
    case cancelled
    /// Any other error: see ``EdgeError/underlying``.
    case failed
  }

  /// The kind, for code to branch on.
  public var kind: Kind
  public var summary: String
  public var cause: String?
  public var remedy: Remedy?
  /// The store's error, if the loaded messages could not be written.
  public var storeError: StoreError?
  /// Any other error that the loader threw. It is ignored in comparisons.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(_ kind: Kind, _ summary: String, cause: String? = nil, remedy: Remedy? = nil) {
    self.kind = kind
    self.summary = summary
    self.cause = cause
    self.remedy = remedy
  }

  init(_ error: any Error, at edge: ScrollDirection) {
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
