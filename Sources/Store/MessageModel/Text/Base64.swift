internal import Foundation

/// RFC 4648, with padding.
package enum Base64 {
  package static func text(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

  package static func bytes(of text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }
}
