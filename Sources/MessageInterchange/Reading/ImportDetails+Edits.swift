internal import MessageModel

extension ImportDetails {
  /// Notes that a text was changed after it was written, and when, if a JSON value tells that: as ISO 8601 or as a
  /// count since 1970, in UTC where no zone is named.
  mutating func noteEdit(_ value: Bytes?) {
    guard let value else { return }
    isEdited = true
    var scanner = JSONScanner(value)
    var times = LooseTime(ImportOptions())
    let written = (try? scanner.kind()) == .string ? try? scanner.string().string() : nil
    if var written {
      editedAt = written.withUTF8 { times.read(Bytes($0))?.time }
    } else {
      editedAt = times.read(value)?.time
    }
  }
}
