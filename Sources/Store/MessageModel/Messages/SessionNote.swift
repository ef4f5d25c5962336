/// The facts that a program writes down of a session of an assistant, beside its messages.
///
/// A conversation of a ``ImportBatch`` that has one is such a session; branches of it that were left behind and the talks of
/// agents are not.
public struct SessionNote: Hashable, Sendable {
  /// The path of the folder that the assistant worked in.
  public var folder: String?
  /// The branch of git that it worked on at last.
  public var branch: String?
  /// The tokens that the model was given, with those that it had kept.
  public var sentTokens: Int64?
  /// Those among them that it had kept.
  public var cachedTokens: Int64?
  /// The tokens that the model gave.
  public var receivedTokens: Int64?
  /// The cost in millionths of a US dollar.
  public var cost: Int64?

  /// Creates a note that says nothing but that there is a session.
  public init(folder: String? = nil) { self.folder = folder }

  /// Adds tokens and what they have cost; what is negative, or more than a number holds, is left out.
  ///
  /// - Parameters:
  ///   - sent: The tokens that the model was given, with those that it had kept.
  ///   - cached: Those among them that it had kept.
  ///   - received: The tokens that the model gave.
  ///   - cost: Millionths of a US dollar.
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
