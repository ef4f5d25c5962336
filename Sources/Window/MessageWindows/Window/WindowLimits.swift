public import MessageModel

/// The limits of a window, and the sizes of its reads.
///
/// Both limits are hard: a window holds at most ``messages`` and, unless a single message is larger, at most
/// ``bytes``.
public struct WindowLimits: Hashable, Sendable {
  /// The most messages held.
  public let messages: Int
  /// The most bytes held, in units of ``Message/byteCost``.
  public let bytes: Int
  /// The number of messages in a page; more if the reader's screen has more.
  public let pageSize: Int
  /// The number of messages to prefetch beyond those in view, on either side; more for high screens and fast
  /// readers.
  public let prefetchDistance: Int

  /// 1,000 messages, 4 MB, pages of 50.
  public static let standard = WindowLimits()

  private init() {
    messages = 1_000
    bytes = 4 << 20
    pageSize = 50
    prefetchDistance = 25
  }

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - messages: The most messages held.
  ///   - bytes: The most bytes held, as ``Message/byteCost`` counts them.
  ///   - pageSize: The number of messages in a page.
  ///   - prefetchDistance: The number of messages to prefetch beyond those in view; half a page if `nil`.
  /// - Throws: ``StoreError`` of kind `invalidRequest` if the limits conflict: one page and the prefetched
  ///   messages on both sides must fit at once, because otherwise the next step would need messages that were
  ///   just released.
  public init(
    messages: Int = 1_000, bytes: Int = 4 << 20, pageSize: Int = 50, prefetchDistance: Int? = nil
  ) throws(StoreError) {
    let prefetchDistance = prefetchDistance ?? pageSize / 2
    try Self.check(messages: messages, pageSize: pageSize, prefetchDistance: prefetchDistance)
    let fewest = max(2 * pageSize, pageSize + 2 * prefetchDistance + 1)
    guard messages >= fewest else {
      throw Self.refusal(
        "a window of \(messages) messages cannot hold a page of \(pageSize) and \(prefetchDistance) on either side",
        remedy: "a window of at least \(fewest) messages")
    }
    guard bytes >= fewest * Self.smallestCost else {
      throw Self.refusal(
        "a window of \(bytes) bytes cannot hold \(fewest) messages, however small they are",
        remedy: "a window of at least \(fewest * Self.smallestCost) bytes")
    }
    self.messages = messages
    self.bytes = bytes
    self.pageSize = pageSize
    self.prefetchDistance = prefetchDistance
  }

  private static func check(messages: Int, pageSize: Int, prefetchDistance: Int) throws(StoreError) {
    guard pageSize > 0 else {
      throw refusal(
        "a window cannot read pages of \(pageSize) messages", remedy: "a page of at least 1 message")
    }
    guard prefetchDistance >= 0 else {
      throw refusal(
        "a window cannot make \(prefetchDistance) messages ready", remedy: "a distance of 0 or more")
    }
    guard max(messages, pageSize, prefetchDistance) <= most else {
      throw refusal(
        "a window cannot hold more than \(most) messages",
        remedy: "a smaller one: it is read again at each change")
    }
  }

  private static func refusal(_ summary: String, remedy: Remedy) -> StoreError {
    StoreError(.invalidRequest, summary, remedy: remedy)
  }

  private static let most = 1_000_000
  private static let smallestCost = Message(
    id: .lowest, conversation: Conversation.ID(rawValue: 0), text: ""
  ).byteCost
}

/// The limits of a frozen view: its age, and the bytes that its snapshot may pin.
///
/// A snapshot keeps the store's log from being cleaned up: after a million small rows it has 108 MB.
public struct FreezeLimits: Hashable, Sendable {
  /// The longest time that a view may be frozen.
  package var age: Duration
  /// The most bytes that the snapshot may keep from being cleaned up.
  package var pinnedByteCount: Int

  /// A quarter of an hour and 64 MB.
  public static let standard = FreezeLimits(age: .seconds(900), pinnedByteCount: 64 << 20)

  /// Creates limits.
  public init(age: Duration, pinnedByteCount: Int) {
    self.age = age
    self.pinnedByteCount = pinnedByteCount
  }
}

/// Why a view thawed by itself.
public enum ThawReason: Hashable, Sendable {
  /// It reached its age limit.
  case age(Duration)
  /// Its snapshot pinned this many bytes.
  case pinnedBytes(Int)
}

extension MessageWindow {
  /// Returns why the window, which has no clock, must thaw; `nil` if it may stay frozen or is not frozen.
  ///
  /// - Parameters:
  ///   - age: How long it has been frozen.
  ///   - pinnedByteCount: The number of bytes that its snapshot keeps from being cleaned up.
  package func reasonToThaw(after age: Duration, pinning pinnedByteCount: Int) -> ThawReason? {
    guard frozen != nil else { return nil }
    if pinnedByteCount > freezeLimits.pinnedByteCount { return .pinnedBytes(pinnedByteCount) }
    return age >= freezeLimits.age ? .age(freezeLimits.age) : nil
  }
}
