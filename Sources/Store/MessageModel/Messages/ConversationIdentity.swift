/// A platform's key of a conversation, whatever its name: no two conversations of a platform share a key.
///
/// Names are labels: every server has a `#general`. The key is the platform's own, prefixed with that of the
/// server, the workspace or the account if keys are unique only there: `C024BE91L`, `123/general`.
public struct ConversationIdentity: Hashable, Sendable {
  /// The platform, as in ``Message/Source``: the formats of a platform share it.
  public let platform: String
  /// The platform's key, at most ``longestKey`` bytes.
  public let key: String

  /// The most bytes of a key. Platforms use less; longer keys are cut, with a hash of the whole key appended.
  public static let longestKey = 256

  /// Creates an identity; `nil` without a platform or a key.
  ///
  /// - Complexity: O(bytes of the key).
  public init?(platform: String, key: String) {
    guard !platform.isEmpty, !key.isEmpty else { return nil }
    self.platform = Self.bounded(platform)
    self.key = Self.bounded(key)
  }

  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > longestKey else { return text }
    let start = String(decoding: text.utf8.prefix(longestKey - 32), as: UTF8.self)
    return "\(start)#\(String(FNVHash.of(text), radix: 36))"
  }
}
