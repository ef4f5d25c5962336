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

/// The beginning of a result or note that reports a failure, as written by readers of sessions: `failed`,
/// `failed: …`, `failed (1): …`, `failed with 1: …`.
package enum FailureMark {
  /// Matches exactly these texts.
  package static let pattern = "\\Afailed(\\z|:| \\(-?\\d| with -?\\d)"
  package static let word = "failed"

  package static func begins(_ text: String) -> Bool {
    guard text.hasPrefix(word) else { return false }
    var copy = text
    return copy.withUTF8 { begins(UnsafeRawBufferPointer($0)) }
  }

  package static func begins(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.begins(with: "failed") else { return false }
    let rest = UnsafeRawBufferPointer(rebasing: text.dropFirst(6))
    if rest.isEmpty || rest.begins(with: ":") { return true }
    for mark in [" (", " with "] as [StaticString] where rest.begins(with: mark) {
      let number = rest.dropFirst(mark.utf8CodeUnitCount)
      let digit = number.first == UInt8(ascii: "-") ? number.dropFirst().first : number.first
      return digit.map { (0x30...0x39).contains($0) } ?? false
    }
    return false
  }
}

extension UnsafeRawBufferPointer {
  package func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return prefix(text.utf8CodeUnitCount).elementsEqual(
      UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
