/// A file that was read, as it is remembered between runs.
package struct RememberedFile: Hashable, Sendable {
  /// Its attributes when it was read.
  package var facts: FileFacts
  /// The fingerprint of a file that lines are appended to.
  package var mark: FileMark?
  /// The path of the log that was rotated to this file; `nil` for other files.
  package var log: String?

  /// Creates the record of a file.
  package init(_ facts: FileFacts, mark: FileMark? = nil, log: String? = nil) {
    (self.facts, self.mark, self.log) = (facts, mark, log)
  }
}

extension RememberedFile: LosslessStringConvertible {
  /// Parses ``description``, also that of earlier versions, which only contained the attributes.
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
