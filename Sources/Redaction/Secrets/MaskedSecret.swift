/// Secrets as they are shown to people.
package enum MaskedSecret {
  /// The most characters of a secret that are shown.
  private static let shown = 4

  /// Returns the first characters and the length: `ghp_…(40 characters)`. Of what is short less is shown.
  package static func text(of secret: Substring) -> String {
    let count = secret.count
    let start = secret.prefix(min(shown, count / 4)).map { $0.isNewline ? " " : $0 }
    return "\(String(start))…(\(count) characters)"
  }
}

extension String {
  /// Returns the part of a text that lies between two places in bytes.
  package func part(_ range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound, limitedBy: endIndex) ?? endIndex
    let end = utf8.index(startIndex, offsetBy: range.upperBound, limitedBy: endIndex) ?? endIndex
    return self[start..<end]
  }
}
