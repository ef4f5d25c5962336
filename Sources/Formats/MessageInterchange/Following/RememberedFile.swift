/// A file that was taken in, as it is remembered.
package struct RememberedFile: Hashable, Sendable {
  /// Its facts at that time.
  package var facts: FileFacts
  /// By what it is known again, if lines are added to it.
  package var mark: FileMark?
  /// The path of the log that it was before it was rotated away; `nil` if it has its own name.
  package var log: String?

  /// Creates what is to be remembered.
  package init(_ facts: FileFacts, mark: FileMark? = nil, log: String? = nil) {
    (self.facts, self.mark, self.log) = (facts, mark, log)
  }
}

extension RememberedFile: LosslessStringConvertible {
  /// Reads one as ``description`` wrote it, or as earlier versions did: they remembered the facts alone.
  package init?(_ description: String) {
    let words = description.split(separator: " ", maxSplits: 9)
    guard words.count >= 6, let facts = FileFacts(words[..<6].joined(separator: " ")) else { return nil }
    self.facts = facts
    if words.count >= 9 { mark = FileMark(words[6..<9].joined(separator: " ")) }
    if words.count == 10 { log = String(words[9]) }
  }

  package var description: String {
    let mark = mark?.description ?? (log == nil ? nil : "0 0 0")
    return [facts.description, mark, log].compactMap { $0 }.joined(separator: " ")
  }
}
