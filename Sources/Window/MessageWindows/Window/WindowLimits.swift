import MessageModel

/// The limits of what a window holds, and the sizes in which it reads.
///
/// Both budgets are hard: a window holds no more messages than ``messages``, and no more bytes than ``bytes`` unless
/// a single message is larger than that.
public struct WindowLimits: Hashable, Sendable {
  /// The most messages to hold.
  public let messages: Int
  /// The most bytes to hold, by ``Message/byteCost``.
  public let bytes: Int
  /// The number of messages to read at once; more if the reader's screen is higher than that.
  public let pageSize: Int
  /// The number of messages to have ready beyond those in view, on either side; more if the screen is higher than that
  /// or the reader moves faster.
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
  ///   - bytes: The most bytes that they may take, as ``Message/byteCost`` counts them.
  ///   - pageSize: How many messages are read at once.
  ///   - prefetchDistance: The number of messages to have ready beyond those in view; `nil` takes half a page.
  /// - Throws: ``WindowError`` if no window can keep them: one page and the messages made ready on both sides of the
  ///   reader must fit at once, or what was let go of on one side would be wanted back at the next step.
  public init(
    messages: Int = 1_000, bytes: Int = 4 << 20, pageSize: Int = 50, prefetchDistance: Int? = nil
  ) throws(WindowError) {
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

  private static func check(messages: Int, pageSize: Int, prefetchDistance: Int) throws(WindowError) {
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

  private static func refusal(_ summary: String, remedy: Remedy) -> WindowError {
    WindowError(.impossibleLimits, summary, remedy: remedy)
  }

  private static let most = 1_000_000
  private static let smallestCost = Message(
    id: .lowest, conversation: Conversation.ID(rawValue: 0), text: ""
  ).byteCost
}
