/// Secrets shown in part.
package enum MaskedSecret {
  private static let shown = 4

  /// The first characters and the length, `ghp_…(40 characters)`; less of short secrets.
  package static func text(of secret: Substring) -> String {
    let count = secret.count
    let start = secret.prefix(min(shown, count / 4)).map { $0.isNewline ? " " : $0 }
    return "\(String(start))…(\(count) characters)"
  }

  /// Masks each secret in a text, such as a name derived from a message.
  package static func text(masking text: String) -> String {
    var masked = ""
    var end = 0
    for secret in SecretFinder.standard.secrets(in: text) {
      masked += text.part(end..<secret.range.lowerBound) + Self.text(of: text.part(secret.range))
      end = secret.range.upperBound
    }
    return masked + text.part(end..<text.utf8.count)
  }
}

extension String {
  /// The part between two offsets in bytes.
  package func part(_ range: Range<Int>) -> Substring {
    let start = utf8.index(startIndex, offsetBy: range.lowerBound, limitedBy: endIndex) ?? endIndex
    let end = utf8.index(startIndex, offsetBy: range.upperBound, limitedBy: endIndex) ?? endIndex
    return self[start..<end]
  }
}
