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
