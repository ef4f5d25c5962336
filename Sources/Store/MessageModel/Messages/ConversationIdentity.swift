/// The key that a platform knows a conversation by, whatever it is called there: no two conversations of one platform share
/// a key.
///
/// Names are labels: every server has a `#general`. The key is what the platform gives, with that of the server, the
/// workspace or the account before it where it is counted in those: `C024BE91L`, `123/general`.
public struct ConversationIdentity: Hashable, Sendable {
  /// The platform, as a message's ``Message/Source`` names it: formats of one platform share it.
  public let platform: String
  /// Its key there, at most ``longestKey`` bytes.
  public let key: String

  /// The most bytes of a key. Platforms have less; what is longer is cut, with a number for all of it behind.
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
