/// Facts about an assistant's session that its program records beside the messages.
///
/// A conversation of an ``ImportBatch`` with a note is a session; abandoned branches and conversations of
/// subagents have none.
public struct SessionNote: Hashable, Sendable {
  /// The path of the assistant's folder.
  public var folder: String?
  /// The last git branch.
  public var branch: String?
  /// The input tokens, including cached ones.
  public var sentTokens: Int64?
  /// The cached input tokens.
  public var cachedTokens: Int64?
  /// The output tokens.
  public var receivedTokens: Int64?
  /// The cost in millionths of a US dollar.
  public var cost: Int64?

  /// Creates a note without further facts.
  public init(folder: String? = nil) { self.folder = folder }

  /// Adds tokens and cost; negative numbers and overflows are ignored.
  ///
  /// - Parameter cost: Millionths of a US dollar.
  package mutating func add(sent: Int64?, cached: Int64?, received: Int64?, cost: Int64? = nil) {
    sentTokens = Self.sum(sentTokens, sent)
    cachedTokens = Self.sum(cachedTokens, cached)
    receivedTokens = Self.sum(receivedTokens, received)
    self.cost = Self.sum(self.cost, cost)
  }

  private static func sum(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let other, other >= 0 else { return one }
    let (sum, isTooMuch) = (one ?? 0).addingReportingOverflow(other)
    return isTooMuch ? one : sum
  }
}
