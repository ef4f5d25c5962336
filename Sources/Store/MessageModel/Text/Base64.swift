internal import Foundation

/// Bytes as text of JSON: the letters of RFC 4648, with `=` at the end.
package enum Base64 {
  /// Returns bytes as text.
  package static func text(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  /// Returns the bytes that a text stands for; `nil` if it stands for none.
  package static func bytes(of text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }
}
